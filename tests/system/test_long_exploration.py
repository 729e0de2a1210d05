"""An exploration of any length is taken over in seconds: its snapshot has no size at which it is not written."""

from pathlib import Path

import pytest
from fleet import ACK_WAIT
from killed_explorations import explore_with_a_kill


@pytest.mark.slow
@pytest.mark.timeout(1800)
async def test_2000_states_and_20000_moves_stay_flat_and_are_taken_over_in_seconds(tmp_path: Path) -> None:
    done = await explore_with_a_kill(tmp_path, 2000, 10, kill_at=14_000)
    known = done.file.map
    assert (len(known.states), len(known.edges)) == (2000, 20_000)
    assert done.file.over == "everything that was found was tried"
    assert done.taken <= ACK_WAIT + 10.0
    early, late = done.quarters
    assert late <= 3.0 * early


async def test_an_exploration_whose_owner_is_killed_leaves_the_same_map(tmp_path: Path) -> None:
    done = await explore_with_a_kill(tmp_path, 60, 8, kill_at=100)
    assert (len(done.file.map.states), len(done.file.map.edges)) == (60, 480)

"""A television has no touch: an exploration walks it by the keys of its remote control."""

from pathlib import Path

import pytest
from explored_apps import explored, start, verdict_of
from fleet import fleet

from muster_exploration.case_writing import coverage_cases, goal_case
from muster_protocol.explorations import REMOTE_KEYS
from muster_protocol.requests import DeviceSpec, Exploration

APP = Path(__file__).parents[2] / "examples" / "screens" / "television.yaml"
TELEVISION = DeviceSpec(kind="screens", definition=APP.read_text(), source=APP.name)


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_every_screen_is_reached_by_keys_alone_and_cases_press_the_same(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        job = Exploration(device=TELEVISION, keys=REMOTE_KEYS, max_steps=2000, tour_moves=6)
        verdict, file = await explored(group, job)
        assert verdict.status == "done", verdict.summary
        assert file.over == "everything that was found was tried", verdict.summary
        assert {state.title for state in file.map.states} == {"Home", "Live TV", "Films", "Film", "Settings"}
        assert {move.do for move in file.map.moves} == {"press"}
        homes = [state for state in file.map.states if state.title == "Home"]
        assert len(homes) == 4  # nothing has the focus, or one of three buttons
        for written in coverage_cases(file)[:3]:
            passed = await verdict_of(group, written.case, TELEVISION)
            assert passed.status == "pass", (passed.summary, written.case)


@pytest.mark.slow
async def test_a_goal_is_reached_by_keys(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        job = Exploration(device=TELEVISION, keys=REMOTE_KEYS, max_steps=800, goal='The page title is "Film"')
        _, file = await explored(group, job)
        written = goal_case(file)
        assert written is not None, file.over
        assert any("Press Enter" in step.action for step in written.case.steps)
        assert (await verdict_of(group, written.case, TELEVISION)).status == "pass"

"""A request without a policy follows what it asks for, wherever it comes from."""

import msgspec
import pytest

from muster_exploration.tour_rounds import wish_of
from muster_protocol.explorations import ExplorationPolicy
from muster_protocol.requests import Exploration


@pytest.mark.parametrize(
    ("fields", "policies"),
    [
        ({}, ("coverage",)),
        ({"goal": 'The text "Thank you" is visible'}, ("goal",)),
        ({"focus": "cart"}, ("focused",)),
        ({"goal": "G", "focus": "cart"}, ("goal",)),
        ({"goal": "G", "policy": ["coverage"]}, ("coverage",)),
        ({"goal": "G", "policy": ["bfs", "goal"]}, ("bfs", "goal")),
    ],
)
def test_the_policies_of_a_request(fields: dict[str, object], policies: tuple[ExplorationPolicy, ...]) -> None:
    job = msgspec.json.decode(
        msgspec.json.encode({"type": "exploration", "url": "http://a.test"} | fields), type=Exploration
    )
    assert wish_of(job).policies == policies

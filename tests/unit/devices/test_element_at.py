"""What is at a point of a screen that can only list its elements."""

import pytest

from muster_devices.element_search import element_at
from muster_devices.screen import Element, Place, Screen
from muster_protocol.tool_calls import Box

SCREEN = Screen(
    place=Place(address="app"),
    version=1,
    elements=(
        Element(role="main", name="Home", box=Box(x=0, y=0, width=400, height=800)),
        Element(role="button", name="Play", box=Box(x=10, y=10, width=100, height=40)),
        Element(role="img", name="Star", box=Box(x=20, y=20, width=10, height=10)),
        Element(role="button", name="Ghost", hidden=True, box=Box(x=20, y=20, width=5, height=5)),
        Element(role="text", box=Box(x=60, y=20, width=5, height=5)),
        Element(role="link", box=Box(x=200, y=20, width=20, height=20)),
    ),
)


@pytest.mark.parametrize(
    ("x", "y", "name"),
    [(50, 30, "Play"), (25, 25, "Star"), (62, 22, "Play"), (300, 300, "Home"), (210, 30, ""), (900, 10, None)],
)
def test_the_smallest_element_that_can_be_seen_and_named_or_used_is_meant(x: int, y: int, name: str | None):
    found = element_at(SCREEN, x, y)
    assert (found.name if found else None) == name

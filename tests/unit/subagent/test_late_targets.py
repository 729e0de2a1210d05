"""A target that came only once the time was up is the product's fault, unless this machine is too busy to tell."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from muster_devices.actions import Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen
from muster_devices.refusals import TOO_LATE, refusal_of
from muster_devices.screen import Element, Place
from muster_protocol.causes import Failure
from muster_subagent.tools.device_calls import act

OPEN = Target(name="Open", role="button")
SEEN = ElementsSeen(version=1, place=Place(address=""), total=1, matches=(Element(role="button", name="Open"),))


class Session:
    """A session whose device refuses the action, and takes so long for a glance."""

    def __init__(self, unsteady: str, glance: float) -> None:
        self._refused, self._glance = refusal_of(OPEN, "click", SEEN, unsteady), glance

    async def device(self) -> "Session":
        return self

    async def do(self, *_: object) -> None:
        raise self._refused

    async def look(self, *_: object) -> None:
        await asyncio.sleep(self._glance)


async def failure_of(unsteady: str, glance: float) -> Failure:
    session = Session(unsteady, glance)
    ctx: Any = SimpleNamespace(
        acts_shown=False, session=session, located=None, domains=(), entrusted=None, author="phrase", action_timeout=0.5
    )
    action: Any = SimpleNamespace()
    with pytest.raises(DeviceRefused) as refused:
        await act(ctx, action, lambda _: pytest.fail("it was done"))
    return refused.value.failure


@pytest.mark.parametrize(
    ("unsteady", "glance", "failure"),
    [
        (TOO_LATE, 0.0, Failure.ELEMENT_MISSING),
        (TOO_LATE, 0.1, Failure.UNREACHABLE),
        ("it was moving", 0.1, Failure.ELEMENT_MISSING),
    ],
    ids=["a slow product", "a busy machine", "another reason"],
)
async def test_what_came_too_late_is_judged_by_how_busy_the_machine_is(
    unsteady: str, glance: float, failure: Failure
) -> None:
    assert await failure_of(unsteady, glance) is failure

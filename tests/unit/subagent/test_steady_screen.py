"""A screen that nobody expected is looked at again: it may still be drawn."""

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from muster_devices.screen import Place
from muster_exploration.screen_shape import Shape
from muster_subagent.exploring import steady_screen
from muster_subagent.exploring.perception import Perceived
from muster_subagent.exploring.steady_screen import See, see_awaited, see_steady


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STEADY_SECONDS", "FIRST_STEADY_SECONDS"):
        monkeypatch.setattr(steady_screen, name, 0.0)
    monkeypatch.setattr(steady_screen, "LONGEST_SECONDS", 0.2)


def showing(ids: Sequence[str], looks: list[str]) -> See:
    """Return a device that shows these states one after the other, and then stays."""
    left: Iterator[str] = iter(ids)

    async def see() -> Perceived:
        looks.append(next(left, looks[-1] if looks else ""))
        return Perceived(Place(address=""), (), Shape(looks[-1], "", ""), ())

    return see


async def test_a_screen_that_is_known_needs_no_second_look() -> None:
    looks: list[str] = []
    assert (await see_steady(showing(["a", "b"], looks), {"a"}, 0.0, first=False)).shape.id == "a"
    assert looks == ["a"]


async def test_a_new_screen_is_taken_once_it_stays() -> None:
    looks: list[str] = []
    here = await see_steady(showing(["skeleton", "half", "page", "page", "later"], looks), set(), 0.0, first=True)
    assert here.shape.id == "page"
    assert len(looks) == 4


async def test_what_took_long_to_come_has_to_stay_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    for came in (0.0, 2.5, 60.0):
        await see_steady(showing(["page"], []), set(), came, first=False)
    assert slept == [0.0, 2.5, 10.0]


async def test_a_screen_that_never_stays_is_taken_in_the_end() -> None:
    looks: list[str] = []
    endless = showing([str(number) for number in range(1_000_000)], looks)
    assert (await see_steady(endless, set(), 0.0, first=False)).shape.id == looks[-1]


async def test_an_awaited_screen_may_come_late_and_another_one_is_told() -> None:
    looks: list[str] = []
    assert (await see_awaited(showing(["x", "x", "x", "page"], looks), "page", 0.0)).shape.id == "page"
    assert (await see_awaited(showing(["x"], looks), "page", 0.0)).shape.id == "x"

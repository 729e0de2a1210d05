"""Setting up a tour: attempts, their pauses, going back, and the budget of restarts; on a simulated device."""

from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from screens_stage import Stage, closed, opened

from muster_devices.actions import Restart
from muster_devices.device import Device
from muster_devices.errors import DeviceRefused
from muster_exploration.tour_nodes import pause_before
from muster_protocol.causes import Failure
from muster_protocol.explorations import ExplorationSpent
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_protocol.logs import Transition
from muster_subagent.exploring import tour_walk
from muster_subagent.exploring.perception import perceived
from muster_subagent.exploring.tour_transitions import TourTransitions
from muster_subagent.exploring.tour_walk import TourWalk


class Troubled:
    """A device that refuses to start the app so many times, and to say whether a dialog is open so many times."""

    def __init__(self, device: object, *, starts: int = 0, dialogs: int = 0) -> None:
        self._device, self._starts, self._dialogs = device, starts, dialogs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    async def do(self, action: object, *more: Any) -> Any:
        if isinstance(action, Restart) and self._starts > 0:
            self._starts -= 1
            raise DeviceRefused("the device cannot start it", failure=Failure.INFRASTRUCTURE)
        return await self._device.do(action, *more)  # type: ignore[attr-defined]

    async def dialog(self, limit: float = 0.0) -> Any:
        if self._dialogs > 0:
            self._dialogs -= 1
            raise DeviceRefused("the device is away", failure=Failure.INFRASTRUCTURE)
        return await self._device.dialog(limit)  # type: ignore[attr-defined]


@pytest.fixture
async def stage() -> AsyncGenerator[Stage]:
    stage = await opened()
    yield stage
    await closed(stage)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    asked: list[float] = []

    def none(node: str, attempt: int, seed: int) -> float:
        asked.append(pause_before(node, attempt, seed))
        return 0.0

    monkeypatch.setattr(tour_walk, "pause_before", none)
    return asked


async def walked(stage: Stage, device: Troubled, restarts: int = 2) -> tuple[ExploreOutput, list[tuple[str, str]]]:
    """Make a tour that only looks at the first screen, and return what came of it with its transitions."""
    told: list[tuple[str, str]] = []

    def tell(transition: Transition) -> None:
        told.append((transition.source, transition.target))

    tools = SimpleNamespace(secrets=SimpleNamespace(mask=str, values=dict), action_timeout=5.0)
    first = perceived(await stage.device.screen()).shape.id
    tour = ExploreInput(seed=7, left=ExplorationSpent(steps=1, taps=1, restarts=restarts), known=(first,))
    transitions = TourTransitions(tell, str)
    walk = TourWalk(tour, cast(Any, tools), cast(Any, None), cast(Device, device), transitions)
    return await walk.walk(), told


async def test_a_device_that_is_away_twice_is_there_at_the_third_attempt(stage: Stage, pauses: list[float]) -> None:
    # each attempt asks for a dialog, and so does the look for what stands in its way
    output, told = await walked(stage, Troubled(stage.device, dialogs=4))
    assert told[:2] == [("EnsureDevice", "EnsureDevice")] * 2
    assert (output.broke_at, output.spent.restarts) == (-1, 0)
    assert [1.0 <= pauses[0] <= 1.2, 2.0 <= pauses[1] <= 2.4] == [True, True]
    assert pauses == [pause_before("EnsureDevice", attempt, 7) for attempt in (2, 3)]


async def test_a_device_that_stays_away_is_given_up_after_three_attempts(stage: Stage, pauses: list[float]) -> None:
    output, told = await walked(stage, Troubled(stage.device, dialogs=100))
    assert told == [("EnsureDevice", "EnsureDevice")] * 2 + [("EnsureDevice", "GiveUp")]
    assert "the device is away" in output.why
    assert output.broke_at == 0


async def test_an_app_that_does_not_start_three_times_has_its_device_looked_at_anew(
    stage: Stage, pauses: list[float]
) -> None:
    output, told = await walked(stage, Troubled(stage.device, starts=3))
    setup = [step for step in told if step[0] in ("EnsureDevice", "ProvisionApp")]
    assert setup == [
        ("EnsureDevice", "ProvisionApp"),
        ("ProvisionApp", "ProvisionApp"),
        ("ProvisionApp", "ProvisionApp"),
        ("ProvisionApp", "EnsureDevice"),
        ("EnsureDevice", "ProvisionApp"),
        ("ProvisionApp", "LaunchOrAttach"),
    ]
    assert (output.spent.restarts, output.broke_at) == (1, -1)


async def test_without_restarts_it_is_given_up(stage: Stage, pauses: list[float]) -> None:
    output, told = await walked(stage, Troubled(stage.device, starts=3), restarts=0)
    assert told[-1] == ("ProvisionApp", "GiveUp")
    assert (output.spent.restarts, output.broke_at) == (0, 0)
    assert "cannot start it" in output.why

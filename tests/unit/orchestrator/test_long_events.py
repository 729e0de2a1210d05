"""Events with long texts, which strangers write: an orchestrator renews its claims while it looks for triggers."""

import asyncio
from typing import Any, cast

import pytest

from muster_orchestrator.trigger_clock import TriggerClock
from muster_protocol.cloud_events import CloudEvent, EventFilter
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.triggers import Trigger, TriggerRow

ON_BODY = EventFilter(type="github.**", where={"data.body": "**deploy**now**"})
ROW = TriggerRow(trigger=Trigger(id="t", event=ON_BODY, runs=(RunRequest(job=Drill()),)), handled_until=0.0)


class Informed(TriggerClock):
    """Knows some triggers without a bucket."""

    def __init__(self, known: int) -> None:
        super().__init__(cast("Any", None), cast("Any", None))
        self._known = {str(number): ROW for number in range(known)}

    async def _read(self) -> None:
        pass


def no_rows(*_: object) -> None:
    pass


async def test_other_work_goes_on_while_an_event_is_matched(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("muster_orchestrator.trigger_clock.Rows", no_rows)
    event = CloudEvent(specversion="1.0", id="1", source="s", type="github.push", data={"body": "deploy " * 5_000})
    deciding, turns = asyncio.create_task(Informed(5).take_event(event)), 0
    while not deciding.done():
        await asyncio.sleep(0)
        turns += 1
    assert deciding.result()
    assert turns > 20

"""What a trigger vouches for: the work that it has stored, whatever the event."""

import pytest
from msgspec.structs import replace

from muster_client.trigger_chains import vouches_for
from muster_protocol.requests import Assignment, Drill, RunRequest
from muster_protocol.triggers import Trigger

WORK = Assignment(goal="Look", agent="monitor", role="viewer", may_start=("TC_PING",))
TRIGGER = Trigger(id="alerts", runs=(RunRequest(job=Drill(name="d", count=1)), RunRequest(job=WORK)))


def test_its_own_work_with_any_event():
    assert vouches_for(TRIGGER, replace(WORK, event="it burns", notes_on="run-1"))


@pytest.mark.parametrize(
    "more", [{"role": "runner"}, {"may_start": ("TC_PING", "TC_PAY")}, {"goal": "Pay"}, {"tools": ("shell",)}]
)
def test_nothing_else(more: dict[str, object]):
    assert not vouches_for(TRIGGER, replace(WORK, **more))

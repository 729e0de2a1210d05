"""What the benches of recovery and scale make of what a server stored."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
from envelopes import result_of

from muster_protocol import codec
from muster_protocol.events import Entry, OwnerChanged, TimerFired
from muster_protocol.journal import CallFinished, CallStarted, Finished, JournalBatch, JournalEntry, Taken
from muster_protocol.tool_calls import ToolCall, ToolOutcome

sys.path.append(str(Path(__file__).parents[3] / "bench"))
fleets: Any = importlib.import_module("fleets")
recovery: Any = importlib.import_module("recovery")
scale: Any = importlib.import_module("scale")


def stored(at: float, task: str, *entries: JournalEntry) -> Any:
    return fleets.Seen(f"muster.journal.{task}", codec.encode(JournalBatch(entries=entries)), at)


def taken(at: float) -> Taken:
    return Taken(worker="w", message=1, delivery=1, at=at)


def finished(task: str) -> Finished:
    return Finished(outcome=result_of(task=task, node="n", attempt=1, status="pass", summary="done"))


JOURNALS = [
    stored(10.5, "r.a.1", taken(10.25)),
    stored(11.0, "r.a.1", finished("r.a.1")),
    stored(11.0, "other.a.1", taken(10.0)),
    stored(11.75, "r.b.1", taken(11.25)),
    stored(12.0, "r.b.1", CallStarted(index=0, call=ToolCall(tool="t"), effect="read")),
    stored(12.0, "r.b.1", CallFinished(index=0, outcome=ToolOutcome(status="ok"))),
    stored(13.0, "r.b.1", finished("r.b.1")),
    stored(14.0, "r.c.1", taken(13.5)),
]


def test_a_dispatch_takes_from_the_outcome_before_it_to_the_next_in_the_queue_of_the_same_run():
    steps = scale.steps_by_run(JOURNALS)

    assert set(steps) == {"r", "other"}
    assert scale.dispatch_seconds(steps["r"], 0.0) == [0.25, 0.5]
    assert scale.dispatch_seconds(steps["r"], 12.0) == [0.5]
    assert scale.dispatch_seconds(steps["other"], 0.0) == []


def test_a_start_takes_from_the_queue_to_a_worker():
    steps = scale.steps_by_run(JOURNALS)

    assert scale.start_seconds(steps["r"], 0.0) == [0.25, 0.5, 0.5]
    assert scale.start_seconds(steps["r"], 11.0) == [0.5, 0.5]


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1.0), (0.5, 3.0), (0.99, 4.0), (1.0, 4.0)])
def test_a_quantile_is_one_of_the_values(share: float, expected: float):
    assert fleets.quantile([4.0, 1.0, 3.0, 2.0], share) == expected


def test_the_longest_drill_lasts_as_long_as_the_most_runs_need_to_begin():
    assert scale.chain_length([10, 1000], rate=50.0, seconds=20.0) == 250
    assert scale.chain_length([1], rate=10_000.0, seconds=60.0) == 10_000


def test_what_a_message_holds_is_read_by_its_subject():
    changed: Any = OwnerChanged(owner="b", epoch=2, message=1, delivery=2)
    entry = Entry(epoch=2, at=1.0, events=(changed, TimerFired(timer="run")))

    assert recovery.inside(fleets.Seen("muster.runs.r.events", codec.encode(entry), 1.0)) == entry.events
    assert recovery.inside(JOURNALS[0]) == (taken(10.25),)


def test_a_goal_is_missed_by_the_slowest_round_and_by_any_false_takeover():
    good, slow = recovery.Row("worker", [1.0, 3.9], 3.0, 4.0), recovery.Row("orchestrator", [1.0, 4.1], 3.0, 4.0)

    assert recovery.Report(3.0, [good], 0, 50).met
    assert not recovery.Report(3.0, [good, slow], 0, 50).met
    assert not recovery.Report(3.0, [good], 1, 50).met
    assert recovery.table(recovery.Report(3.0, [good, slow], 0, 50)).splitlines()[3].split()[-1] == "NO"

"""What the bench of starting and stopping workers makes of what journals say."""

import importlib
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from envelopes import result_of

from muster_protocol.journal import Finished, JournalEntry, Taken

sys.path.append(str(Path(__file__).parents[3] / "bench"))
autoscale: Any = importlib.import_module("autoscale")
scale: Any = importlib.import_module("scale")


def step(at: float, entry: JournalEntry) -> Any:
    return scale.Step(at, entry)


def taken(at: float, queued: float, worker: str = "old") -> Any:
    return step(at, Taken(worker=worker, message=1, delivery=1, at=queued))


def finished(at: float) -> Any:
    return step(at, Finished(outcome=result_of(task="r.a.1", node="a", attempt=1, status="pass", summary="done")))


STEPS = [
    taken(10.5, 10.0),
    finished(11.0),
    taken(12.25, 10.25, "new"),
    finished(12.5),
    finished(13.0),
    taken(19.0, 18.0),
]


def test_only_what_was_done_and_taken_within_a_stretch_of_time_counts_for_it() -> None:
    window = autoscale.Window(2, 11.0, 13.0)

    assert autoscale.done_in(STEPS, window) == 2
    assert autoscale.waits_in(STEPS, window) == [2000.0]


def test_efficiency_is_the_share_of_as_many_times_what_one_worker_does() -> None:
    window = autoscale.Window(2, 11.0, 13.0)

    assert autoscale.level(STEPS, window, alone=0.0, first=1.0).efficiency == 1.0
    assert autoscale.level(STEPS, window, alone=0.625, first=1.0).efficiency == pytest.approx(0.8)


def test_the_first_of_a_new_worker_is_told_from_those_of_the_ones_that_were_there() -> None:
    assert autoscale.first_taken(STEPS, 10.0, frozenset({"old"})) == 2.25
    assert math.isnan(autoscale.first_taken(STEPS, 13.0, frozenset({"old"})))


def test_the_goal_is_for_sub_tasks_that_wait_and_no_run_may_fail_in_either_case() -> None:
    def outcome(load: str, efficiency: float, failed: int) -> Any:
        level = autoscale.Level(4, 1.0, efficiency, 1.0, 1.0, 1.0)
        return autoscale.Outcome(load, [level], 1.0, 48, failed, 0, 0.0)

    assert outcome("waiting 250 ms", 0.9, 0).met
    assert not outcome("waiting 250 ms", 0.89, 0).met
    assert outcome("30 ms of processor", 0.4, 0).met
    assert not outcome("30 ms of processor", 0.4, 1).met

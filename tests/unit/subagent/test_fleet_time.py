"""A worker goes by the fleet's time: the clock of its machine may be wrong by minutes or days."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from muster_devices.screen import Record
from muster_exploration.tour_nodes import NODES
from muster_protocol.explorations import ExplorationSpent
from muster_protocol.kinds import ExploreInput, NoopInput
from muster_protocol.logs import Transition
from muster_protocol.tasks import SubTask
from muster_subagent.exploring.tour_budget import TourBudget
from muster_subagent.exploring.tour_transitions import TourTransitions
from muster_subagent.fleet_time import CLOCK, today
from muster_subagent.task_work import seconds_for
from muster_subagent.tools.check_outcomes import failed_requests
from muster_subagent.tools.comparisons import compares
from muster_subagent.tools.value_tools import date_for

PLENTY = ExplorationSpent(steps=10, taps=10, outside=10, restarts=10)
NOON = datetime(2031, 3, 4, 12, tzinfo=UTC).timestamp()


@contextmanager
def at(seconds: float) -> Generator[None]:
    before = CLOCK.set(lambda: seconds)
    try:
        yield
    finally:
        CLOCK.reset(before)


def test_a_tour_ends_when_the_fleet_says_so_and_not_before():
    budget = TourBudget(ExploreInput(url="http://a", left=PLENTY, until=5_000.0))
    with at(4_999.0):
        assert not budget.is_used_up
    with at(5_001.0):
        assert budget.is_used_up


def test_a_sub_task_has_the_time_that_its_run_leaves_it_by_the_clock_of_the_fleet():
    task = SubTask(id="r.n.1", run="r", node="n", attempt=1, dispatch=1, input=NoopInput(), finish_by=5_000.0)
    with at(4_990.0):
        assert seconds_for(task) == 10.0
    with at(1.0):
        assert seconds_for(task) == task.budget.seconds


def test_no_service_asks_its_own_machine_what_time_it_is():
    asks = re.compile(r"from time import (?:[\w, ]*\W)?time\b|\btime\.time\(|datetime\.now\(|utcnow\(")
    folder = Path(__file__).parents[3] / "services"
    found = [file.name for file in folder.rglob("src/**/*.py") if asks.search(file.read_text("utf-8"))]
    assert found == []


def test_a_pause_is_told_by_the_time_of_the_fleet():
    told: list[Transition] = []
    with at(5_000.0):
        TourTransitions(told.append, str).again("EnsureDevice", NODES["EnsureDevice"], 1, "slow", 2.0)
    assert told[0].until == 5_002.0


def test_today_is_the_day_of_the_fleet_where_a_date_is_made_up_and_where_one_is_compared():
    with at(NOON):
        assert today() == date(2031, 3, 4)
        assert date_for("tomorrow", "yyyy-mm-dd") == "2031-03-05"
        assert compares("2031-03-05", "today", "above")
        assert not compares("2031-03-03", "today", "above")


def test_failed_requests_explain_a_check_by_the_clock_of_who_heard_them():
    for now in (100.0, 5_000.0, 9e9):  # of the session host; this machine has another time
        sent = (
            Record(method="GET", address="/old", status=500, at=now - 60.0),
            Record(method="POST", address="/pay", status=503, at=now),
            Record(method="GET", address="/", status=200, at=now + 1.0),
        )
        assert failed_requests(sent, now - 10.0) == ["POST /pay answered HTTP 503"]
    assert failed_requests((), 0.0) == []

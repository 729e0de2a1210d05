"""A run as it was after any event of its log."""

import pytest
from envelopes import a_task, result_of

from muster_protocol.control import Pause
from muster_protocol.errors import InvalidRequest
from muster_protocol.events import (
    Asked,
    ControlApplied,
    Event,
    Parked,
    PlanMade,
    RetryPlanned,
    RunOpened,
    SessionOpened,
    SubTaskDispatched,
    SubTaskEnded,
    Woken,
)
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.sessions import SessionRef
from muster_views.history import TimedEvent
from muster_views.moments import RunMoment, list_events, view_moment

JOB = TestCase(name="Buy", steps=(Step(action="a"), Step(action="b")))
PLAN = Plan(nodes=(PlanNode(id="a", description="first"), PlanNode(id="b", description="second", needs=("a",))))
LOG: tuple[Event, ...] = (
    RunOpened(request=RunRequest(id="r1", job=JOB), owner="o", message=1, delivery=1),
    PlanMade(plan=PLAN),
    SubTaskDispatched(sub_task=a_task("r1.a.1", description="first")),
    Asked(task="r1.a.1", text="Which colour?", question="r1.a.1:q1"),
    ControlApplied(control=Pause(id="c1")),
    SubTaskEnded(outcome=result_of("r1.a.1", status="pass", summary="Done")),
)
HAPPENED = [TimedEvent(100.0 + number, event) for number, event in enumerate(LOG)]


def moment(at: int) -> RunMoment:
    return view_moment(HAPPENED, "r1", at)


def test_every_event_is_told_with_what_it_is_about():
    assert [f"{one.number} {one.type}: {one.text}" for one in list_events(HAPPENED)][:4] == [
        "1 run opened: test_case Buy",
        "2 plan made: 2 sub-tasks",
        "3 dispatched: r1.a.1: first",
        "4 asked: question r1.a.1:q1, text Which colour?, task r1.a.1",
    ]


def test_what_is_so_or_not_is_told_in_words():
    opened = SessionOpened(session=SessionRef(run="r1"), fresh=False)
    assert [one.text for one in list_events([TimedEvent(100.0, opened)])] == ["fresh no, restored no, after 0"]


@pytest.mark.parametrize(
    ("at", "waits"),
    [
        (1, ("its orchestrator decides what comes next",)),
        (2, ("a waits for its turn", "b waits for a (waiting)")),
        (3, ("a is queued or with a worker", "b waits for a (running)")),
        (4, ("a waits for a person's answer: Which colour?", "b waits for a (asking)")),
        (6, ("it is paused: nothing more is dispatched until it is resumed", "b waits for its turn")),
    ],
)
def test_what_a_run_waited_for_follows_from_the_log_up_to_then(at: int, waits: tuple[str, ...]):
    assert moment(at).waits == waits


def test_the_next_moment_is_the_earliest_at_which_something_happens_by_itself():
    failed = SubTaskEnded(outcome=result_of("r1.a.1", status="error", summary="away"))
    retry = RetryPlanned(node="a", not_before=200.5, reason="away")
    happened = [TimedEvent(100.0 + at, event) for at, event in enumerate((*LOG[:3], failed, retry))]
    assert view_moment(happened, "r1", 3).next_at == 0.0
    assert view_moment(happened, "r1", 5).next_at == 200.5
    parked = [*happened, TimedEvent(110.0, Parked(reason="no room", until=150.0))]
    assert view_moment(parked, "r1", 6).next_at == 150.0
    assert view_moment([*parked, TimedEvent(111.0, Woken())], "r1", 7).next_at == 200.5


def test_a_moment_shows_the_run_as_it_was_and_not_as_it_is():
    assert [node.state for node in moment(3).run.nodes] == ["running", "waiting"]
    assert (moment(3).event.number, moment(3).events, moment(0).event.number) == (3, 6, 6)
    assert moment(0).run.nodes[0].state == "passed"


@pytest.mark.parametrize("at", [-1, 7])
def test_a_number_that_the_log_does_not_have_is_refused_with_those_it_has(at: int):
    with pytest.raises(InvalidRequest, match=r"no event .*1 to 6"):
        moment(at)
    with pytest.raises(InvalidRequest, match="its log is empty"):
        view_moment([], "r1", 0)

"""What else happened to a run, as its report tells it: what people asked, what was lost, who was not there. Pure."""

import pytest

from muster_protocol import events
from muster_protocol.control import Answer, Cancel, Pause, Resume
from muster_protocol.events import Event
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.sessions import NO_SANDBOX, SANDBOX, SessionRef
from muster_views.happenings import Happening
from muster_views.history import fold_events

CASE = TestCase(name="Buy", steps=(Step(action="a", expected="b"),))
SESSION = SessionRef(run="r", name="main", kind="local", host="host-2", capabilities=(SANDBOX,))
BARE = SessionRef(run="r", name="main", host="host-2")
TAKEN = events.OwnerChanged(owner="o2", epoch=2, message=2, delivery=1)


def happened(*given: Event, rerun_of: str = "") -> list[tuple[str, bool]]:
    request = RunRequest(job=CASE, id="r", rerun_of=rerun_of)
    opened = events.RunOpened(request=request, owner="o", message=1, delivery=1)
    told = fold_events((float(at), event) for at, event in enumerate((opened, *given)))
    assert all(isinstance(one, Happening) for one in told.happenings)
    return [(one.text, one.bad) for one in told.happenings]


def test_a_question_its_parking_and_its_answer_are_told_in_order_and_nobody_was_lost():
    answer = Answer(id="1", question="q", text="4711", by="ana")
    told = happened(
        events.Asked(question="q", text="Which code?"),
        events.Parked(reason='it asks "Which code?"'),
        TAKEN,
        events.Woken(reason='it asks "Which code?"'),
        events.ControlApplied(control=answer),
        events.Answered(question="q", text="4711"),
    )
    assert told == [
        ("Asked a person: Which code?", False),
        ('Parked: it asks "Which code?"', False),
        ("Continued", False),
        ("A person answered: 4711", False),
    ]


def test_a_takeover_of_a_run_that_was_held_is_told_as_one():
    assert happened(TAKEN) == [("Orchestrator o2 took the run over (owner number 2)", True)]
    again = happened(events.Parked(reason="it is paused"), TAKEN, TAKEN)
    assert again[-1] == ("Orchestrator o2 took the run over (owner number 2)", True)


@pytest.mark.parametrize(
    ("event", "text", "bad"),
    [
        (events.ControlApplied(control=Pause(id="1", by="ana")), "Asked to pause by ana", False),
        (events.ControlApplied(control=Resume(id="1")), "Asked to resume", False),
        (events.ControlApplied(control=Cancel(id="1")), "Asked to cancel: no reason given", False),
        (events.SessionOpened(session=SESSION), "Session main opened on host-2", False),
        (events.SessionOpened(session=BARE), f"Session main opened on host-2; {NO_SANDBOX}", True),
        (
            events.SessionOpened(session=SESSION, restored="same", after=3),
            "Session main was lost and reopened on host-2 from the checkpoint after sub-task 3; its pages are unchanged",
            True,
        ),
        (
            events.SessionOpened(session=SESSION, restored="different"),
            "Session main was lost and reopened on host-2; its pages have changed",
            True,
        ),
        (events.Unserved(what="pool act"), "Not available: pool act", True),
        (events.Served(what="pool act"), "Available again: pool act", False),
        (events.GivenUp(reason="it is too large"), "Given up: it is too large", True),
    ],
)
def test_what_happened_beside_the_sub_tasks_is_told(event: Event, text: str, bad: bool):
    assert happened(event) == [(text, bad)]


def test_a_rerun_names_the_run_it_repeats():
    assert happened(rerun_of="run-1") == [("Repeats run run-1", False)]

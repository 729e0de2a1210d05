"""The log is the truth: whoever folds it, from wherever, has the same run and wants the same next."""

import random

import msgspec
import pytest
from driven import Driven, a_case, fails, faults, passes

from muster_orchestrator.machine import Run, decide, evolve, fold
from muster_orchestrator.snapshot_store import Snapshot, build_snapshot
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.control import Pause, Resume
from muster_protocol.events import ChildrenAsked, Continued, Entry, Event, OwnerChanged, SubTaskEnded, VerdictReached
from muster_protocol.journal import Child
from muster_protocol.kinds import StepInput
from muster_protocol.requests import Drill
from muster_protocol.tool_calls import Usage


def eventful() -> Driven:
    """Return a closed run in which about everything happened that can happen."""
    case = a_case("One is seen", 'The text "${order}" is visible', "", preconditions=("The shop is open",))
    driven = Driven.planned(case)
    driven.ends(driven.open("pre-1"), last_act=-1)
    driven.ends(driven.open("step-1"), faults(driven.open("step-1"), Failure.SESSION_LOST))
    driven.waits(5).opens(host="host-2")
    driven.happens(OwnerChanged(owner="b", epoch=2, message=1, delivery=2))
    driven.ends(driven.open("step-1"), fails(driven.open("step-1")))
    driven.decides("recover", recovery="Mend it")
    driven.ends(driven.open("step-1-r1"))
    driven.asked(Pause(id="p")).asked(Resume(id="r"))
    driven.ends(driven.open("step-1"))
    driven.ends(driven.open("step-2"), captured={"order": "4711"})
    driven.ends(driven.open("step-3"))
    return driven.closes()


LOGS = {"eventful": eventful(), "drill": Driven(Drill(count=3)), "cut short": Driven.planned()}


@pytest.mark.parametrize("name", LOGS)
def test_folding_the_entries_gives_the_run_that_settling_them_gave(name: str):
    driven = LOGS[name]

    assert fold(Run(), driven.entries) == driven.run


@pytest.mark.parametrize("name", LOGS)
def test_folding_any_beginning_and_then_the_rest_is_folding_all(name: str):
    driven = LOGS[name]
    for cut in range(len(driven.entries) + 1):
        beginning = fold(Run(), driven.entries[:cut])
        assert fold(beginning, driven.entries[cut:]) == driven.run


@pytest.mark.parametrize("name", LOGS)
def test_a_snapshot_taken_anywhere_goes_through_json_and_is_folded_on(name: str):
    driven = LOGS[name]
    for cut in range(len(driven.entries) + 1):
        taken = build_snapshot(fold(Run(), driven.entries[:cut]), cut)
        read = codec.decode(codec.encode(taken), Snapshot)
        assert read == taken
        assert list(read.run.graph) == list(taken.run.graph)
        assert fold(read.run, driven.entries[cut:]) == driven.run


def test_the_log_goes_through_json_as_it_is():
    driven = LOGS["eventful"]

    assert [codec.decode(codec.encode(entry), Entry) for entry in driven.entries] == driven.entries


@pytest.mark.parametrize("name", LOGS)
def test_deciding_twice_gives_the_same(name: str):
    for cut in range(len(LOGS[name].entries) + 1):
        run = fold(Run(), LOGS[name].entries[:cut])
        assert decide(run) == decide(run)
        assert msgspec.json.encode(decide(run)) == msgspec.json.encode(decide(codec.decode(codec.encode(run), Run)))


def test_a_log_that_was_cut_goes_on_from_its_snapshot():
    driven = LOGS["eventful"]
    middle = fold(Run(), driven.entries[:6])
    cut = Entry(epoch=middle.owner.epoch, at=middle.now, events=(Continued(snapshot=codec.encode(middle).decode()),))

    assert fold(Run(), [cut, *driven.entries[6:]]) == driven.run


def unchanged(driven: Driven, *events: Event) -> bool:
    run = driven.run
    for event in events:
        run = evolve(run, event)
    return run == driven.run


def test_reports_of_attempts_that_are_not_open_change_nothing():
    driven = Driven.planned()
    first = driven.open()
    driven.ends(first)
    stale = msgspec.structs.replace(driven.open(), attempt=7, id="run-1.step-2.7")
    unknown = msgspec.structs.replace(driven.open(), node="nowhere")

    assert unchanged(driven, SubTaskEnded(outcome=passes(first)))  # repeated
    assert unchanged(driven, SubTaskEnded(outcome=fails(first)))  # and otherwise
    assert unchanged(driven, SubTaskEnded(outcome=passes(stale)))  # an attempt never asked for
    assert unchanged(driven, SubTaskEnded(outcome=passes(unknown)))


def test_a_late_report_of_an_earlier_attempt_changes_nothing():
    driven = Driven.planned()
    first = driven.open()
    driven.ends(first, faults(first)).waits(5)
    assert driven.open().attempt == 2

    assert unchanged(driven, SubTaskEnded(outcome=passes(first)))


def test_a_result_counts_whatever_owner_dispatched_it():
    driven = Driven.planned()
    task = driven.open()
    driven.happens(OwnerChanged(owner="b", epoch=2, message=1, delivery=2))

    assert driven.open() == task
    assert driven.ends(task).open().node == "step-2"


def test_a_step_that_wants_children_gets_none_and_what_it_spent_counts_once():
    driven = Driven.planned()
    task = driven.open()
    wish = Child(description="Look it up", input=StepInput())
    driven.happens(ChildrenAsked(task=task.id, call=f"{task.id}:2", children=(wish,), spent=Usage(calls=3)))
    again = driven.open()

    assert (again.id, again.resumed, driven.run.usage.calls) == (task.id, 1, 3)
    [end] = again.children[f"{task.id}:2"]
    assert (end.status, end.task, end.summary) == ("error", "", "not begun: sub-agents may not be nested deeper here")
    assert driven.ends(again).open().node == "step-2"


def test_a_second_opening_and_a_second_plan_change_nothing():
    driven = Driven.planned()
    opened, made = driven.events[0], next(event for event in driven.events if type(event).__name__ == "PlanMade")

    assert unchanged(driven, opened, made)


def test_a_second_verdict_changes_nothing():
    driven = LOGS["eventful"]
    other = msgspec.structs.replace(driven.verdict, status="fail")

    assert unchanged(driven, VerdictReached(verdict=other))


def test_a_new_owner_wants_exactly_what_the_old_one_wanted():
    driven = LOGS["cut short"]
    taken = fold(
        driven.run, [Entry(epoch=2, at=driven.now, events=(OwnerChanged(owner="b", epoch=2, message=1, delivery=2),))]
    )

    assert decide(taken) == decide(driven.run)
    assert (taken.owner.epoch, taken.owner.id, taken.owner.delivery) == (2, "b", 2)


def test_evolving_by_any_event_at_any_moment_never_fails():
    events = LOGS["eventful"].events
    mixed = random.Random(4711)
    for _ in range(200):
        run = Run()
        for event in mixed.choices(events, k=12):
            run = evolve(run, event)
            decide(run)

"""A lost session ends the run, unless nothing of it can have been lost unseen; what is found after that is not the
product's fault."""

from typing import Any

import pytest
from driven import Driven, a_case, fails, faults, passes, side_by_side

from muster_orchestrator.effects import sessions_to_close
from muster_orchestrator.machine import Conclude
from muster_orchestrator.narration import describe_event
from muster_protocol.causes import Cause, Failure
from muster_protocol.control import Cancel
from muster_protocol.events import RetryPlanned, SessionOpened
from muster_protocol.requests import Drill
from muster_protocol.sessions import SessionRef
from muster_protocol.subjects import Names


def losing(**more: Any) -> Driven:
    """Return a run whose first sub-task changed something and whose second then lost the session."""
    driven = Driven.planned()
    driven.ends(driven.open("step-1"), **more)
    return loses(driven, "step-2")


def loses(driven: Driven, node: str, **more: Any) -> Driven:
    return driven.ends(driven.open(node), faults(driven.open(node), Failure.SESSION_LOST, **more))


def restored(driven: Driven, **more: Any) -> Driven:
    """Let the session be opened anew from the checkpoint made after the newest sub-task, and the pause be over."""
    made: dict[str, Any] = {"restored": "same", "after": driven.run.sessions.used["main"].ended, "host": "host-2"}
    return driven.opens(**(made | more)).waits(5.0)


def test_a_session_lost_before_anything_was_done_is_opened_anew():
    driven = loses(Driven.planned(), "step-1")

    assert "main" not in driven.run.sessions.open
    [opening] = driven.opening
    assert (opening.id, opening.request.checkpoint) == ("open:main:1", True)
    driven.waits(5.0)
    assert driven.tasks == []
    driven.opens(host="host-2", restored="different", missing="there is no checkpoint of it")
    assert (driven.open().id, driven.open().host) == ("run-1.step-1.2", "host-2")
    assert "opened anew" in driven.open().notice


def test_a_session_lost_after_nothing_but_looking_is_opened_anew():
    driven = losing(last_act=-1)
    driven.opens(host="host-2", restored="different").waits(5.0)

    assert driven.open().id == "run-1.step-2.2"
    driven.ends(driven.open(), fails(driven.open(), Failure.EXPECTATION_FALSE))
    assert driven.verdict.cause == Cause.PRODUCT


def test_a_session_whose_page_reads_as_the_last_sub_task_left_it_goes_on_and_the_sub_agent_is_told():
    driven = restored(losing())

    again = driven.open()
    assert (again.id, again.host) == ("run-1.step-2.2", "host-2")
    assert "the page reads as it did" in again.notice
    driven.ends(again)
    assert driven.open("step-3").notice == ""
    driven.ends(driven.open("step-3"))
    assert driven.verdict.status == "pass"


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (
            {"restored": "different", "after": 0, "missing": "there is no checkpoint of it"},
            "there is no checkpoint of it",
        ),
        ({"restored": "no", "after": 0}, "there is no checkpoint of it"),
        ({"restored": "different", "missing": "its pages do not read as they did"}, "do not read as they did"),
        ({"restored": "different", "after": 0, "missing": "commands had been run in it"}, "commands had been run"),
        ({"after": 1}, "made before the last change"),
        ({"after": 3}, "made before the last change"),
    ],
)
def test_a_session_that_cannot_be_opened_as_it_was_ends_the_run_and_the_verdict_says_why(
    found: dict[str, Any], why: str
):
    driven = losing()
    assert driven.run.sessions.used["main"].ended == 2
    restored(driven, **found)

    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.ENVIRONMENT, "step-2")
    assert why in driven.verdict.summary
    assert driven.verdict.results[-1].failure == Failure.SESSION_LOST


def test_a_checkpoint_made_after_a_sub_task_that_only_looked_has_all_that_was_changed_before():
    driven = Driven.planned()
    driven.ends(driven.open("step-1")).ends(driven.open("step-2"), last_act=-1)
    loses(driven, "step-3")
    restored(driven, after=2)

    assert driven.open().id == "run-1.step-3.2"


def test_a_session_lost_by_a_sub_task_that_had_acted_ends_the_run():
    driven = Driven.planned()
    loses(driven, "step-1", acted=True)

    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.ENVIRONMENT, "step-1")
    assert not driven.logged(RetryPlanned)


def test_a_sub_task_that_was_tried_before_for_another_reason_counts_as_one_that_used_the_session():
    driven = Driven.planned()
    driven.ends(driven.open("step-1"), faults(driven.open("step-1"), last_act=1)).waits(5.0)
    loses(driven, "step-1")
    restored(driven, after=0, restored="different", missing="there is no checkpoint of it")

    assert driven.verdict.cause == Cause.ENVIRONMENT


def test_a_session_that_was_only_out_of_reach_is_gone_on_with_as_it_is():
    driven = Driven(a_case())
    driven.opens(instance="s1")
    driven.ends(driven.open("plan"), plan=Driven.planned().case.plan)
    driven.ends(driven.open("step-1"))
    loses(driven, "step-2")
    driven.opens(instance="s1", fresh=False).waits(5.0)

    assert driven.open().id == "run-1.step-2.2"
    assert driven.run.sessions.reopened == {}
    driven.ends(driven.open(), fails(driven.open(), Failure.EXPECTATION_FALSE))
    assert driven.verdict.cause == Cause.PRODUCT


def test_after_a_page_was_put_together_anew_no_fail_is_the_products():
    driven = restored(losing())
    driven.ends(driven.open(), fails(driven.open(), Failure.EXPECTATION_FALSE, summary="seen: 3"))

    assert driven.verdict.cause == Cause.ENVIRONMENT
    assert "seen: 3" in driven.verdict.summary
    assert "opened anew from its checkpoint" in driven.verdict.summary


def test_after_a_page_was_put_together_anew_not_even_an_evaluator_blames_the_product():
    driven = restored(losing())
    driven.ends(driven.open(), fails(driven.open(), Failure.ELEMENT_MISSING)).decides("stop", cause=Cause.PRODUCT)

    assert driven.verdict.cause == Cause.ENVIRONMENT


def test_a_session_lost_for_a_third_time_is_not_opened_again():
    driven = losing()
    for _ in range(2):
        restored(driven)
        loses(driven, "step-2")

    assert (driven.verdict.cause, driven.verdict.failed_node) == (Cause.ENVIRONMENT, "step-2")


def test_a_run_that_ends_while_its_session_is_out_of_reach_still_has_it_closed():
    driven = losing()
    driven.waits(driven.run.deadline - driven.now + 1)

    [conclude] = [effect for effect in driven.effects if isinstance(effect, Conclude)]
    assert [ref.host for ref in conclude.sessions] == ["host-1"]
    assert conclude.unlocated == ("main",)


def test_a_session_that_was_lost_on_one_host_and_opened_on_another_after_the_verdict_is_closed_on_both():
    driven = losing()
    driven.waits(driven.run.deadline - driven.now + 1)
    [conclude] = [effect for effect in driven.effects if isinstance(effect, Conclude)]
    names = Names("muster")
    late = SessionRef(run="run-1", name="main", host="host-2")

    assert sessions_to_close(conclude, [late], names) == {
        ("muster.sessions.host.host-1", "main"),
        ("muster.sessions.host.host-2", "main"),
    }
    assert sessions_to_close(conclude, [], names) == {
        ("muster.sessions.host.host-1", "main"),
        ("muster.sessions.open", "main"),
    }


def test_a_session_that_was_asked_for_and_is_not_in_the_log_is_looked_for_at_the_end():
    driven = Driven(a_case()).asked(Cancel(id="c"))
    [conclude] = [effect for effect in driven.effects if isinstance(effect, Conclude)]

    assert (conclude.sessions, conclude.unlocated) == ((), ("main",))


def test_a_run_that_knows_all_its_sessions_looks_for_none():
    cancelled = Driven.planned().asked(Cancel(id="c"))
    drill = Driven(Drill(count=1)).asked(Cancel(id="c"))

    for driven in (cancelled, drill):
        [conclude] = [effect for effect in driven.effects if isinstance(effect, Conclude)]
        assert conclude.unlocated == ()


def test_the_loss_of_one_session_leaves_the_others_alone():
    driven = Driven.planned(a_case("x", "x"), plan=side_by_side(2))
    loses(driven, "n0")

    assert [opening.request.name for opening in driven.opening] == ["s0"]
    assert driven.open().node == "n1"
    assert passes(driven.open()).status == "pass"


def test_people_are_told_where_a_session_was_opened_anew_and_from_what():
    driven = losing()
    session = SessionRef(run="run-1", name="main", host="host-b")
    same = SessionOpened(session=session, restored="same", after=2)
    other = SessionOpened(session=session, restored="different", missing="there is no checkpoint of it")

    line = describe_event(driven.run, same)
    assert line is not None
    assert line.text == (
        '[Orchestrator] Session main was lost; reopened on host-b from the checkpoint after "Do thing 1"; '
        "the page reads the same"
    )
    line = describe_event(driven.run, other)
    assert line is not None
    assert line.text == "[Orchestrator] Session main was lost; reopened on host-b; there is no checkpoint of it"

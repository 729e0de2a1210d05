"""Runs that wait for a person: nobody holds them meanwhile, their clock stands still, and they go on where they were."""

from driven import Driven, a_case, faults, limits

from muster_orchestrator.machine import Conclude, Enqueue
from muster_protocol.causes import Cause
from muster_protocol.control import Answer, Cancel, Pause, Resume
from muster_protocol.events import Answered, Asked, ControlApplied, OwnerChanged, Parked, Policy, SubTaskEnded


def asking() -> Driven:
    """Return a run whose first sub-task has asked for a code."""
    driven = Driven.planned(a_case("One is seen", "Two is seen"))
    return driven.asks(driven.open("step-1"))


def test_a_run_that_can_only_wait_for_an_answer_is_parked_and_wants_nothing():
    driven = asking()

    assert driven.run.parking.reason == 'it asks "What is the code?"'
    assert driven.effects == ()
    assert driven.logged(Parked)[0].until == driven.now + Policy().parked_seconds


def test_an_answered_sub_task_is_handed_out_again_as_the_same_attempt_with_the_answer():
    driven = asking()
    driven.asked(Answer(id="a", question="run-1.step-1.1:0", text="4711"), after=50)

    task = driven.open("step-1")
    assert (task.id, task.attempt, task.answers) == ("run-1.step-1.1", 1, {"run-1.step-1.1:0": "4711"})
    assert [effect.id for effect in driven.effects if isinstance(effect, Enqueue)] == ["run-1.step-1.1+1"]
    assert driven.logged(Answered)[0].text == "4711"


def test_an_answer_without_a_question_is_for_the_one_that_is_open():
    driven = asking().asked(Answer(id="a", question="", text="4711"))

    assert driven.open("step-1").answers == {"run-1.step-1.1:0": "4711"}


def test_an_answer_to_another_question_leaves_the_run_parked():
    driven = asking().asked(Answer(id="a", question="run-1.step-9.1:0", text="4711"))

    assert driven.run.parking.reason
    assert driven.tasks == []


def test_a_question_told_again_after_its_answer_is_not_asked_again():
    driven = asking().asked(Answer(id="a", question="", text="4711"))
    before = driven.run
    driven.happens(Asked(question="run-1.step-1.1:0", text="What is the code?", task="run-1.step-1.1"))

    assert driven.run == before


def test_a_sub_task_may_ask_again_and_gets_both_answers():
    driven = asking().asked(Answer(id="a", question="", text="4711"))
    driven.happens(Asked(question="run-1.step-1.1:3", text="And the colour?", task="run-1.step-1.1"))
    driven.asked(Answer(id="b", question="", text="red"))

    assert driven.open("step-1").answers == {"run-1.step-1.1:0": "4711", "run-1.step-1.1:3": "red"}


def test_the_time_a_run_is_parked_is_not_its_own():
    driven = Driven.planned(a_case("One is seen"), limits=limits(timeout_seconds=100))
    deadline = driven.run.deadline
    driven.asks(driven.open("step-1")).asked(Answer(id="a", question="", text="4711"), after=5000)

    assert driven.run.deadline == deadline + 5000
    assert driven.open("step-1").finish_by == deadline + 5000
    driven.ends(driven.open("step-1"))
    assert driven.verdict.status == "pass"


def test_a_run_that_waited_too_long_ends_when_it_is_woken():
    driven = asking()
    taken = OwnerChanged(owner="b", epoch=2, message=2, delivery=1)
    driven.happens(taken, after=Policy().parked_seconds)

    assert (driven.verdict.cause, driven.verdict.summary) == (
        Cause.AGENT,
        'not resumed or answered within 24 h: it asks "What is the code?"',
    )


def test_an_answer_given_in_time_counts_however_late_the_run_is_taken_up():
    driven = asking()
    taken = OwnerChanged(owner="b", epoch=2, message=2, delivery=1)
    answer = ControlApplied(control=Answer(id="a", question="", text="4711"))
    driven.happens(taken, answer, after=2 * Policy().parked_seconds)

    assert driven.open("step-1").answers == {"run-1.step-1.1:0": "4711"}


def test_the_next_attempt_of_a_sub_task_gets_the_answer_of_the_one_before():
    driven = asking().asked(Answer(id="a", question="", text="4711"))
    driven.ends(driven.open("step-1"), faults(driven.open("step-1"))).waits(5)
    driven.asks(driven.open("step-1"))

    again = driven.open("step-1")
    assert (again.attempt, again.answers) == (2, {"run-1.step-1.2:0": "4711"})


def test_the_same_question_in_one_attempt_is_a_new_one():
    driven = asking().asked(Answer(id="a", question="", text="4711"))
    driven.happens(Asked(question="run-1.step-1.1:3", text="What is the code?", task="run-1.step-1.1"))

    assert driven.run.parking.reason


def test_waking_a_parked_run_is_no_takeover_of_a_lost_one():
    driven = asking().asked(Answer(id="a", question="", text="4711"))

    assert driven.run.owner.takeovers == 0


def test_a_paused_run_is_parked_once_nothing_is_open_and_goes_on_where_it_was():
    driven = Driven.planned(a_case("One is seen", "Two is seen")).asked(Pause(id="p"))
    assert not driven.run.parking.reason
    driven.ends(driven.open("step-1"))
    assert driven.run.parking.reason == "it is paused"

    driven.asked(Resume(id="r"), after=60)
    driven.ends(driven.open("step-2"))
    assert driven.verdict.status == "pass"


def test_a_run_paused_before_anything_began_is_parked_and_planned_when_it_is_resumed():
    driven = Driven(a_case("One is seen")).asked(Pause(id="p"))
    driven.ends(driven.open("plan"), faults(driven.open("plan")))
    assert driven.run.parking.reason

    driven.asked(Resume(id="r"), after=60)
    assert driven.open().node == "plan"


def test_an_answer_while_the_run_is_paused_is_kept_until_it_is_resumed():
    driven = asking().asked(Pause(id="p")).asked(Answer(id="a", question="", text="4711"))
    assert driven.run.parking.reason

    driven.asked(Resume(id="r"))
    assert driven.open("step-1").answers == {"run-1.step-1.1:0": "4711"}


def test_cancelling_a_parked_run_takes_back_the_sub_task_that_asks():
    driven = asking().asked(Cancel(id="c"))

    assert driven.verdict.cause == Cause.CANCELLED
    concluding = [effect for effect in driven.effects if isinstance(effect, Conclude)]
    assert [effect.open_tasks for effect in concluding] == [("run-1.step-1.1",)]


def test_nobody_else_acts_in_the_session_of_a_sub_task_that_asks():
    driven = asking()

    assert not driven.logged(SubTaskEnded)[1:]
    assert driven.run.graph["step-2"].status == "waiting"

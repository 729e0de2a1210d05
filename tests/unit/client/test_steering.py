"""What may be asked of runs, and what is run again: decided by what is stored, and by nothing else."""

from typing import Any

import pytest
from envelopes import result_of

from muster_client import steering
from muster_client.steering import (
    OpenQuestion,
    Standing,
    StoredControl,
    build_answer,
    build_pause,
    build_resume,
    fold_standing,
)
from muster_protocol.control import Answer, Cancel, Control, Pause, Resume
from muster_protocol.errors import InvalidRequest, WrongState
from muster_protocol.events import Answered, Asked, ControlApplied, Event, SubTaskEnded, VerdictReached
from muster_protocol.ids import run_id_for
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict

CODE = Asked(question="r1.n0.1:0", text="Which code?", task="r1.n0.1")
DAY = Asked(question="r1.n1.1:2", text="Which day?", task="r1.n1.1")
OVER = VerdictReached(verdict=Verdict(run="r1", name="Buy", status="fail"))
REQUEST = RunRequest(
    id="r1", job=TestCase(name="Buy", steps=(Step(action="a", expected="b"),)), suite="s", requested_at=5.0
)


def standing(*happened: Event, asked: tuple[Control, ...] = ()) -> Standing:
    return fold_standing("r1", happened, [StoredControl(number, control) for number, control in enumerate(asked, 1)])


def test_a_question_is_open_until_it_is_answered():
    assert standing(CODE, DAY, CODE).questions == (
        OpenQuestion(id="r1.n1.1:2", text="Which day?", node="n1"),
        OpenQuestion(id="r1.n0.1:0", text="Which code?", node="n0"),
    )
    assert [one.id for one in standing(CODE, DAY, Answered(question=CODE.question, text="1")).questions] == [
        DAY.question
    ]


def test_a_question_is_closed_with_its_sub_task_and_with_the_run():
    ended = SubTaskEnded(outcome=result_of(task="r1.n0.1", node="n0", attempt=1, status="cancelled", summary=""))
    assert [one.node for one in standing(CODE, DAY, ended).questions] == ["n1"]
    assert standing(CODE, DAY, OVER).questions == ()


@pytest.mark.parametrize(
    ("asked", "paused"),
    [
        ((), False),
        ((Pause(id="1"),), True),
        ((Pause(id="1"), Cancel(id="2")), True),
        ((Pause(id="1"), Resume(id="2")), False),
        ((Pause(id="1"), Resume(id="2"), Pause(id="3")), True),
    ],
)
def test_the_last_pause_or_resume_that_is_stored_counts(asked: tuple[Control, ...], paused: bool):
    found = standing(asked=asked)
    assert (found.paused, found.newest) == (paused, len(asked))
    assert (build_pause(found, "me") is None) == paused
    assert (build_resume(found, "me") is None) != paused


def test_a_pause_of_the_log_counts_when_the_control_stream_has_forgotten_it():
    assert standing(ControlApplied(control=Pause(id="1"))).paused
    assert not standing(ControlApplied(control=Pause(id="1")), asked=(Resume(id="2"),)).paused


def test_two_who_pause_at_once_ask_the_same_and_a_later_pause_asks_anew():
    asked = (Pause(id="a"), Resume(id="b"))
    first, second = build_pause(standing(asked=asked), "me"), build_pause(standing(asked=asked), "you")
    later = build_pause(standing(asked=(*asked, Pause(id="c"), Resume(id="d"))), "me")
    assert first is not None and second is not None and later is not None
    assert first.id == second.id != later.id


@pytest.mark.parametrize(("decide", "word"), [(build_pause, "pause"), (build_resume, "resume")])
def test_a_run_that_is_over_can_be_neither_paused_nor_resumed(decide: Any, word: str):
    with pytest.raises(WrongState, match=f"is over \\(fail\\); there is nothing to {word}"):
        decide(standing(OVER), "me")


def test_the_only_open_question_is_the_one_that_is_answered():
    answer = build_answer(standing(CODE), "", "4711", "me")
    assert answer == Answer(id=f"answer-{CODE.question}", question=CODE.question, text="4711", by="me")


@pytest.mark.parametrize(
    ("happened", "question", "reason"),
    [
        ((), "", "asks nothing$"),
        ((), "q", "does not ask 'q'$"),
        ((CODE,), "q", f"does not ask 'q'; open are: {CODE.question}"),
        ((CODE, DAY), "", "asks several questions; name the one to answer: .*Which code.*Which day"),
        ((CODE, OVER), "", "is over"),
        ((CODE, OVER), CODE.question, "is over"),
    ],
)
def test_an_answer_without_its_open_question_is_refused(happened: tuple[Event, ...], question: str, reason: str):
    with pytest.raises(WrongState, match=reason):
        build_answer(standing(*happened), question, "4711", "me")


@pytest.mark.parametrize("question", ["", CODE.question])
@pytest.mark.parametrize(
    "found",
    [
        standing(CODE, asked=(Answer(id="1", question=CODE.question, text="4711"),)),
        standing(CODE, Answered(question=CODE.question, text="4711")),
        standing(CODE, Answered(question=CODE.question, text="4711"), OVER),
    ],
)
def test_the_same_answer_again_changes_nothing(found: Standing, question: str):
    assert build_answer(found, question, "4711", "me") is None


def test_another_answer_to_the_same_question_is_refused():
    found = standing(CODE, asked=(Answer(id="1", question=CODE.question, text="4711"),))
    with pytest.raises(WrongState, match="has another answer already, which stays"):
        build_answer(found, "", "4712", "me")


def test_the_same_text_answers_a_second_question_too():
    found = standing(CODE, Answered(question=CODE.question, text="yes"), DAY)
    answer = build_answer(found, "", "yes", "me")
    assert answer is not None and answer.question == DAY.question


def test_a_rerun_repeats_the_request_under_an_id_of_its_own():
    again = steering.build_rerun(REQUEST, "r1", 5.0, "k")
    assert (again.id, again.rerun_of, again.job, again.suite) == (run_id_for("r1.k"), "r1", REQUEST.job, "s")
    assert again.requested_at == 5.0
    assert steering.build_rerun(REQUEST, "r1", 5.0, "k").id == again.id
    assert len({again.id, *(steering.build_rerun(REQUEST, "r1", 5.0).id for _ in range(3))}) == 4


def row(run: str, name: str, status: Any, at: float, suite: str = "s", rerun_of: str = "") -> RunRow:
    return RunRow(run=run, name=name, status=status, requested_at=at, suite=suite, rerun_of=rerun_of)


ROWS = (
    row("b2", "B", "pass", 4),
    row("a1", "A", "fail", 1),
    row("b1", "B", "fail", 2),
    row("c1", "C", "fail", 3),
    row("c2", "C", "running", 5),
    row("a9", "A", "fail", 9, suite="other"),
)


def test_the_newest_run_of_each_test_counts_and_suites_are_kept_apart():
    assert [one.run for one in steering.newest_runs(ROWS)] == ["a1", "b2", "c2", "a9"]
    assert [one.run for one in steering.newest_runs(ROWS, "s")] == ["a1", "b2", "c2"]
    assert [one.run for one in steering.newest_runs(ROWS, runs=("b1",))] == ["b2"]


def test_what_has_passed_since_or_is_under_way_has_not_failed():
    assert [one.run for one in steering.failed_runs(ROWS, "s")] == ["a1"]
    assert steering.failed_runs(ROWS, runs=("b1", "c1")) == []
    assert [one.run for one in steering.failed_runs(ROWS, runs=("b1", "a9"))] == ["a9"]


def test_runs_that_were_made_with_a_key_are_known_by_their_ids():
    made = row(run_id_for("a1.k"), "A", "fail", 6, rerun_of="a1")
    assert steering.reruns_with_key((*ROWS, made), "k") == [made]
    assert steering.reruns_with_key((*ROWS, made), "other") == []


def test_runs_that_are_not_there_are_named():
    steering.require_runs(ROWS, ("a1",))
    with pytest.raises(InvalidRequest) as raised:
        steering.require_runs(ROWS, ("a1", "x", "y"))
    assert [reason.split(" here")[0] for reason in raised.value.reasons] == [
        "there is no run 'x'",
        "there is no run 'y'",
    ]

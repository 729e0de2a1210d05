"""Conversations: one answer at a time, fresh knowledge for each, nothing held in between, and how they end."""

from typing import Any

from driven import Driven, faults

from muster_orchestrator.machine import Enqueue, SetTimer, Withdraw, fold
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.conversation.conversation_rules import (
    IDLE_SECONDS,
    LONGEST_SECONDS,
    MOST_CHARACTERS,
    MOST_MESSAGES,
    extend_transcript,
)
from muster_orchestrator.snapshots import build_row
from muster_protocol.causes import Failure
from muster_protocol.control import Answer, Cancel, Pause, Resume, Say, Stop
from muster_protocol.conversation_work import ConverseInput, ConverseOutput, Spoken
from muster_protocol.events import OwnerChanged, Parked, SubTaskDispatched, SubTaskEnded, Woken
from muster_protocol.requests import Conversation
from muster_protocol.tasks import SubTask, SubTaskResult


def chat(**more: Any) -> Driven:
    return Driven(Conversation(**more))


def says(driven: Driven, text: str, id: str = "") -> Driven:
    return driven.asked(Say(id=id or text, text=text))


def answers(driven: Driven, text: str, task: SubTask | None = None, **more: Any) -> Driven:
    return driven.ends(task or driven.open(), ended(task or driven.open(), text, **more))


def ended(task: SubTask, text: str, **more: Any) -> SubTaskResult:
    output = ConverseOutput(text=text, skill=more.pop("skill", ""))
    made: dict[str, Any] = {"status": "pass", "summary": text[:80], "output": output}
    return SubTaskResult(task=task.id, node=task.node, attempt=task.attempt, **(made | more))


def given(task: SubTask) -> ConverseInput:
    assert isinstance(task.input, ConverseInput)
    return task.input


def test_a_conversation_without_a_message_is_parked_and_waits_for_nothing():
    driven = chat()

    assert driven.run.parking.reason == "it waits for a message"
    assert driven.run.parking.until == driven.now + IDLE_SECONDS
    assert driven.effects == ()


def test_each_message_is_answered_by_one_sub_task_that_is_told_what_was_said_before():
    driven = says(chat(agent="helper"), "Hello")
    first = driven.open()
    answers(driven, "Good day", skill="design")
    parked = driven.run.parking.reason
    says(driven, "And now?")
    second = driven.open()

    assert (first.description, first.agent, first.kind, first.pool) == ("Hello", "helper", "converse", "think")
    assert given(first).earlier == ()
    assert parked == "it waits for a message"
    assert second.id != first.id
    assert given(second).earlier == (Spoken(by="person", text="Hello"), Spoken(by="agent", text="Good day"))
    assert given(second).skill == "design"


def test_lists_show_its_name_or_else_its_first_message():
    named, unnamed = says(chat(name="Nightly"), "Hello"), chat()
    assert (build_row(named.run, 1).name, build_row(unnamed.run, 1).name) == ("Nightly", "conversation")
    says(unnamed, "\u202eWhich tests\n are flaky? " + "x" * 500)
    answers(unnamed, "None")
    says(unnamed, "And now?")
    found = build_row(unnamed.run, 1).name
    assert found.startswith("Which tests are flaky? xxx") and len(found) == 80


def test_messages_that_come_in_mid_answer_are_answered_one_after_another():
    driven = says(says(chat(), "One"), "Two")
    first = driven.open()
    answers(driven, "1")

    assert first.description == "One"
    assert driven.open().description == "Two"
    assert [it.text for it in given(driven.open()).earlier] == ["One", "1"]


def test_a_message_that_is_delivered_again_is_answered_once():
    driven = answers(says(chat(), "One", id="m1"), "1")
    says(driven, "One", id="m1")

    assert len(driven.logged(SubTaskDispatched)) == 1
    assert driven.run.parking.reason


def test_an_agent_has_the_rights_of_who_opened_the_conversation():
    viewer, runner = says(chat(role="viewer"), "x").open(), says(chat(role="runner"), "x").open()

    assert viewer.assigned.rights.effects == ("read", "check")
    assert runner.assigned.rights.effects is None
    assert says(chat(), "x").open().assigned.rights.effects == ("read", "check")


def test_a_stopped_answer_is_withdrawn_and_the_conversation_goes_on():
    driven = says(chat(), "Count to a million")
    task = driven.open()
    driven.asked(Stop(id="s1", node=task.node))
    withdrawn = [it.sub_task.id for it in driven.effects if isinstance(it, Withdraw)]
    again = [it for it in driven.effects if isinstance(it, Enqueue)]
    driven.ends(task, ended(task, "", status="cancelled", output=None, failure=Failure.CANCELLED))
    says(driven, "Next")

    assert (withdrawn, again) == ([task.id], [])
    assert [it.text for it in given(driven.open()).earlier] == ["Count to a million", "(stopped)"]


def test_an_answer_that_is_ready_before_it_is_stopped_counts():
    driven = says(chat(), "x")
    task = driven.open()
    driven.asked(Stop(id="s1", node=task.node))
    driven.ends(task, ended(task, "ready"))
    says(driven, "Next")
    driven.asked(Stop(id="s2", node=task.node))  # it is about the answer before

    assert given(driven.open()).earlier[-1].text == "ready"
    assert not [it for it in driven.effects if isinstance(it, Withdraw)]


def test_an_answer_that_asks_a_person_is_parked_and_can_be_answered_or_stopped():
    allowed, stopped = says(chat(), "Run it"), says(chat(), "Run it")
    for driven in (allowed, stopped):
        driven.asks(driven.open(), "May I?")
        assert "May I?" in driven.run.parking.reason
    question = f"{allowed.run.graph['answer-00001'].sub_task.id}:0"  # type: ignore[union-attr]
    allowed.asked(Answer(id="a1", question=question, text="yes"))
    stopped.asked(Stop(id="s1", node="answer-00001"))

    assert allowed.open().answers == {question: "yes"}
    assert [it.sub_task.node for it in stopped.effects if isinstance(it, Withdraw)] == ["answer-00001"]


def test_an_answer_that_fails_is_told_and_the_conversation_goes_on():
    driven = says(chat(), "x")
    task = driven.open()
    driven.ends(task, ended(task, "", status="fail", output=None, summary="no model is set"))

    assert driven.run.verdict is None
    assert given(says(driven, "y").open()).earlier[-1].text == "(no answer: no model is set)"


def test_what_infrastructure_failed_is_tried_again_and_a_stop_in_the_pause_ends_it():
    driven = says(chat(), "x")
    driven.ends(driven.open(), faults(driven.open()))
    driven.waits(3)
    second = driven.open()
    driven.ends(second, faults(second))
    driven.asked(Stop(id="s1", node=second.node))

    assert (second.attempt, second.description) == (2, "x")
    assert driven.run.parking.reason == "it waits for a message"


def test_a_conversation_ends_when_nobody_writes_for_a_week_but_not_if_somebody_does_just_then():
    ends, goes_on = chat(), chat()
    late = IDLE_SECONDS + 1
    taken = OwnerChanged(owner="b", epoch=2, message=2, delivery=1)
    ends.happens(taken, Woken(), after=late)
    goes_on.asked(Say(id="m1", text="Hello"), after=late)

    assert (ends.verdict.status, ends.verdict.cause) == ("done", None)
    assert goes_on.open().description == "Hello"


def test_a_conversation_is_over_before_its_log_is_too_old_and_when_it_is_deleted():
    old, deleted = chat(), chat()
    for day in range(4):
        old.asked(Say(id=f"m{day}", text="x"), after=6 * 86_400)
        answers(old, "y")
    deleted.asked(Cancel(id="cancel"))

    assert old.run.parking.until == 1_000.0 + LONGEST_SECONDS
    assert (deleted.verdict.status, deleted.verdict.cause) == ("failed", "cancelled")


def test_a_paused_conversation_answers_once_it_is_resumed():
    driven = chat()
    driven.asked(Pause(id="p"))
    says(driven, "x")
    assert driven.tasks == []
    driven.asked(Resume(id="r"))

    assert driven.open().description == "x"


def test_the_next_owner_knows_the_same_from_the_log_alone():
    driven = says(answers(says(chat(), "One"), "1"), "Two")
    again = fold(Run(), driven.entries)

    assert again == driven.run
    assert any(isinstance(it, SetTimer) for it in driven.effects)


def test_the_state_stays_small_however_long_the_conversation_is():
    driven = chat()
    for number in range(60):
        answers(says(driven, f"{number} " + "word " * 3_000), "answer " * 3_000)

    earlier = given(says(driven, "last").open()).earlier
    assert sum(len(it.text) for it in earlier) <= MOST_CHARACTERS
    assert len(list(driven.run.graph)) == 1
    assert len([it for it in driven.events if isinstance(it, Parked)]) == 61
    assert len([it for it in driven.events if isinstance(it, SubTaskEnded)]) == 60


def test_the_newest_messages_are_kept_and_long_ones_lose_their_middle():
    said = extend_transcript((), *(Spoken(by="person", text=str(number)) for number in range(60)))
    [long] = extend_transcript((), Spoken(by="agent", text="a" * 5_000 + "b"))

    assert [it.text for it in said] == [str(number) for number in range(60 - MOST_MESSAGES, 60)]
    assert long.text.startswith("aaa")
    assert long.text.endswith("b")
    assert len(long.text) <= 4_000

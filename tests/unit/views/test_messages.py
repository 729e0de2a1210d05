"""Messages of a run: who asked whom for what, and what came back."""

import pytest
from driven import Driven, fails

from muster_protocol.control import Pause
from muster_protocol.events import ControlApplied
from muster_views.history import events_in
from muster_views.messages import Message, describe_message, draw_sequence, list_messages


def messages_of(driven: Driven) -> tuple[Message, ...]:
    return list_messages(events_in(driven.entries))


def exchanged(messages: tuple[Message, ...]) -> list[tuple[str, str, str]]:
    return [(it.sender, it.recipient, it.type) for it in messages]


@pytest.fixture
def failed() -> Driven:
    """A run whose first step failed and was evaluated."""
    driven = Driven.planned()
    return driven.ends(driven.open(), fails(driven.open()), after=3.0).decides("stop", reason="hopeless")


def test_each_task_is_followed_by_its_result_and_the_run_by_its_verdict(failed: Driven):
    assert exchanged(messages_of(failed)) == [
        ("requester", "orchestrator", "request"),
        ("orchestrator", "case-planner", "task"),
        ("case-planner", "orchestrator", "result"),
        ("orchestrator", "step-runner", "task"),
        ("step-runner", "orchestrator", "result"),
        ("orchestrator", "evaluator", "task"),
        ("evaluator", "orchestrator", "result"),
        ("orchestrator", "requester", "verdict"),
    ]


def test_a_result_names_what_it_answers_and_how_long_it_took(failed: Driven):
    step = next(it for it in messages_of(failed) if it.type == "result" and it.node == "step-1")
    assert (step.parent, step.took, step.status, step.kind) == ("run-1.step-1.1", 3.0, "fail", "step")


def test_questions_go_to_a_person_and_answers_come_back():
    driven = Driven.planned()
    task = driven.open()
    asked = driven.asks(task, "What is the code?")
    found = [it for it in messages_of(asked) if "person" in (it.sender, it.recipient)]
    assert exchanged(tuple(found)) == [("step-runner", "person", "question")]
    assert (found[0].text, found[0].node) == ("What is the code?", task.node)


def test_controls_of_people_are_messages():
    driven = Driven.planned().happens(ControlApplied(control=Pause(id="c1")))
    assert ("person", "orchestrator", "control") in exchanged(messages_of(driven))


def test_a_damaged_log_has_the_messages_that_it_still_tells(failed: Driven):
    happened = [moment for moment in events_in(failed.entries)][3:]
    assert list_messages(happened)[-1].type == "verdict"


def test_a_line_and_a_diagram_tell_a_message(failed: Driven):
    lines = [describe_message(number, it) for number, it in enumerate(messages_of(failed), 1)]
    assert lines[3].startswith("4. orchestrator → step-runner  task step-1: Do thing 1")
    assert lines[4].endswith("(fail, 3.0 s)")
    diagram = draw_sequence(messages_of(failed))
    assert diagram.startswith("sequenceDiagram\n")
    assert "    case_planner-->>orchestrator: result" in diagram


def test_texts_of_a_page_break_neither_line_nor_diagram():
    driven = Driven.planned()
    driven.ends(driven.open(), fails(driven.open(), summary="a;b\nparticipant x\x1b[31m"))
    messages = messages_of(driven)
    assert all("\n" not in describe_message(1, it) for it in messages)
    assert not any(line.strip().startswith("participant") for line in draw_sequence(messages).splitlines())

"""A conversation as it is folded from its run's log, and from log lines of workers."""

from typing import Any

import pytest

from muster_protocol import events
from muster_protocol.control import Say
from muster_protocol.conversation_work import ConverseInput, ConverseOutput
from muster_protocol.events import Entry, Event
from muster_protocol.logs import LogKind, LogRecord
from muster_protocol.requests import Conversation, Drill, RunRequest
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_views.chat_view import ChatView, events_of, line_event, view_chat

NODE, TASK = "answer-00001", "run-1.answer-00001.1"


def opened(job: Any = Conversation(name="Nightly", by="ann")) -> Event:  # noqa: B008 - immutable
    return events.RunOpened(request=RunRequest(id="run-1", job=job), owner="a", message=1, delivery=1)


def said(text: str = "Hello") -> Event:
    return events.ControlApplied(control=Say(id="m1", text=text))


def begun() -> Event:
    task = SubTask(id=TASK, run="run-1", node=NODE, attempt=1, dispatch=1, input=ConverseInput())
    return events.SubTaskDispatched(sub_task=task)


def ended(status: Any = "pass", text: str = "Good day", summary: str = "it did not work") -> Event:
    output = ConverseOutput(text=text) if status == "pass" else None
    result = SubTaskResult(task=TASK, node=NODE, attempt=1, status=status, summary=summary, output=output)
    return events.SubTaskEnded(outcome=result)


def over() -> Event:
    return events.VerdictReached(verdict=Verdict(run="run-1", name="x", status="done", summary="nobody went on"))


def view(*happened: Event) -> ChatView:
    found = view_chat("run-1", [Entry(epoch=1, at=float(number), events=(it,)) for number, it in enumerate(happened)])
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("happened", "state", "texts"),
    [
        ((), "idle", []),
        ((said(), begun()), "answering", ["Hello"]),
        ((said(), begun(), ended()), "idle", ["Hello", "Good day"]),
        ((said(), begun(), ended("cancelled")), "idle", ["Hello", ""]),
        ((said(), begun(), ended("fail")), "idle", ["Hello", "it did not work"]),
        ((said(), begun(), events.Asked(question="q", text="May I?", task=TASK)), "asking", ["Hello", "May I?"]),
        ((said(), begun(), ended(), over()), "ended", ["Hello", "Good day"]),
    ],
)
def test_what_was_said_and_what_it_is_doing(happened: tuple[Event, ...], state: str, texts: list[str]):
    shown = view(opened(), *happened)

    assert (shown.name, shown.by, shown.agent) == ("Nightly", "ann", "assistant")
    assert (shown.state, [message.text for message in shown.messages]) == (state, texts)
    assert bool(shown.answering) == (state in ("answering", "asking"))


def test_a_conversation_without_a_name_is_called_by_its_first_message():
    unnamed = opened(Conversation())
    assert view(unnamed).name == "conversation"
    assert view(unnamed, said("Why\x1b[31m did\nit fail?" + "!" * 99), said("And now?")).name.startswith(
        "Why did it fail?!!"
    )
    assert view(opened(), said()).name == "Nightly"


def test_a_run_of_another_job_is_no_conversation():
    assert view_chat("run-1", [Entry(epoch=1, at=0.0, events=(opened(Drill()),))]) is None
    assert view_chat("run-1", []) is None


def test_an_answer_that_is_tried_again_is_no_error():
    again = events.RetryPlanned(node=NODE, not_before=1.0, reason="lost")
    entry = Entry(epoch=1, at=1.0, events=(ended("error"), again))

    assert events_of(entry) == ()
    assert [it.type for it in events_of(Entry(epoch=1, at=1.0, events=(ended("error"),)))] == ["error"]


@pytest.mark.parametrize(
    ("kind", "tool", "told"),
    [
        ("thinking", "", "thinking"),
        ("tool_call", "show", "tool_call"),
        ("tool_result", "show", "tool_result"),
        ("skill_loaded", "show", "skill_loaded"),
        ("skill_unloaded", "show", "skill_unloaded"),
        ("tool_result", "", None),
        ("message", "", None),
        ("verdict", "", None),
        ("transition", "", None),
    ],
)
def test_log_lines_become_events_without_their_marks(kind: LogKind, tool: str, told: str | None):
    text = "  [Sub-agent]   → done"
    record = LogRecord(run="run-1", source="w", number=1, at=2.0, kind=kind, text=text, tool=tool, node=NODE)
    event = line_event(record)

    assert (event.type if event else None) == told
    assert event is None or (event.node, event.at) == (NODE, 2.0)
    assert event is None or kind in ("thinking", "tool_call") or event.text == "done"

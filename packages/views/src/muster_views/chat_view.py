"""A conversation as people see it: its events, from the log of its run alone. Pure."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from muster_client.steering import OpenQuestion, node_of, update_questions
from muster_protocol import events
from muster_protocol.control import Say
from muster_protocol.conversation_work import ConverseOutput
from muster_protocol.events import Entry, Event
from muster_protocol.logs import LogRecord
from muster_protocol.requests import Conversation
from muster_protocol.tasks import SubTaskResult
from muster_views.texts import to_one_line

ChatEventType = Literal[
    "thinking", "tool_call", "tool_result", "message", "skill_loaded", "skill_unloaded", "session_ended", "error"
]
ChatState = Literal["idle", "answering", "asking", "ended"]
LONGEST_TITLE = 80
MARK = "  [Sub-agent] "
"""Begins each log line of a worker."""


class ChatEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that happened in a conversation."""

    type: ChatEventType
    at: float = 0.0
    """Unix seconds."""
    node: str = ""
    """The sub-task that answers; empty for messages of a person."""
    by: Literal["", "person", "agent"] = ""
    text: str = ""
    id: str = ""
    """Of a message of a person: its id; of a question: that which its answer names."""
    asks: bool = False
    """The message is a question, which `POST /runs/{run}/answer` answers."""
    stopped: bool = False
    """The answer was broken off."""
    tool: str = ""
    status: str = ""
    """Of a tool's result: `ok`, `failed` or `error`."""


class ChatView(Struct, frozen=True, kw_only=True):
    """A conversation: what was said, and what it is doing."""

    conversation: str
    name: str
    agent: str
    by: str
    """Name of the key of whoever opened it, who alone may write."""
    state: ChatState
    answering: str = ""
    """The sub-task that answers now."""
    messages: tuple[ChatEvent, ...] = ()
    """Messages and errors, oldest first."""
    questions: tuple[OpenQuestion, ...] = ()


def events_of(entry: Entry) -> tuple[ChatEvent, ...]:
    """Return the events of a conversation in an entry of its run's log."""
    again = {event.node for event in entry.events if isinstance(event, events.RetryPlanned)}
    found = (_read_event(event, entry.at, again) for event in entry.events)
    return tuple(event for event in found if event is not None)


def line_event(record: LogRecord) -> ChatEvent | None:
    """Return the event in a worker's log line; None: it is none."""
    text = record.text.removeprefix(MARK).strip()
    match record.kind:
        case "thinking" | "tool_call":
            return ChatEvent(type=record.kind, at=record.at, node=record.node, text=text, tool=record.tool)
        case "tool_result" | "skill_loaded" | "skill_unloaded" if record.tool:
            return ChatEvent(
                type=record.kind,
                at=record.at,
                node=record.node,
                text=text.removeprefix("→ "),
                tool=record.tool,
                status=record.status,
            )
        case _:
            return None


def view_chat(run: str, entries: Sequence[Entry]) -> ChatView | None:
    """Return a conversation from its run's log; None: it is none, or has no log yet."""
    happened = [event for entry in entries for event in entry.events]
    opened = next((event.request for event in happened if isinstance(event, events.RunOpened)), None)
    if opened is None or not isinstance(opened.job, Conversation):
        return None
    questions = tuple[OpenQuestion, ...]()
    for event in happened:
        questions = update_questions(questions, event)
    answering = _answering(happened)
    messages = [event for entry in entries for event in events_of(entry) if event.type in ("message", "error")]
    first = next((event.text for event in messages if event.by == "person" and not event.node), "")
    over = any(isinstance(event, events.VerdictReached) for event in happened)
    state: ChatState = "ended" if over else "asking" if questions else "answering" if answering else "idle"
    return ChatView(
        conversation=run,
        name=title_of(opened.job, first),
        agent=opened.job.agent,
        by=opened.job.by,
        state=state,
        answering="" if over else answering,
        messages=tuple(messages),
        questions=questions,
    )


def title_of(job: Conversation, first: str) -> str:
    """Return what a conversation is called: its name, else its first message (empty: there is none yet)."""
    unnamed = job.name == Conversation().name
    return (to_one_line(first, LONGEST_TITLE) if unnamed else "") or job.name


def _answering(happened: Iterable[Event]) -> str:
    node = ""
    for event in happened:
        match event:
            case events.SubTaskDispatched(sub_task=task):
                node = task.node
            case events.SubTaskEnded(outcome=outcome) if outcome.node == node:
                node = ""
            case events.RetryPlanned(node=again):
                node = again
            case _:
                pass
    return node


def _read_event(event: Event, at: float, again: set[str]) -> ChatEvent | None:
    match event:
        case events.ControlApplied(control=Say(id=id, text=text)):
            return ChatEvent(type="message", at=at, by="person", text=text, id=id)
        case events.SubTaskDispatched(sub_task=task) if task.kind == "converse":
            return ChatEvent(type="thinking", at=at, node=task.node)
        case events.SubTaskEnded(outcome=outcome) if outcome.node not in again:
            return _read_answer(outcome, at)
        case events.Asked(question=id, text=text, task=task):
            return ChatEvent(type="message", at=at, node=node_of(task), by="agent", text=text, id=id, asks=True)
        case events.Answered(question=id, text=text):
            return ChatEvent(type="message", at=at, node=node_of(id), by="person", text=text, id=id)
        case events.VerdictReached(verdict=verdict):
            return ChatEvent(type="session_ended", at=at, text=verdict.summary)
        case _:
            return None


def _read_answer(outcome: SubTaskResult, at: float) -> ChatEvent:
    if isinstance(outcome.output, ConverseOutput):
        return ChatEvent(type="message", at=at, node=outcome.node, by="agent", text=outcome.output.text)
    if outcome.status == "cancelled":
        return ChatEvent(type="message", at=at, node=outcome.node, by="agent", stopped=True)
    return ChatEvent(type="error", at=at, node=outcome.node, text=outcome.summary)

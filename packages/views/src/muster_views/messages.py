"""Messages between the participants of a run: requests and what came back. Pure."""

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_client.steering import node_of
from muster_protocol import events
from muster_protocol.requests import Priority
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_views.history import TimedEvent
from muster_views.texts import format_seconds, to_one_line

ORCHESTRATOR, PERSON, REQUESTER, WORKER = "orchestrator", "person", "requester", "worker"
RUN = "run"
"""Id of the message that asks for the run."""
MessageType = Literal["request", "task", "result", "question", "answer", "children", "control", "verdict"]
LONGEST_TEXT = 200
"""Characters of a message in a list."""


class Message(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One message of a run."""

    id: str
    sender: str
    """`orchestrator`, `person`, `requester`, or the id of an agent; for a sub-task without an agent, its kind."""
    recipient: str
    type: MessageType
    kind: str = ""
    """Kind of the sub-task it is about."""
    node: str = ""
    attempt: int = 0
    text: str
    status: str = ""
    """Of a result or a verdict."""
    at: float
    """Unix seconds."""
    took: float = 0.0
    """Seconds since the message that it answers."""
    parent: str = ""
    """Id of the message that it answers."""
    priority: Priority = "normal"


def list_messages(happened: Iterable[TimedEvent]) -> tuple[Message, ...]:
    """Return the messages of a run's log, oldest first."""
    sent: dict[str, Message] = {}
    agents: dict[str, str] = {}
    for at, event in happened:
        if isinstance(event, events.SubTaskDispatched):
            agents[event.sub_task.node] = event.sub_task.agent or event.sub_task.kind
        if (message := _read_message(event, at, agents)) is not None:
            sent.setdefault(message.id, _with_asked(message, sent.get(message.parent)))
    return tuple(sent.values())


def describe_message(number: int, message: Message) -> str:
    """Return a message in one line: `2. planner → orchestrator  plan: 3 sub-tasks (pass, 0.8 s)`."""
    ended = [message.status, format_seconds(message.took) if message.parent else ""]
    after = f" ({', '.join(filter(None, ended))})" if any(ended) else ""
    about = " ".join(filter(None, (message.type, message.node)))
    text = to_one_line(message.text, LONGEST_TEXT)
    return f"{number}. {message.sender} → {message.recipient}  {about}: {text}{after}"


def draw_sequence(messages: Iterable[Message]) -> str:
    """Return messages as a sequence diagram in Mermaid's language."""
    lines = ["sequenceDiagram"]
    for it in messages:
        arrow = "-->>" if it.parent else "->>"
        text = to_one_line(it.text, 60).replace(";", ",").replace("#", "no. ")
        lines.append(f"    {_identifier(it.sender)}{arrow}{_identifier(it.recipient)}: {it.type} {text}")
    return "\n".join(lines)


def _read_message(event: events.Event, at: float, agents: Mapping[str, str]) -> Message | None:
    """Return the message that an event tells of; `agents` says who works on each node."""
    message, to_orchestrator = partial(Message, at=at), partial(Message, at=at, recipient=ORCHESTRATOR)

    def asker(id: str) -> str:
        return agents.get(node, WORKER) if (node := node_of(id)) else ORCHESTRATOR

    match event:
        case events.RunOpened(request=request):
            name, priority = request.job.name, request.priority
            return to_orchestrator(id=RUN, sender=REQUESTER, type="request", text=name, priority=priority)
        case events.SubTaskDispatched(sub_task=task):
            return _read_task(task, at)
        case events.SubTaskEnded(outcome=result):
            return _read_result(result, at, agents.get(result.node, WORKER))
        case events.Asked(question=id, text=text):
            return message(id=id, sender=asker(id), recipient=PERSON, type="question", node=node_of(id), text=text)
        case events.Answered(question=asked, text=text):
            answer = message(id=f"{asked}:answer", sender=PERSON, recipient=asker(asked), type="answer", text=text)
            return replace(answer, node=node_of(asked), parent=asked)
        case events.ChildrenAsked(task=task, children=children):
            id, text = f"{task}:children:{at}", "; ".join(child.description for child in children)
            return to_orchestrator(id=id, sender=asker(task), type="children", node=node_of(task), text=text)
        case events.ControlApplied(control=control):
            verb = str(control.__struct_config__.tag)
            return to_orchestrator(id=control.id, sender=PERSON, type="control", text=verb)
        case events.VerdictReached(verdict=verdict):
            end = message(
                id=f"{RUN}:verdict", sender=ORCHESTRATOR, recipient=REQUESTER, type="verdict", text=verdict.summary
            )
            return replace(end, status=verdict.status, parent=RUN)
        case _:
            return None


def _read_task(task: SubTask, at: float) -> Message:
    return Message(
        id=task.id,
        sender=ORCHESTRATOR,
        recipient=task.agent or task.kind,
        type="task",
        kind=task.kind,
        node=task.node,
        attempt=task.attempt,
        text=task.description or task.kind,
        at=at,
        priority=task.priority,
    )


def _read_result(result: SubTaskResult, at: float, sender: str) -> Message:
    return Message(
        id=f"{result.task}:result",
        sender=sender,
        recipient=ORCHESTRATOR,
        type="result",
        node=result.node,
        attempt=result.attempt,
        text=result.summary,
        status=result.status,
        at=at,
        parent=result.task,
    )


def _with_asked(message: Message, asked: Message | None) -> Message:
    """Return a message with what it has of the one that it answers."""
    if asked is None:
        return message
    return replace(message, kind=asked.kind, took=max(0.0, message.at - asked.at), priority=asked.priority)


def _identifier(party: str) -> str:
    """Return a party's name as Mermaid takes it."""
    return re.sub(r"\W", "_", party)

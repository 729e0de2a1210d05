"""Reads a conversation from the log of its run, and checks who may write to it."""

from typing import NamedTuple

from muster_bus.run_store import find_request
from muster_client.steering import read_controls
from muster_gateway import entries
from muster_gateway.context import Gateway
from muster_gateway.problem_details import Refusal
from muster_gateway.security.gate import Caller
from muster_protocol import events
from muster_protocol.control import Say
from muster_protocol.events import Entry
from muster_protocol.ids import is_token
from muster_protocol.requests import Assignment, Conversation, RunRequest
from muster_views.chat_view import ChatView, view_chat

MOST_WAITING = 8
"""Messages of a conversation that may wait for an answer."""


class ReadChat(NamedTuple):
    """A conversation, and how many of its messages wait for an answer."""

    view: ChatView
    waiting: int


async def find_conversation(gateway: Gateway, run: str) -> Conversation:
    """Return the job of a conversation; raise a Refusal if there is none."""
    gateway.require_bus()
    request = await find_request(gateway.bus, run) if is_token(run) else None
    if request is None or not isinstance(request.job, Conversation):
        raise Refusal(404, f"there is no conversation {run!r}; GET /conversations lists them")
    return request.job


async def find_acting(gateway: Gateway, run: str) -> RunRequest:
    """Return the run whose agent may call the API: a conversation, or what a trigger has an agent do.

    Raises:
        Refusal: 404, there is no such run.
    """
    gateway.require_bus()
    request = await find_request(gateway.bus, run) if is_token(run) else None
    job = request.job if request is not None else None
    if request is None or not (isinstance(job, Conversation) or (isinstance(job, Assignment) and job.role)):
        raise Refusal(404, f"there is no conversation and no agent of a trigger {run!r}")
    return request


async def read_chat(gateway: Gateway, run: str) -> ReadChat:
    """Return a conversation, also one that no orchestrator has taken yet; raise a Refusal if there is none."""
    job = await find_conversation(gateway, run)
    log = [as_entry(raw) for raw in await entries.read_raw_entries(gateway.bus, run)]
    view = view_chat(run, log)
    if view is None:
        view = ChatView(conversation=run, name=job.name, agent=job.agent, by=job.by, state="idle")
    happened = [event for entry in log for event in entry.events]
    applied = {event.control.id for event in happened if isinstance(event, events.ControlApplied)}
    stored = [one.control for one in await read_controls(gateway.bus, run)]
    new = sum(isinstance(control, Say) and control.id not in applied for control in stored)
    said = sum(message.by == "person" and not message.node for message in view.messages)
    answered = sum(bool(message.node) and message.by != "person" and not message.asks for message in view.messages)
    return ReadChat(view, new + max(0, said - answered))


def as_entry(raw: entries.RawEntry) -> Entry:
    """Return an entry with the events that this version knows. Pure."""
    return Entry(epoch=raw.epoch, at=raw.at, events=tuple(it.event for it in entries.known_events([raw])))


def require_writer(caller: Caller, run: str, by: str) -> None:
    """Raise a Refusal unless the caller is who opened the conversation: its agent acts with that one's rights."""
    if caller.name != by or caller.via == "chat":
        raise Refusal(403, f"only {by or 'who opened it over NATS'} may write to conversation {run!r}; open your own")


def require_listening(chat: ReadChat) -> None:
    """Raise a Refusal unless the conversation takes a message now."""
    run = chat.view.conversation
    if chat.view.state == "ended":
        raise Refusal(409, f"conversation {run!r} has ended; open another one")
    if chat.view.questions:
        asks = chat.view.questions[0].id
        raise Refusal(409, f"conversation {run!r} waits for an answer: POST /runs/{run}/answer with question {asks!r}")
    if chat.waiting >= MOST_WAITING:
        raise Refusal(409, f"{chat.waiting} messages of conversation {run!r} wait for an answer; wait for one, or stop")

"""Conversations: opens one, and builds what is sent to it. Pure."""

from muster_protocol.control import Say, Stop
from muster_protocol.ids import new_id
from muster_protocol.requests import Conversation, Limits, Role, RunRequest

ANSWERING_SECONDS = 86_400.0
"""How long all answers of a conversation may take together; waiting for messages does not count."""


def build_conversation(name: str, agent: str, *, by: str = "", role: Role, key: str = "") -> RunRequest:
    """Return the request for a conversation with the rights of a key; the same idempotency key opens it once."""
    named = {name: text for name, text in (("name", name), ("agent", agent)) if text}
    job = Conversation(**named, by=by, role=role)
    return RunRequest(job=job, limits=Limits(timeout_seconds=ANSWERING_SECONDS), idempotency_key=key)


def build_message(text: str, *, by: str, page: str = "", leads: bool = False, key: str = "") -> Say:
    """Return a message; the same key says it once. `leads`: the agent may lead its writer to another page."""
    return Say(id=f"say-{key}" if key else new_id("say"), text=text, page=page, leads=leads, by=by)


def build_stop(node: str, by: str) -> Stop:
    """Return the control that breaks off the answer of a node."""
    return Stop(id=f"stop-{node}", node=node, by=by)

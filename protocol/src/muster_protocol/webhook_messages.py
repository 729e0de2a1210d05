"""Webhooks, which send verdicts over HTTP: the queued task, and the body of the request."""

from typing import Literal

from msgspec import Struct

from muster_protocol.ids import is_token
from muster_protocol.subjects import Names
from muster_protocol.verdicts import Verdict, VerdictSummary


class WebhookTask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A verdict to send: to all receivers of a run, or to one of them."""

    run: str
    target: str = ""
    """Key of the receiver, whose address is only in the gateways' settings or the run's request; empty: all."""


class WebhookBody(VerdictSummary, frozen=True, kw_only=True, omit_defaults=True):
    """The JSON body of a webhook. The gateway's `/runs/{run}` has the whole verdict, with results and evidence."""

    event: Literal["verdict"]
    id: str
    """Equal in all attempts to send this verdict to this receiver."""
    cause: str = ""
    tokens: int = 0
    cost: float = 0.0


def build_body(verdict: Verdict, id: str) -> WebhookBody:
    """Return the body for a verdict. Pure."""
    shared = {name: getattr(verdict, name) for name in VerdictSummary.__struct_fields__}
    usage = verdict.usage
    cause = str(verdict.cause or "")
    return WebhookBody(event="verdict", id=id, cause=cause, tokens=usage.tokens, cost=usage.cost, **shared)


def parse_webhook_subject(subject: str, names: Names) -> WebhookTask | None:
    """Return the task that a queued message's subject names; None if it names none. Pure."""
    tokens = subject.removeprefix(names.webhook("")).split(".")
    if not subject.startswith(names.webhook("")) or not all(map(is_token, tokens)) or len(tokens) > 2:
        return None
    return WebhookTask(run=tokens[0], target=tokens[1] if len(tokens) == 2 else "")

"""Webhooks: verdicts sent over HTTP. The queued task, and the body that receivers get."""

from typing import Literal

from msgspec import Struct

from muster_protocol.ids import is_token
from muster_protocol.subjects import Names
from muster_protocol.verdicts import Verdict, VerdictSummary


class WebhookTask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A verdict to send: for the run as a whole or, once its receivers are known, to one of them."""

    run: str
    target: str = ""
    """Key of the receiver; its address is in the gateways' settings or the run's request, and nowhere else."""


class WebhookBody(VerdictSummary, frozen=True, kw_only=True, omit_defaults=True):
    """What a receiver gets as JSON. The whole verdict, with results and evidence, is at the gateway's `/runs/{run}`."""

    event: Literal["verdict"]
    id: str
    """The same in each attempt to send this to this receiver."""
    cause: str = ""
    tokens: int = 0
    cost: float = 0.0


def build_body(verdict: Verdict, id: str) -> WebhookBody:
    """Return the body that a receiver gets for a verdict. Pure."""
    shared = {name: getattr(verdict, name) for name in VerdictSummary.__struct_fields__}
    usage = verdict.usage
    tokens = usage.input_tokens + usage.output_tokens
    return WebhookBody(event="verdict", id=id, cause=str(verdict.cause or ""), tokens=tokens, cost=usage.cost, **shared)


def parse_webhook_subject(subject: str, names: Names) -> WebhookTask | None:
    """Return what a queued message's subject stands for; None if it is none of these. Pure."""
    tokens = subject.removeprefix(names.webhook("")).split(".")
    if not subject.startswith(names.webhook("")) or not all(map(is_token, tokens)) or len(tokens) > 2:
        return None
    return WebhookTask(run=tokens[0], target=tokens[1] if len(tokens) == 2 else "")

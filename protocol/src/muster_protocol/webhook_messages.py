"""Webhooks: verdicts told over HTTP. What is queued for it, and what receivers get."""

from typing import Literal

from msgspec import Struct

from muster_protocol.ids import is_token
from muster_protocol.subjects import Names
from muster_protocol.verdicts import Verdict


class WebhookTask(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A verdict to be told: of the run as a whole or, once it is known to whom, to one receiver."""

    run: str
    target: str = ""
    """Key of the receiver; its address is in the gateways' settings or the run's request, and nowhere else."""


class WebhookBody(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a receiver gets as JSON. The whole verdict, with results and evidence, is at the gateway's `/runs/{run}`."""

    event: Literal["verdict"]
    id: str
    """The same each time this is told to this receiver."""
    run: str
    name: str
    status: Literal["pass", "fail"]
    cause: str = ""
    summary: str = ""
    suite: str = ""
    labels: dict[str, str] = {}
    correlation_id: str = ""
    """As the request had it."""
    tags: tuple[str, ...] = ()
    failed_node: str = ""
    expected: str = ""
    seen: str = ""
    where: str = ""
    unverified: int = 0
    tokens: int = 0
    cost: float = 0.0
    duration: float = 0.0
    """Seconds."""
    ended_at: float = 0.0


def body_of(verdict: Verdict, id: str) -> WebhookBody:
    """Return what a receiver is told of a verdict. Pure."""
    usage = verdict.usage
    return WebhookBody(
        event="verdict",
        id=id,
        run=verdict.run,
        name=verdict.name,
        status=verdict.status,
        cause=str(verdict.cause or ""),
        summary=verdict.summary,
        suite=verdict.suite,
        labels=verdict.labels,
        correlation_id=verdict.correlation_id,
        tags=verdict.tags,
        failed_node=verdict.failed_node,
        expected=verdict.expected,
        seen=verdict.seen,
        where=verdict.where,
        unverified=verdict.unverified,
        tokens=usage.input_tokens + usage.output_tokens,
        cost=usage.cost,
        duration=verdict.duration,
        ended_at=verdict.ended_at,
    )


def task_in(subject: str, names: Names) -> WebhookTask | None:
    """Return what a queued message's subject stands for; None if it is none of these. Pure."""
    tokens = subject.removeprefix(names.webhook("")).split(".")
    if not subject.startswith(names.webhook("")) or not all(map(is_token, tokens)) or len(tokens) > 2:
        return None
    return WebhookTask(run=tokens[0], target=tokens[1] if len(tokens) == 2 else "")

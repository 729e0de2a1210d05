"""Replies to run requests, and the header of each message to the sender of a request."""

from typing import Literal

from msgspec import Struct


class Accepted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="accepted"):
    """The request is stored; its run will have exactly one verdict."""

    run: str
    duplicate: bool = False
    """Whether the run existed before (same id or idempotency key)."""


RejectedKind = Literal["invalid", "conflict", "busy"]
"""`invalid`: it cannot be run; `conflict`: its id belongs to another request; `busy`: try again later."""


class Rejected(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="rejected"):
    """The request was not stored."""

    reasons: tuple[str, ...]
    kind: RejectedKind = "invalid"


SubmitReply = Accepted | Rejected


CORRELATION = "Correlation-Id"
"""Header of messages to a `reply_to`: the request's correlation id."""


def correlation_headers(id: str) -> dict[str, str]:
    """Return the header with a correlation id; none if the id is empty."""
    return {CORRELATION: id} if id else {}

"""Requests to settle dead letters, for clients without permission to write to the queues."""

from typing import Literal

from msgspec import Struct


class SettleDead(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Put a dead letter back where it came from, or forget it; sent to `muster.dead-letters`."""

    sequence: int
    action: Literal["replay", "drop"]


class DeadSettled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="settled"):
    """It is a dead letter no longer."""

    subject: str


NotSettledKind = Literal["invalid", "state", "busy"]
"""`invalid`: it cannot be worked on, or is not there; `state`: it is too late for it; `busy`: later it may be taken."""


class DeadNotSettled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="not_settled"):
    """It is still a dead letter, if there is one of that number."""

    reasons: tuple[str, ...]
    kind: NotSettledKind


SettleReply = DeadSettled | DeadNotSettled

"""Requests to replay or drop dead letters, for clients without permission to write to the queues."""

from typing import Literal

from msgspec import Struct


class SettleDead(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Put a dead letter back into its queue, or delete it; sent to `muster.dead-letters`."""

    sequence: int
    action: Literal["replay", "drop"]


class DeadSettled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="settled"):
    """The dead letter was replayed or dropped."""

    subject: str


NotSettledKind = Literal["invalid", "state", "busy"]
"""`invalid`: it does not exist or cannot be replayed; `state`: its run does not need it; `busy`: try again later."""


class DeadNotSettled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="not_settled"):
    """The dead letter, if it exists, was left as it is."""

    reasons: tuple[str, ...]
    kind: NotSettledKind


SettleReply = DeadSettled | DeadNotSettled

"""Leases of phones: who has reserved a phone, and until when."""

from typing import Annotated

from msgspec import Meta, Struct

LONGEST_MINUTES = 480


class PhoneLease(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A phone that is kept for the runs of one conversation or person; a row of the bucket `LEASES`."""

    phone: str
    """By the name that session hosts give it."""
    holder: str
    """The run of a conversation, or `key NAME`."""
    until: float
    """Unix seconds at which it ends by itself."""


class LeaseWish(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """How long a phone is to be kept."""

    minutes: Annotated[int, Meta(ge=1, le=LONGEST_MINUTES)] = 30

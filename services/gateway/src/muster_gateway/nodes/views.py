"""What the API answers with about journals as they are stored."""

from typing import Any

from msgspec import Struct


class JournalMessage(Struct, frozen=True, kw_only=True):
    """One stored message of a journal."""

    sequence: int
    task: str
    node: str
    attempt: int
    at: float
    """Unix seconds at which it was stored."""
    entries: tuple[dict[str, Any], ...]
    """As they were stored; `type` says what an entry is: `taken`, `call_started`, `call_finished`, `model_replied`,
    `released`, `suspended`, `revoked`, `finished`."""


class JournalPage(Struct, frozen=True, kw_only=True):
    """Messages of a run's journals, oldest first."""

    messages: tuple[JournalMessage, ...]
    cursor: int
    """Sequence to ask after for what follows."""
    more: bool
    """Whether something follows already."""

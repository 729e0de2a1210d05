"""Checkpoints: what it takes to open a lost session anew, and how to tell whether that worked. Pure."""

from typing import NamedTuple

from msgspec import Struct

from muster_bus.artifact_store import PRIVATE_PART
from muster_protocol.sessions import Restored

UNSAVED = "no checkpoint could be made when it was last left: a dialog was open, or a page was busy"
"""What is missing of a session whose newest checkpoint could not be made."""


class SavedSession(Struct, frozen=True, kw_only=True):
    """A session's checkpoint, as stored."""

    device: bytes = b""
    """The state of its device, which only its adapter can read; empty: it had not been started."""
    generation: int = 0
    """How often the session had been opened anew."""
    after: int = 0
    """Dispatch number of the sub-task that had left the session just before."""
    chosen: str = ""
    """Which of its device's windows was the chosen one, as `PAGE_KEY` has it."""
    missing: str = ""
    """What the session held that is not in here, or why; empty: nothing."""


class Reopened(NamedTuple):
    """What became of a session's checkpoint; the default is for a session that was opened for the first time."""

    restored: Restored = "no"
    after: int = 0
    missing: str = ""
    """Where it is `different`: why."""


def reopened(saved: SavedSession | None, *, same: bool) -> Reopened:
    """Return what to say of a session that was opened for a lost one; `same`: its device stands as it did."""
    if saved is None:
        return Reopened("different", missing="there is no checkpoint of it")
    if saved.missing:
        return Reopened("different", saved.after, saved.missing)
    if not same:
        return Reopened("different", saved.after, "its pages, opened anew, do not read as they did")
    return Reopened("same", saved.after)


def artifact_name(run: str, name: str) -> str:
    """Return where a session's checkpoint is stored."""
    return f"{run}/{PRIVATE_PART}/{name}.json"

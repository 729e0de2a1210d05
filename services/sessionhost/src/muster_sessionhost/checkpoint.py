"""Checkpoints: the state from which a lost session is reopened, and how complete the reopened one is. Pure."""

from typing import NamedTuple

from msgspec import Struct

from muster_bus.artifact_store import PRIVATE_PART
from muster_protocol.sessions import Restored

UNSAVED = "no checkpoint could be made at the end of its last sub-task: a dialog was open, or a page was busy"
"""What is missing from a session whose newest checkpoint could not be made."""


class SavedSession(Struct, frozen=True, kw_only=True):
    """A session's checkpoint, as stored."""

    device: bytes = b""
    """The state of its device, readable only by the device's own code; empty: it had not been started."""
    generation: int = 0
    """How often the session had been reopened."""
    after: int = 0
    """Dispatch number of the sub-task that ended just before."""
    chosen: str = ""
    """The chosen window of the device, as kept under `PAGE_KEY`."""
    workspace: str = ""
    """Id of what its workspace held when it was opened; empty: it has none."""
    missing: str = ""
    """Why the checkpoint does not hold all of the session's state; empty: it does."""


class Reopened(NamedTuple):
    """How much of a lost session was restored; the default is for a session that was opened for the first time."""

    restored: Restored = "no"
    after: int = 0
    missing: str = ""
    """Why the session is `different`; empty otherwise."""


def describe_reopening(saved: SavedSession | None, *, same: bool, workspace: str = "") -> Reopened:
    """Return how much of a lost session was restored; `same`: its device is in the state of the checkpoint.

    `workspace`: id of what its workspace holds now.
    """
    if saved is None:
        return Reopened("different", missing="there is no checkpoint of it")
    if saved.missing:
        return Reopened("different", saved.after, saved.missing)
    if not same:
        return Reopened("different", saved.after, "its reopened pages do not read as they did")
    if saved.workspace != workspace:
        return Reopened("different", saved.after, "what its workspace is a copy of has changed since")
    return Reopened("same", saved.after)


def artifact_name(run: str, name: str) -> str:
    """Return the name under which a session's checkpoint is stored."""
    return f"{run}/{PRIVATE_PART}/{name}.json"

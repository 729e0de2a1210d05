"""What the API answers with, beside the views of runs."""

from typing import Any

from msgspec import Struct

from muster_protocol.events import Event
from muster_protocol.logs import RunRow
from muster_protocol.tool_calls import Box


class SubmittedRun(Struct, frozen=True, kw_only=True):
    """A run that was accepted."""

    run: str
    duplicate: bool = False
    """It was there before: same id, or same idempotency key."""


class Submitted(Struct, frozen=True, kw_only=True):
    """What came of a submission: its first run, and all of them."""

    run: str
    duplicate: bool
    runs: tuple[SubmittedRun, ...]
    """More than one if a YAML text held several cases."""


class RunList(Struct, frozen=True, kw_only=True):
    """One page of runs, newest first."""

    runs: tuple[RunRow, ...]
    cursor: str = ""
    """Asks for the next page; empty on the last one."""


class StoredEntry(Struct, frozen=True, kw_only=True):
    """One stored message of a run's log."""

    sequence: int
    epoch: int
    at: float
    events: tuple[Event, ...]
    """A newer Muster may store events that this list does not name; they are passed on as they are."""


class EventList(Struct, frozen=True, kw_only=True):
    """A run's log, oldest entry first."""

    entries: tuple[StoredEntry, ...]
    cursor: int
    """Sequence to ask after for what follows."""


class CancelAsked(Struct, frozen=True, kw_only=True):
    """The run was asked to end; its verdict tells whether it did so in time."""

    run: str


class CancelBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why a run is cancelled."""

    reason: str = ""


class Steered(Struct, frozen=True, kw_only=True):
    """What was asked of the run is stored; its log tells when it was taken note of."""

    run: str
    changed: bool
    """False if it had been asked before, or the run stands so already."""


class AnswerBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer to a question of a run."""

    text: str
    question: str = ""
    """Id of the question; empty: the only one that is open."""


class RerunView(Struct, frozen=True, kw_only=True):
    """A run that repeats another."""

    run: str
    rerun_of: str
    duplicate: bool = False
    """It was there before: same `Idempotency-Key`."""


class RerunList(Struct, frozen=True, kw_only=True):
    """The runs that repeat what failed."""

    runs: tuple[RerunView, ...]


class ArtifactView(Struct, frozen=True, kw_only=True):
    """A stored file of a run."""

    name: str
    """What comes after `/artifacts/` in its address."""
    size: int
    """Bytes."""
    content_type: str
    sha256: str
    stored_at: str
    """ISO 8601."""
    element: Box | None = None
    """Of a picture of the page: where on it the element is that was touched last, in its pixels."""


class ArtifactList(Struct, frozen=True, kw_only=True):
    """The stored files of a run, by name."""

    artifacts: tuple[ArtifactView, ...]


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


class EndFrame(Struct, frozen=True, kw_only=True):
    """The last frame: the run has its verdict, and all lines were sent."""

    end: bool
    status: str
    cause: str

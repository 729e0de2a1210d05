"""Request and response types of the API, except the views of runs."""

from typing import Any

from msgspec import Struct

from muster_protocol.events import Event
from muster_protocol.logs import RunRow
from muster_protocol.tool_calls import Box
from muster_views.messages import Message


class SubmittedRun(Struct, frozen=True, kw_only=True):
    """A run that was accepted."""

    run: str
    duplicate: bool = False
    """It existed before: same id or idempotency key."""


class Submitted(Struct, frozen=True, kw_only=True):
    """The result of a submission: its first run, and all runs."""

    run: str
    duplicate: bool
    runs: tuple[SubmittedRun, ...]
    """More than one if the text had several cases."""
    batch: str = ""
    """Id of these runs together, at `/batches/{batch}`; empty: it is one run."""


class RunList(Struct, frozen=True, kw_only=True):
    """One page of runs, newest first."""

    runs: tuple[RunRow, ...]
    cursor: str = ""
    """For the next page; empty on the last one."""


class StoredEntry(Struct, frozen=True, kw_only=True):
    """One stored message of a run's log."""

    sequence: int
    epoch: int
    at: float
    events: tuple[Event, ...]
    """Can include events of a newer Muster that are not in this schema, unchanged."""


class EventList(Struct, frozen=True, kw_only=True):
    """A run's log, oldest entry first."""

    entries: tuple[StoredEntry, ...]
    cursor: int
    """Value of `after` for the next request."""


class CancelAsked(Struct, frozen=True, kw_only=True):
    """The cancellation was requested; the verdict shows whether it was in time."""

    run: str


class CancelBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of a cancellation."""

    reason: str = ""


class Steered(Struct, frozen=True, kw_only=True):
    """The request is stored; the run's log shows when it takes effect."""

    run: str
    changed: bool
    """False if it was requested before or the run is already in that state."""


class AnswerBody(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answer to a question of a run."""

    text: str
    question: str = ""
    """Id of the question; empty: the only open one."""


class RerunView(Struct, frozen=True, kw_only=True):
    """A run that repeats another."""

    run: str
    rerun_of: str
    duplicate: bool = False
    """It existed before: same `Idempotency-Key`."""


class RerunList(Struct, frozen=True, kw_only=True):
    """The reruns of failed runs."""

    runs: tuple[RerunView, ...]


class ArtifactView(Struct, frozen=True, kw_only=True):
    """A stored file of a run."""

    name: str
    """The part of its address after `/artifacts/`."""
    size: int
    """Bytes."""
    content_type: str
    sha256: str
    stored_at: str
    """ISO 8601."""
    element: Box | None = None
    """On a picture of a page: position of the last touched element, in pixels."""


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
    """Time stored, in unix seconds."""
    entries: tuple[dict[str, Any], ...]
    """The stored entries; `type` is one of `taken`, `call_started`, `call_finished`, `model_replied`,
    `released`, `suspended`, `revoked`, `finished`."""


class JournalPage(Struct, frozen=True, kw_only=True):
    """Messages of a run's journals, oldest first."""

    messages: tuple[JournalMessage, ...]
    cursor: int
    """Value of `after` for the next request."""
    more: bool
    """Whether there are more messages now."""


class MessageList(Struct, frozen=True, kw_only=True):
    """The messages of a run, oldest first."""

    messages: tuple[Message, ...]


class EndFrame(Struct, frozen=True, kw_only=True):
    """The last frame: the run has its verdict, and all lines were sent."""

    end: bool
    status: str
    cause: str

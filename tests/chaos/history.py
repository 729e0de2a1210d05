"""What a campaign leaves behind: what is stored, what clients saw, and what was done to the fleet."""

from typing import Literal, NamedTuple

from msgspec import Struct

from chaos.jobs import Kind
from muster_orchestrator.machine import Run
from muster_protocol.events import Entry
from muster_protocol.journal import JournalEntry
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.verdicts import Verdict


class Incarnation(NamedTuple):
    """One process that filled a place of the fleet."""

    slot: str
    service: str
    pid: int
    id: str
    """What it calls itself in logs and journals; empty if it died before it said so."""
    began: float
    ended: float
    """Unix seconds; 0: it was there to the end."""


class Strike(NamedTuple):
    """A fault that was done; times are Unix seconds."""

    kind: str
    slot: str
    """`nats` for faults that hit everybody."""
    pid: int
    began: float
    ended: float
    overdue: bool = False
    """Whether a process that was told to stop did not in time, and was killed."""


class Wish(NamedTuple):
    """A run that a client asked for."""

    run: str
    kind: Kind
    accepted: float
    """Unix seconds of the acknowledgement; 0: there was none, so it may exist or not."""
    cancelled: bool = False
    """Whether asking it to stop was acknowledged."""


class LogMessage(NamedTuple):
    """One stored message of a run's log."""

    seq: int
    at: float
    """Unix seconds, by the server's clock."""
    entry: Entry


class JournalMessage(NamedTuple):
    """One stored message of a sub-task's journal."""

    seq: int
    at: float
    entries: tuple[JournalEntry, ...]


class Told(NamedTuple):
    """A verdict as a client got it."""

    how: Literal["published", "asked"]
    verdict: Verdict


class Shown(NamedTuple):
    """A stored message as it was republished."""

    stream: str
    seq: int
    digest: str


class Follow(NamedTuple):
    """What a client of the gateway's WebSocket got of one run's lines."""

    run: str
    cursors: tuple[int, ...]
    status: str = ""
    """`pass` or `fail` of the end frame; empty: the end was not told."""
    cause: str = ""


class Order(NamedTuple):
    """An order that the shop holds."""

    number: str
    customer: str
    submitted: int


class Snapshot(NamedTuple):
    """A stored state of a run, and the sequence of the message up to which it goes."""

    seq: int
    run: Run


class Remains(Struct, frozen=True, kw_only=True):
    """What is left once everything is over."""

    queued: dict[str, int] = {}
    """Messages left in each work queue."""
    sessions: tuple[str, ...] = ()
    browsers: tuple[str, ...] = ()
    """Browsers and commands that run although there is no session any more."""
    strays: tuple[str, ...] = ()
    """Processes whose service is dead."""
    after_stop: tuple[str, ...] = ()
    """Processes that run when all services have ended."""
    presence: tuple[WorkerRow, ...] = ()
    dead: int = 0
    """Messages put aside as dead."""


class History(Struct, frozen=True, kw_only=True):
    """Everything that the checker looks at."""

    wishes: tuple[Wish, ...] = ()
    logs: dict[str, tuple[LogMessage, ...]] = {}
    """By run."""
    journals: dict[str, tuple[JournalMessage, ...]] = {}
    """By sub-task id, `<run>.<node>.<attempt>`."""
    digests: dict[str, dict[int, str]] = {}
    """Of each message of a stream that keeps everything, by stream and sequence."""
    first: dict[str, int] = {}
    """First sequence each such stream holds."""
    lines: dict[str, tuple[int, ...]] = {}
    """Sequences of a run's log lines."""
    told: tuple[Told, ...] = ()
    shown: tuple[Shown, ...] = ()
    follows: tuple[Follow, ...] = ()
    orders: tuple[Order, ...] = ()
    snapshots: dict[str, Snapshot] = {}
    rows: dict[str, RunRow] = {}
    strikes: tuple[Strike, ...] = ()
    incarnations: tuple[Incarnation, ...] = ()
    crashes: tuple[str, ...] = ()
    """Services that ended without having been struck."""
    oddities: tuple[str, ...] = ()
    """Answers that no client should get, whatever happens to the fleet."""
    unfinished: tuple[str, ...] = ()
    """Runs that were not closed in the time allowed; what else is found of them was read too early."""
    remains: Remains = Remains()
    ended: float = 0.0
    """Unix seconds at which the last look was taken."""


class Violation(NamedTuple):
    """Something that must not be."""

    rule: str
    run: str
    """Empty for what concerns no run in particular."""
    text: str

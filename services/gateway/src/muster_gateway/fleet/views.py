"""Response types about the fleet: suites, workers, queues, sessions, dead letters, and validated cases."""

from msgspec import Struct

from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.sessions import Restored
from muster_views.device_inventory import DeviceView


class SuiteView(Struct, frozen=True, kw_only=True):
    """One suite; `passed`, `failed` and `running` count the newest run of each case."""

    name: str
    runs: int
    """All runs in the list."""
    cases: int
    passed: int
    failed: int
    running: int
    """Includes queued, paused and waiting runs."""
    newest: RunRow


class SuiteList(Struct, frozen=True, kw_only=True):
    """The suites, most recent run first."""

    suites: tuple[SuiteView, ...]


class WorkerView(WorkerRow, frozen=True, kw_only=True, omit_defaults=False):
    """A process of the fleet."""

    stale: bool = False
    """It stopped sending heartbeats; it was probably killed."""


class WorkerList(Struct, frozen=True, kw_only=True):
    """The processes of the fleet, by service and host."""

    workers: tuple[WorkerView, ...]


class DeviceList(Struct, frozen=True, kw_only=True):
    """The devices of the fleet, by kind and name."""

    devices: tuple[DeviceView, ...]


class QueueView(Struct, frozen=True, kw_only=True):
    """One queue group: waiting messages and messages in progress."""

    name: str
    """`runs`, or pool and priority of sub-tasks."""
    stream: str
    pending: int = 0
    """Messages not delivered yet."""
    ack_pending: int = 0
    """Messages in progress."""
    redelivered: int = 0
    """Messages in progress that were delivered before."""
    oldest_seconds: float = 0.0
    """Age of the oldest waiting message; 0 if none waits."""
    waiting: int = 0
    """Pull requests waiting for messages; 0 while messages are pending means that no slot is free."""
    problem: str = ""
    """Why the level is unknown."""


class StreamView(Struct, frozen=True, kw_only=True):
    """How full a stream is."""

    name: str
    messages: int = 0
    bytes: int = 0
    max_bytes: int = 0
    """0: no limit."""
    max_messages: int = 0
    problem: str = ""


class QueueList(Struct, frozen=True, kw_only=True):
    """The queues and streams of the fleet."""

    queues: tuple[QueueView, ...]
    streams: tuple[StreamView, ...]


class SessionView(Struct, frozen=True, kw_only=True):
    """A session on a host: browser, shell and files of a run."""

    run: str
    name: str
    kind: str
    host: str
    capabilities: tuple[str, ...]
    opened_at: float
    seen_at: float
    restored: Restored
    """Whether it was reopened from a checkpoint, and whether its pages are unchanged."""
    stale: bool
    """Its host stopped sending heartbeats."""


class SessionList(Struct, frozen=True, kw_only=True):
    """The sessions, newest first."""

    sessions: tuple[SessionView, ...]


class DeadView(Struct, frozen=True, kw_only=True):
    """A message that no service could process."""

    id: int
    """Its number, for `muster dead` and the API."""
    stream: str
    subject: str
    reason: str
    history: tuple[str, ...]
    """Events of the message, oldest first."""
    run: str
    has_run: bool
    """Whether the run exists; a request that was never accepted has none."""
    task: str
    delivery: int
    at: float
    size: int
    cut: bool
    """Whether a part is lost, so that it cannot be replayed."""
    can_replay: bool


class DeadDetail(DeadView, frozen=True, kw_only=True):
    """A dead letter with the message itself."""

    data: str
    """The message as text, at most 256 KiB; bytes that are not UTF-8 as `\\\\x…`."""


class DeadList(Struct, frozen=True, kw_only=True):
    """Dead letters, newest first."""

    letters: tuple[DeadView, ...]
    cursor: str = ""
    """For the next page; empty on the last one."""


class Replayed(Struct, frozen=True, kw_only=True):
    """A dead letter was replayed."""

    id: int
    subject: str


class ProblemView(Struct, frozen=True, kw_only=True):
    """One problem in a case."""

    message: str
    line: int
    """From 1; 0: the whole text."""
    column: int


class Validation(Struct, frozen=True, kw_only=True):
    """Whether the cases in a text are valid."""

    valid: bool
    problems: tuple[ProblemView, ...]
    cases: tuple[TestCase, ...]
    """The parsed cases; empty if there are problems."""
    requests: tuple[RunRequest, ...] = ()
    """The cases as requests, with suite, labels, priority and limits."""
    unread: tuple[str, ...] = ()
    """Sentences that match no phrase and need a model, each with its place and the reason."""

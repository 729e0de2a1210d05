"""What the API answers with about the fleet: suites, workers, queues, sessions, dead letters, and read cases."""

from msgspec import Struct

from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.sessions import Restored


class SuiteView(Struct, frozen=True, kw_only=True):
    """One suite; `passed`, `failed` and `running` count the newest run of each case."""

    name: str
    runs: int
    """All there are in the list."""
    cases: int
    passed: int
    failed: int
    running: int
    """Queued, paused and waiting ones included."""
    newest: RunRow


class SuiteList(Struct, frozen=True, kw_only=True):
    """The suites, the one that ran last first."""

    suites: tuple[SuiteView, ...]


class WorkerView(WorkerRow, frozen=True, kw_only=True, omit_defaults=False):
    """A process of the fleet."""

    stale: bool = False
    """It has not said for too long that it is there; most likely it was killed."""


class WorkerList(Struct, frozen=True, kw_only=True):
    """The processes of the fleet, by service and host."""

    workers: tuple[WorkerView, ...]


class QueueView(Struct, frozen=True, kw_only=True):
    """One queue group: what is waiting for it, and what it has in work."""

    name: str
    """`runs`, or pool and priority of sub-tasks."""
    stream: str
    pending: int = 0
    """Messages nobody has been handed yet."""
    ack_pending: int = 0
    """Messages in work."""
    redelivered: int = 0
    """Of those in work, how many were handed out before."""
    oldest_seconds: float = 0.0
    """Age of the oldest message that nobody has taken yet; 0 if there is none."""
    waiting: int = 0
    """Requests for work that wait for some: 0 where something is pending means that nobody has a free slot."""
    problem: str = ""
    """Why nothing is known of it."""


class StreamView(Struct, frozen=True, kw_only=True):
    """How full a stream is."""

    name: str
    messages: int = 0
    bytes: int = 0
    max_bytes: int = 0
    """0: no limit of its own."""
    max_messages: int = 0
    problem: str = ""


class QueueList(Struct, frozen=True, kw_only=True):
    """The queues of the fleet, and the streams that hold everything."""

    queues: tuple[QueueView, ...]
    streams: tuple[StreamView, ...]


class SessionView(Struct, frozen=True, kw_only=True):
    """A session that a host keeps: browser, shell and files of a run."""

    run: str
    name: str
    kind: str
    host: str
    capabilities: tuple[str, ...]
    opened_at: float
    seen_at: float
    restored: Restored
    """Whether it was opened anew from a checkpoint, and its pages read as before."""
    stale: bool
    """Its host has not said for too long that it is there."""


class SessionList(Struct, frozen=True, kw_only=True):
    """The sessions, the newest first."""

    sessions: tuple[SessionView, ...]


class DeadView(Struct, frozen=True, kw_only=True):
    """A message that no service could work on, and why."""

    id: int
    """Its number, by which people call it."""
    stream: str
    subject: str
    reason: str
    history: tuple[str, ...]
    """What had happened to it, oldest first."""
    run: str
    has_run: bool
    """Whether there is a run of that id to look at: what was never accepted has none."""
    task: str
    delivery: int
    at: float
    size: int
    cut: bool
    """Whether a part of it is lost, so that it can never be put back."""
    can_replay: bool


class DeadDetail(DeadView, frozen=True, kw_only=True):
    """A dead letter with the message itself."""

    data: str
    """The message as text, bytes that are none as `\\\\x…`; at most 256 KiB of it."""


class DeadList(Struct, frozen=True, kw_only=True):
    """Dead letters, the newest first."""

    letters: tuple[DeadView, ...]
    cursor: str = ""
    """Asks for the next page; empty on the last one."""


class Replayed(Struct, frozen=True, kw_only=True):
    """A dead letter was put back where it came from."""

    id: int
    subject: str


class ProblemView(Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a case as it is written."""

    message: str
    line: int
    """From 1; 0: the text as a whole."""
    column: int


class Validation(Struct, frozen=True, kw_only=True):
    """Whether a text holds cases that can be run."""

    valid: bool
    problems: tuple[ProblemView, ...]
    cases: tuple[TestCase, ...]
    """As they were read; empty unless all is well."""
    requests: tuple[RunRequest, ...] = ()
    """The same with suite, labels, priority and limits."""
    unread: tuple[str, ...] = ()
    """Sentences that no phrase reads, each with its place and the reason: running them takes a model."""

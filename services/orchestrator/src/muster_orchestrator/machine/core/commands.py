"""Commands of a run. Each effect has a deterministic id, so that one carried out before is found and not repeated."""

from msgspec import Struct

from muster_orchestrator.machine.core.state import describe_host
from muster_protocol.events import Event
from muster_protocol.graphs import GraphRow
from muster_protocol.notes import Note
from muster_protocol.requests import Priority
from muster_protocol.session_requests import OpenSession
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask
from muster_protocol.verdicts import Verdict


class JobFile(Struct, frozen=True):
    """A file that a job leaves; its name is `<run>/<part>/<file>`."""

    name: str
    data: bytes
    content_type: str


class Record(Struct, frozen=True):
    """Append these events, which follow from the run's state."""

    events: tuple[Event, ...]


class AcquireSession(Struct, frozen=True):
    """Open a session; ends in `SessionOpened` or `SessionFailed`, perhaps after `SessionQueued`."""

    id: str
    request: OpenSession
    missing: tuple[OpenSession, ...]
    """All sessions that the run lacks; it waits in line for all of them together."""
    priority: Priority = "normal"

    @property
    def needs(self) -> str:
        """The service that it needs."""
        return describe_host(self.request.kind, workspace=self.request.workspace, phone=self.request.phone)


class Enqueue(Struct, frozen=True):
    """Queue the sub-task; ends in `SubTaskEnded`."""

    sub_task: SubTask

    @property
    def id(self) -> str:
        """The sub-task's id and how often it went on after waiting: each answer and resumption queues it again."""
        waits = len(self.sub_task.answers) + self.sub_task.resumed
        return f"{self.sub_task.id}+{waits}" if waits else self.sub_task.id


class Withdraw(Struct, frozen=True):
    """End the journal of a sub-task that somebody stopped, unless it has ended; ends in `SubTaskEnded`."""

    sub_task: SubTask

    @property
    def id(self) -> str:
        """One for each attempt."""
        return f"withdraw:{self.sub_task.id}"


class SetTimer(Struct, frozen=True):
    """Report when a moment (Unix seconds) has passed; ends in `TimerFired`."""

    id: str
    at: float


class Conclude(Struct, frozen=True):
    """Publish the verdict, revoke open sub-tasks, close the sessions; ends in `RunClosed`."""

    verdict: Verdict
    sessions: tuple[SessionRef, ...]
    open_tasks: tuple[str, ...] = ()
    reply_to: str = ""
    given_up: str = ""
    """Why its request becomes a dead letter; empty if it does not."""
    unlocated: tuple[str, ...] = ()
    """Names of sessions that may be open on a host that the log does not know."""
    files: tuple[JobFile, ...] = ()
    """What the job leaves, to be stored as artifacts."""
    graph: GraphRow | None = None
    """The row of the map among them."""
    note: Note | None = None
    """What is kept as a note, beside this run or the one that it is about."""
    id: str = "conclude"


Effect = AcquireSession | Enqueue | Withdraw | SetTimer | Conclude
Command = Record | Effect

"""What a run may want done. Each effect has a deterministic id, so that one already done is found and not repeated."""

from msgspec import Struct

from muster_orchestrator.machine.core.state import describe_host
from muster_protocol.events import Event
from muster_protocol.requests import Priority
from muster_protocol.session_requests import OpenSession
from muster_protocol.sessions import SessionRef
from muster_protocol.tasks import SubTask
from muster_protocol.verdicts import Verdict


class Record(Struct, frozen=True):
    """Append these events: they follow from what is known."""

    events: tuple[Event, ...]


class OpenTheSession(Struct, frozen=True):
    """Open a session; ends in `SessionOpened` or `SessionFailed`; `SessionQueued` says that it takes long."""

    id: str
    request: OpenSession
    missing: tuple[OpenSession, ...]
    """All sessions that the run lacks, for which it waits in line together."""
    priority: Priority = "normal"

    @property
    def needs(self) -> str:
        """What has to be there for it to be done."""
        return describe_host(self.request.kind)


class Enqueue(Struct, frozen=True):
    """Hand the sub-task to the queue and wait for its outcome; ends in `SubTaskEnded`."""

    sub_task: SubTask

    @property
    def id(self) -> str:
        """The sub-task's own id; with each answer it got, it is handed out once more."""
        answered = len(self.sub_task.answers)
        return f"{self.sub_task.id}+{answered}" if answered else self.sub_task.id


class SetTimer(Struct, frozen=True):
    """Tell the run when a moment (Unix seconds) has passed; ends in `TimerFired`."""

    id: str
    at: float


class Conclude(Struct, frozen=True):
    """Tell the verdict, take back what is still open, close the sessions; ends in `RunClosed`."""

    verdict: Verdict
    sessions: tuple[SessionRef, ...]
    open_tasks: tuple[str, ...] = ()
    reply_to: str = ""
    given_up: str = ""
    """Why its request is put aside as a dead letter; empty if it is not."""
    unsure: tuple[str, ...] = ()
    """Names of sessions that may be open on a host that the log does not know."""
    id: str = "conclude"


Effect = OpenTheSession | Enqueue | SetTimer | Conclude
Command = Record | Effect

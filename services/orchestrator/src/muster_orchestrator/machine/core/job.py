"""What the core asks of a job. Pure: each answer depends on the run alone."""

from typing import NamedTuple, Protocol

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import JobState, Run
from muster_protocol.causes import Cause
from muster_protocol.events import Event
from muster_protocol.kinds import Input
from muster_protocol.session_requests import OpenSession
from muster_protocol.tasks import SubTaskResult


class Fail(NamedTuple):
    """Why a run fails."""

    cause: Cause
    summary: str
    node: str = ""
    result: SubTaskResult | None = None


class End(NamedTuple):
    """The end of a job; without a fail it passes."""

    fail: Fail | None = None


class Job(Protocol):
    """What a run is asked to do, as rules over a state of its own (`run.job`)."""

    def start(self, run: Run) -> JobState:
        """Return the state of a run that has just been opened."""
        ...

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """Return the sessions that the job works in."""
        ...

    def due(self, run: Run, ready: tuple[Node, ...]) -> tuple[Node, ...]:
        """Return the nodes to dispatch now: of those that are ready, or others that the job adds or wants first."""
        ...

    def brief(self, run: Run, node: Node) -> Input:
        """Return all that a sub-task sees of the job."""
        ...

    def accept(self, run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
        """Return a result as the run takes it."""
        ...

    def absorb(self, run: Run, node: Node, result: SubTaskResult) -> Run:
        """Return the run after a result that is not tried again; the node's status is set already."""
        ...

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Return the job's events that follow by themselves from what is known."""
        ...

    def apply(self, run: Run, event: Event) -> Run:
        """Return the run after one of the job's own events."""
        ...

    def end(self, run: Run) -> End | None:
        """Return the end of the job once it is certain."""
        ...

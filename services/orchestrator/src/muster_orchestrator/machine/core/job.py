"""The interface between the core and a job. Pure: each answer depends on the run alone."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from muster_orchestrator.machine.core.commands import JobFile
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.kind_rules import KindRules
from muster_orchestrator.machine.core.state import JobState, Run
from muster_protocol.causes import Cause
from muster_protocol.estimates import Estimate, PastCosts
from muster_protocol.events import Event
from muster_protocol.graphs import GraphRow
from muster_protocol.notes import Note
from muster_protocol.session_requests import OpenSession
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Usage


class Fail(NamedTuple):
    """Why a run fails."""

    cause: Cause
    summary: str
    node: str = ""
    result: SubTaskResult | None = None


class End(NamedTuple):
    """The end of a job; without a fail it passes."""

    fail: Fail | None = None
    summary: str = ""
    """What came of it, if it does not fail; empty: how many sub-tasks have passed."""
    note: str = ""
    """Told after that, or after why it fails."""


class Job(ABC):
    """The rules of a job over its own state (`run.job`)."""

    kinds: ClassVar[Mapping[str, KindRules]]
    """The rules of each kind of sub-task that the job has, by the kind's name."""

    @abstractmethod
    def start(self, run: Run) -> JobState:
        """Return the state of a run that has just been opened."""

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """Return the sessions that the job needs; none by default."""
        return ()

    def due(self, run: Run, ready: tuple[Node, ...]) -> tuple[Node, ...]:
        """Return the nodes to dispatch now: the ready ones by default; a job may add others or put them first."""
        return ready

    def follow(self, run: Run) -> tuple[Event, ...]:
        """Return the job's events that follow by themselves; none by default."""
        return ()

    def apply(self, run: Run, event: Event) -> Run:
        """Return the run after one of the job's own events; by default it has none."""
        return run

    def rest(self, run: Run) -> float:
        """Return until when (Unix seconds) the run may wait for a message, if it has nothing else to do; 0: it has."""
        return 0.0

    def values(self, run: Run) -> dict[str, str]:
        """Return the values of the placeholders in a run's texts, to show to people."""
        return {}

    def files(self, run: Run) -> tuple[JobFile, ...]:
        """Return the files that the job leaves; none by default."""
        return ()

    def graph(self, run: Run) -> GraphRow | None:
        """Return the row of the map among these files; None: there is none."""
        return None

    def note(self, run: Run) -> Note | None:
        """Return the note that a run's end makes, given its verdict; None: it makes none."""
        return None

    def title(self, run: Run) -> str:
        """Return what lists call the run: the name of its job by default."""
        return run.opened.job.name

    def extent(self, run: Run) -> str:
        """Return how much is asked for, such as `3 steps`; empty: nobody can tell beforehand."""
        return ""

    def cost_keys(self, run: Run) -> frozenset[str]:
        """Return the keys of the past costs from which `estimate` tells what the run will come to; none by default."""
        return frozenset()

    def estimate(self, run: Run, past: Mapping[str, PastCosts]) -> Estimate | None:
        """Return what the run will come to by past costs, by their keys; None: the job is not estimated."""
        return None

    def costs(self, run: Run) -> dict[str, Usage]:
        """Return by key what the run has come to, once it has its verdict, for later estimates; nothing by default."""
        return {}

    @abstractmethod
    def end(self, run: Run) -> End | None:
        """Return the end of the job once it is certain."""

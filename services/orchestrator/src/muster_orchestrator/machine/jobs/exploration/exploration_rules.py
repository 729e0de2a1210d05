"""The rules of an exploration: tours, each a sub-task, merged into one map."""

from collections.abc import Mapping
from typing import ClassVar
from urllib.parse import urlsplit

from msgspec.structs import replace

from muster_exploration.tour_rounds import Moment, Progress, begin, record_failure, record_tour, summary_of, tour_input
from muster_orchestrator.machine.core.commands import JobFile
from muster_orchestrator.machine.core.graph import Node, drop_node
from muster_orchestrator.machine.core.job import End, Fail, Job
from muster_orchestrator.machine.core.kind_rules import KindRules, accept_claim
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.exploration.map_files import exploration_files, graph_row
from muster_orchestrator.machine.jobs.exploration.state import ExplorationState
from muster_protocol.causes import Cause
from muster_protocol.graphs import GraphRow
from muster_protocol.kinds import KINDS_BY_NAME, ExploreInput, ExploreOutput
from muster_protocol.plans import PlanNode
from muster_protocol.requests import MAIN, DeviceSpec, Exploration
from muster_protocol.session_requests import OpenSession
from muster_protocol.tasks import SubTaskResult

MARGIN_SECONDS = 20.0
"""How long before a sub-task's own time is up its tour turns back."""


class ExplorationRules(Job):
    """See `Job`."""

    kinds: ClassVar[Mapping[str, KindRules]]

    def start(self, run: Run) -> ExplorationState:
        """An exploration begins with a look at the start of the app."""
        return ExplorationState(progress=begin(_job(run)))

    def wanted_sessions(self, run: Run) -> tuple[OpenSession, ...]:
        """Return the sessions that explore; each tour starts the app anew, so a lost one needs no checkpoint."""
        job = _job(run)
        device = job.device or DeviceSpec(kind="web")
        return tuple(
            OpenSession(run=run.opened.id, name=name, device=device, domains=job.domains, record=run.opened.record)
            for name in _session_names(job)
        )

    def due(self, run: Run, ready: tuple[Node, ...]) -> tuple[Node, ...]:
        """Return the planned tours that are still to be given out, one for each free session."""
        taken = {node.plan.session for node in (*run.graph.with_status("open", "asking", "faulted"), *ready)}
        waiting = {run.graph[id].plan.session for id in run.graph.ready}
        free = [name for name in run.sessions.open if name not in taken | waiting]
        planned = [number for number, tour in sorted(_progress(run).window.items()) if tour.output is None]
        new = [number for number in planned if node_id(number) not in run.graph]
        return (*ready, *(_node(number, name) for number, name in zip(new, free, strict=False)))

    def files(self, run: Run) -> tuple[JobFile, ...]:
        """Return the map, unless nothing was seen of the app."""
        return exploration_files(run)

    def graph(self, run: Run) -> GraphRow | None:
        """Return the row of the map that is left, unless nothing was seen of the app."""
        return graph_row(run)

    def end(self, run: Run) -> End | None:
        """Return the end: a fail if nothing of the app could be seen, or if a goal was not reached.

        Whether more steps would have reached it nobody can tell: the budget is to blame where moves are left to try.
        """
        progress, goal = _progress(run), _job(run).goal
        if not progress.over:
            return None
        known = progress.map
        if not known.states or progress.failed or (known.given_up and not known.edges):
            return End(Fail(Cause.ENVIRONMENT, summary_of(progress)))
        if goal and not known.reaches_goal:
            cause = Cause.BUDGET if known.open else Cause.AGENT
            return End(Fail(cause, f"the goal was not reached: {goal}; {summary_of(progress)}"))
        return End(summary=summary_of(progress))


def node_id(number: int) -> str:
    """Return the id of the node of a tour."""
    return f"tour-{number:05d}"


def _session_names(job: Exploration) -> tuple[str, ...]:
    """Return the names of the sessions that explore."""
    return (MAIN, *(f"{MAIN}-{number}" for number in range(2, job.sessions + 1)))


def _node(number: int, session: str) -> Node:
    name = f"{KINDS_BY_NAME['explore'].label} {number}"
    return Node(plan=PlanNode(id=node_id(number), description=name, kind="explore", session=session))


def _brief(run: Run, node: Node) -> ExploreInput:
    job, progress = _job(run), _progress(run)
    until = run.now + run.policy.subtask_seconds - MARGIN_SECONDS
    if job.max_time_ms:
        until = min(until, run.clock.started_at + job.max_time_ms / 1000)
    return tour_input(progress, job, _number(node.plan.id), until)


def _accept(run: Run, node: Node, claimed: SubTaskResult) -> SubTaskResult:
    """Accept a result; a tour leaves nothing in its session that the next one builds upon.

    So that no lost session is missed, it counts as unchanged; a tour that broke off while it acted is not made again.
    """
    result = accept_claim(run, node, claimed)
    status = "fail" if result.status == "error" and result.acted else result.status
    return replace(result, status=status, acted=False, last_act=-1)


def _absorb(run: Run, node: Node, result: SubTaskResult) -> Run:
    """Merge what a tour has seen, and drop its node: what matters of it is in the map."""
    progress, number, at = _progress(run), _number(node.plan.id), Moment(run.now, run.clock.started_at)
    if isinstance(result.output, ExploreOutput):
        progress = record_tour(progress, _job(run), number, result.output, at)
    else:
        progress = record_failure(progress, _job(run), number, result.summary, at)
    return replace(run, graph=drop_node(run.graph, node.plan.id), job=ExplorationState(progress=progress))


ExplorationRules.kinds = {"explore": KindRules(_brief, _accept, _absorb)}
RULES: Job = ExplorationRules()


def _number(node: str) -> int:
    return int(node.rpartition("-")[2])


def _job(run: Run) -> Exploration:
    """Return the job; without domains, only the host of its address may be visited."""
    job = run.opened.job
    assert isinstance(job, Exploration)
    host = urlsplit(job.url).netloc
    return job if job.domains or not host else replace(job, domains=(host,))


def _progress(run: Run) -> Progress:
    assert isinstance(run.job, ExplorationState)
    return run.job.progress

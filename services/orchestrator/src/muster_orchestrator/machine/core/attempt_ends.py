"""What the end of an attempt makes of a run: its job takes the result, or the node is tried again. Pure."""

import zlib
from typing import NamedTuple

from msgspec.structs import replace

from muster_orchestrator.machine.core import parking, session_loss
from muster_orchestrator.machine.core.budgets import charge
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.state import POOL, Run
from muster_protocol.causes import Failure
from muster_protocol.events import Policy, RetryPlanned
from muster_protocol.tasks import SubTaskResult


class Retry(NamedTuple):
    """How often and when a node is tried again."""

    max_attempts: int
    first_seconds: float
    """Pause before the first retry; each further one is twice as long."""
    limit_seconds: float
    jitter: float = 0.2
    """Share of a pause that is added at most, by a seed."""

    def pause(self, faults: int, seed: str) -> float:
        """Return the seconds before the next try after so many faults; the same seed gives the same."""
        share = zlib.crc32(seed.encode()) % 1000 / 1000 * self.jitter
        return min(self.limit_seconds, self.first_seconds * 2 ** min(faults - 1, 16) * (1 + share))


def retry_policy(policy: Policy) -> Retry:
    """Return how nodes are tried again under a policy."""
    return Retry(policy.max_attempts, policy.backoff_seconds, policy.backoff_limit_seconds)


def apply_result(run: Run, job: Job, claimed: SubTaskResult) -> Run:
    """Return the run after an attempt has ended: it is tried again, or its job makes something of its result."""
    node = run.graph.get(claimed.node)
    if node is None or node.status != "open" or node.attempt != claimed.attempt:
        return run  # a report about an attempt that is not open: late, repeated, or never asked for
    if run.unserved and node.sub_task:  # a result shows that somebody is there
        run = parking.mark_served(run, f"{POOL}{node.sub_task.pool}")
    result = job.accept(run, node, claimed)
    run = session_loss.record_use(parking.reset_takeovers(charge(run, node, result.usage)), node, result)
    over = replace(node, result=result, sub_task=None)
    if may_retry(run, node, result):
        if result.failure == Failure.SESSION_LOST:
            run = session_loss.mark_lost(run, node.plan.session)
        return run.with_node(replace(over, status="faulted", faults=node.faults + 1))
    over = replace(over, status="passed" if result.status == "pass" else "failing")
    run = run.with_node(over)
    if over.status == "passed" and over.backtrack_to in run.graph:
        run = run.with_node(replace(run.graph[over.backtrack_to], status="waiting"))
    return job.absorb(run, over, result)


def may_retry(run: Run, node: Node, result: SubTaskResult) -> bool:
    """Return whether an infrastructure fault is tried again: only if nothing was done that it would do twice."""
    return result.status == "error" and not result.acted and node.faults + 1 < retry_policy(run.policy).max_attempts


def plan_retries(run: Run) -> tuple[RetryPlanned, ...]:
    """Return the next try of each node that infrastructure failed."""
    assert run.request is not None
    found: list[RetryPlanned] = []
    for node in run.graph.with_status("faulted"):
        id = node.plan.id
        pause = retry_policy(run.policy).pause(node.faults, f"{run.request.id}.{id}.{node.faults}")
        reason = node.result.summary if node.result else ""
        found.append(RetryPlanned(node=id, not_before=run.clock.now + pause, reason=reason))
    return tuple(found)


def apply_retry(run: Run, id: str, not_before: float) -> Run:
    """Return the run with a node waiting for its next try."""
    node = run.graph.get(id)
    if node is None or node.status != "faulted":
        return run
    return run.with_node(replace(node, status="waiting", not_before=not_before))

"""Ends of attempts: the job takes the result, or the node is tried again. Pure."""

import zlib

from msgspec.structs import replace

from muster_orchestrator.machine.core import parking, session_loss, trees
from muster_orchestrator.machine.core.budgets import charge
from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.kind_rules import rules_for
from muster_orchestrator.machine.core.state import POOL, Run
from muster_protocol.causes import Failure
from muster_protocol.events import Policy, RetryPlanned
from muster_protocol.tasks import SubTaskResult

JITTER = 0.2
"""Largest share of a backoff that is added to it."""


def _backoff(policy: Policy, faults: int, seed: str) -> float:
    """Return the seconds before the next attempt after so many faults: doubling, with jitter taken from the seed."""
    jitter = zlib.crc32(seed.encode()) % 1000 / 1000 * JITTER
    return min(policy.backoff_limit_seconds, policy.backoff_seconds * 2 ** min(faults - 1, 16) * (1 + jitter))


def apply_result(run: Run, job: Job, claimed: SubTaskResult) -> Run:
    """Return the run after an attempt has ended: its node is tried again, or the job takes its result."""
    node = run.graph.get(claimed.node)
    if node is None or node.status != "open" or node.attempt != claimed.attempt:
        return run  # a report about an attempt that is not open: late, repeated, or never asked for
    if run.unserved and node.sub_task:  # a result shows that the pool has a worker
        run = parking.mark_served(run, f"{POOL}{node.sub_task.pool}")
    rules = rules_for(job.kinds, node)
    result = rules.accept(run, node, claimed)
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
    return rules.absorb(run, over, result)


def may_retry(run: Run, node: Node, result: SubTaskResult) -> bool:
    """Return whether to retry after an infrastructure fault: only if nothing would be done twice."""
    acted = result.acted or trees.children_acted(run, node)
    allowed = not acted and not result.final
    return result.status == "error" and allowed and node.faults + 1 < run.policy.max_attempts


def plan_retries(run: Run) -> tuple[RetryPlanned, ...]:
    """Return the retry of each node that infrastructure failed."""
    found: list[RetryPlanned] = []
    for node in run.graph.with_status("faulted"):
        id = node.plan.id
        pause = _backoff(run.policy, node.faults, f"{run.opened.id}.{id}.{node.faults}")
        reason = node.result.summary if node.result else ""
        found.append(RetryPlanned(node=id, not_before=run.clock.now + pause, reason=reason))
    return tuple(found)


def apply_retry(run: Run, event: RetryPlanned) -> Run:
    """Return the run with a node waiting for its next attempt: a faulted one, or one that a rule has tried again."""
    node = run.graph.get(event.node)
    if node is None or node.status != ("failing" if event.patience > 1 else "faulted"):
        return run
    patience = max(node.patience, event.patience)
    return run.with_node(replace(node, status="waiting", not_before=event.not_before, patience=patience))

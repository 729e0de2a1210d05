"""Trying again what infrastructure failed. Pure."""

import zlib
from typing import NamedTuple

from msgspec.structs import replace

from muster_orchestrator.machine.core.graph import Node
from muster_orchestrator.machine.core.state import Run
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

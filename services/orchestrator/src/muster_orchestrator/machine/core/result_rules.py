"""What the end of an attempt makes of a run. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.core import parking, session_loss
from muster_orchestrator.machine.core.budgets import charge
from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.retries import may_retry
from muster_orchestrator.machine.core.state import POOL, Run
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult


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

"""Plans that a model made once: used again for a case of the same words, and checked by the run like any other."""

import structlog
from msgspec.structs import replace

from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_protocol.kinds import PlanOutput
from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase
from muster_protocol.step_recordings import FORMAT, key_of_plan
from muster_protocol.tasks import SubTaskResult
from muster_subagent import metrics
from muster_subagent.results import blank
from muster_subagent.task_context import TaskContext
from muster_text.faithfulness import find_breaches

log = structlog.get_logger("muster.subagent")


async def recorded_plan(context: TaskContext, case: TestCase) -> SubTaskResult | None:
    """Return the recorded plan of a case as a result; None if there is none, or a model was asked already."""
    rows = context.recordings.rows if context.recordings else None
    if rows is None or context.journal.progress.replies:
        return None
    try:
        row = await rows.get(key_of_plan(case))
    except BUS_ERRORS as error:
        log.warning("recordings cannot be read; asking a model", error=describe_error(error))
        return None
    plan = row.plan if row is not None else None
    if plan is None or plan.format != FORMAT or find_breaches(case, Plan(nodes=plan.nodes)):
        metrics.RECORDINGS.labels("absent").inc()
        return None
    metrics.RECORDINGS.labels("hit").inc()
    metrics.RECORDING_TOKENS_SAVED.inc(plan.tokens)
    output = PlanOutput(plan=Plan(nodes=plan.nodes))
    passed = replace(blank(context.task), status="pass", summary="the recorded plan", output=output)
    return replace(passed, source="recording")

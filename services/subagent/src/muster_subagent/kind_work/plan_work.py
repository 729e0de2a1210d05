"""Planning a case: as it is written where every sentence is a known phrase, else by a model."""

import asyncio

from muster_protocol.causes import Failure
from muster_protocol.kinds import PlanInput, PlanOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.case_planning import planned_by_model
from muster_subagent.agent.model_calls import Asker
from muster_subagent.kind_work.thought import Answer, think
from muster_subagent.planner import planned
from muster_subagent.recordings.plan_memory import recorded_plan
from muster_subagent.task_context import TaskContext


async def work(context: TaskContext) -> SubTaskResult:
    """Return the plan of a case."""
    task, asker = context.task, context.asker()
    assert isinstance(task.input, PlanInput)
    case = task.input.case
    asked = task.input

    async def answer(asker: Asker) -> Answer:
        plan, summary = await planned_by_model(asked, asker)
        return Answer(summary, PlanOutput(plan=plan))

    if asked.critique and asker is not None:
        return await think(context, asker, answer)
    result = await asyncio.to_thread(planned, task)  # a case of many long sentences takes seconds
    if result.failure != Failure.UNKNOWN_PHRASE:
        return result
    recorded = await recorded_plan(context, case)
    if asker is None or recorded is not None:
        return recorded or result
    return await think(context, asker, answer)

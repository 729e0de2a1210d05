"""Planning a case: as it is written where every sentence is a known phrase, else by a model."""

from muster_protocol.kinds import PlanInput, PlanOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.case_planning import planned_by_model
from muster_subagent.agent.model_calls import Asker
from muster_subagent.kind_work.thought import Answer, think
from muster_subagent.planner import planned, unread_in
from muster_subagent.task_context import TaskContext


async def plan_case(context: TaskContext) -> SubTaskResult:
    """Return the plan of a case."""
    task, asker = context.task, context.asker()
    assert isinstance(task.input, PlanInput)
    case = task.input.case
    if asker is None or not unread_in(case):
        return planned(task)

    async def answer(asker: Asker) -> Answer:
        plan, summary = await planned_by_model(case, asker)
        context.lines.tell("decision", f"Planning: {summary}")
        return Answer(summary, PlanOutput(plan=plan))

    return await think(context, asker, answer)

"""Summing up what happened so far, so that later sub-tasks read less."""

from muster_protocol.causes import Failure
from muster_protocol.kinds import SummariseInput, SummariseOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.model_calls import Asker
from muster_subagent.kind_work.thought import Answer, text_for, think
from muster_subagent.results import blank, failed, first_line
from muster_subagent.task_context import TaskContext


async def work(context: TaskContext) -> SubTaskResult:
    """Return what happened so far in few words."""
    task, asker = context.task, context.asker()
    assert isinstance(task.input, SummariseInput)
    state = task.input.state
    if asker is None:
        return failed(blank(task), Failure.MODEL_UNAVAILABLE, "no model is set at the workers")

    async def answer(asker: Asker) -> Answer:
        text = await text_for(asker, state)
        return Answer(first_line(text), SummariseOutput(state=text))

    return await think(context, asker, answer)

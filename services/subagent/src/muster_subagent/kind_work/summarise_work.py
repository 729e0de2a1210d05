"""Summing up what happened so far, so that later sub-tasks read less."""

from muster_protocol.kinds import SummariseInput, SummariseOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.model_calls import Asker
from muster_subagent.kind_work.thought import Answer, text_for, think_alone
from muster_subagent.results import first_line
from muster_subagent.task_context import TaskContext


async def work(context: TaskContext) -> SubTaskResult:
    """Return what happened so far in few words."""
    asked = context.task.input
    assert isinstance(asked, SummariseInput)

    async def answer(asker: Asker) -> Answer:
        text = await text_for(asker, asked.state)
        return Answer(first_line(text), SummariseOutput(state=text))

    return await think_alone(context, answer)

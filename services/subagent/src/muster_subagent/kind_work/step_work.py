"""Carrying out a written step: by its phrases where they are known, else by a model."""

from muster_grammar import PhraseError
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.step_executor import carry_out, clauses_to_prove
from muster_subagent.planner import calls_for
from muster_subagent.recordings.step_memory import StepMemory
from muster_subagent.results import blank, failed
from muster_subagent.script_runner import diverged, run_script
from muster_subagent.task_context import TaskContext
from muster_subagent.tool_executor import Diverged, Hands


async def work(context: TaskContext) -> SubTaskResult:
    """Return what came of a step."""
    assert context.tools is not None, "a step works in a session"
    hands = Hands(context.task, context.tools, context.journal, context.lines)
    try:
        return await _carried_out(context, hands)
    except Diverged as error:
        return diverged(context.task, context.journal.progress.started.values(), str(error))


async def _carried_out(context: TaskContext, hands: Hands) -> SubTaskResult:
    asker = context.asker()
    memory = StepMemory(context.task, context.journal, context.lines, context.recordings)
    if asker is not None and context.agent is not None:
        return await carry_out(hands, asker, context.lines, context.agent.tools, memory)
    try:
        calls = calls_for(context.task)
    except PhraseError as error:
        recorded = await memory.carry_out(hands, clauses_to_prove(context.task), None)
        return recorded or failed(blank(context.task), Failure.UNKNOWN_PHRASE, str(error))
    return await run_script(context.task, hands, calls)

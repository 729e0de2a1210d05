"""Carrying out a written step: by its phrases where they are known, else by a model."""

from msgspec.structs import replace

from muster_evidence.looks import clauses_by_look
from muster_grammar import PhraseError
from muster_protocol.causes import Failure
from muster_protocol.examiner_work import Screens
from muster_protocol.tasks import SubTaskResult
from muster_subagent.act_recorder import screen_lines
from muster_subagent.agent.pictured_act import nothing_sent
from muster_subagent.agent.pictured_target import pointing_demand
from muster_subagent.agent.step_executor import carry_out, clauses_to_prove
from muster_subagent.planner import calls_for
from muster_subagent.recordings.step_memory import StepMemory
from muster_subagent.results import blank, failed
from muster_subagent.script_runner import diverged, run_script
from muster_subagent.task_context import TaskContext
from muster_subagent.tool_context import ToolContext
from muster_subagent.tool_executor import Diverged, ToolExecutor
from muster_text.text_match import both_ends

LONGEST_SCREEN = 6_000
"""Characters of a screen in a result."""


async def work(context: TaskContext) -> SubTaskResult:
    """Return what came of a step."""
    assert context.tools is not None, "a step works in a session"
    executor = ToolExecutor(context.task, context.tools, context.journal, context.lines)
    before = await _screen(context.tools) if context.task.step.screens else ""
    try:
        result = await _with_screens(context, before, await _carried_out(context, executor))
        return _with_sought(context, executor, result)
    except Diverged as error:
        return diverged(context.task, context.journal.progress.started.values(), str(error))


async def _with_screens(context: TaskContext, before: str, result: SubTaskResult) -> SubTaskResult:
    """Return a result with the screens, if clauses of a pass rest on a look alone and somebody will look again."""
    assert context.tools is not None
    step = context.task.step
    if not step.screens or result.status != "pass" or not clauses_by_look(result, step.values):
        return result
    screens = Screens(before=before, after=await _screen(context.tools))
    return replace(result, output=replace(result.step, screens=screens))


def _with_sought(context: TaskContext, executor: ToolExecutor, result: SubTaskResult) -> SubTaskResult:
    """Return a failed result with what was looked for in vain, if a picture may show it and nothing was sent."""
    task, tools = context.task, executor.context
    seeing = tools.looker is not None and tools.looker.sees and tools.session.device_used
    fits = task.step.covers and task.step.located is None and pointing_demand(task.description) is not None
    if not (
        seeing and fits and result.status == "fail" and _is_unfound(result.failure) and nothing_sent(executor.made)
    ):
        return result
    missed = next((it.outcome.expected for it in reversed(executor.made) if it.outcome.unsent), "")
    return replace(result, output=replace(result.step, sought=missed or task.description))


def _is_unfound(failure: Failure | None) -> bool:
    """Return whether the element of a step that failed so may be on the screen without a name."""
    return failure is not None and (failure.is_unlocated or failure is Failure.GAVE_UP)


async def _screen(tools: ToolContext) -> str:
    return both_ends("\n".join(await screen_lines(tools)), LONGEST_SCREEN)


async def _carried_out(context: TaskContext, executor: ToolExecutor) -> SubTaskResult:
    asker = context.asker()
    memory = StepMemory(context.task, context.journal, context.lines, context.recordings)
    if asker is not None and context.agent is not None:
        return await carry_out(executor, asker, context.lines, context.agent.tools, memory)
    try:
        calls = calls_for(context.task)
    except PhraseError as error:
        recorded = await memory.carry_out(executor, clauses_to_prove(context.task), None)
        return recorded or failed(blank(context.task), Failure.UNKNOWN_PHRASE, str(error))
    return await run_script(context.task, executor, calls)

"""Carries out a step when a model is there: the cheapest way that is certain first."""

import time
from collections.abc import Sequence

from msgspec.structs import replace

from muster_grammar import PhraseError, parse_action, parse_precondition
from muster_protocol.causes import Failure
from muster_protocol.tasks import Budget, SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolCall
from muster_subagent.agent.agent_loop import AgentLoop, Allowance
from muster_subagent.agent.clause_prover import Clause, Gap, clauses_of, prove, worst_of
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.pictured_act import act_by_picture
from muster_subagent.planner import calls_for
from muster_subagent.recordings.step_memory import StepMemory
from muster_subagent.results import Made, concluded, facts_of, failed, first_line, shortened
from muster_subagent.script_runner import blamed_on_takeover, make_all
from muster_subagent.task_log import Lines
from muster_subagent.tool_executor import ToolExecutor
from muster_subagent.tools import TOOLS, Tools, declared, permitted

PAGE = frozenset({"page", "element", "count"})


async def carry_out(
    executor: ToolExecutor, asker: Asker, lines: Lines, groups: tuple[str, ...], memory: StepMemory | None = None
) -> SubTaskResult:
    """Carry out a sub-task; one that clears the way for another may not do what that one is to show.

    Raises:
        SessionLost, Fenced, ClaimLost: the sub-task is not this worker's any more.
    """
    telling = telling_checks(executor.task, executor.tools)
    before = [await executor.glance(check) for check in telling]
    result = await _carried_out(executor, asker, lines, groups, memory)
    if result.status != "pass":
        return result
    after = [await executor.glance(check) for check in telling]
    turned = next((check for check, was, now in zip(telling, before, after, strict=True) if now and not was), None)
    if turned is None:
        return result
    return failed(result, Failure.TAMPERED, f"the recovery itself brought about what is to be shown: {turned.clause}")


def telling_checks(task: SubTask, tools: Tools = TOOLS) -> tuple[ToolCall, ...]:
    """Return the checks that a recovery may not turn from false to true: of files, and of the page where the step that
    failed will be done by a model. A phrase does what it says, whatever the page shows before. Pure."""
    if task.step.mended is None:
        return ()
    by_phrase = _actions_of(task.step.mended.action, precondition=False) is not None
    telling = {"file"} if by_phrase else {"file", *PAGE}
    checks = (call for clause in clauses_of(task.step.mended.expected) for call in clause.checks)
    return tuple(call for call in checks if declared(tools, call.tool).about in telling)


async def _carried_out(
    executor: ToolExecutor, asker: Asker, lines: Lines, groups: tuple[str, ...], memory: StepMemory | None = None
) -> SubTaskResult:
    """Carry out a sub-task: by phrases if all of it is known, its actions by phrase and its clauses by looking if only
    those are, else by its recording or the model, which also take over where a phrase cannot find what it names.
    """
    task, started = executor.task, time.monotonic()
    clauses = clauses_to_prove(task)
    mine = permitted(await executor.offered(), groups)
    loop = AgentLoop(executor, asker, lines, clauses, Allowance(mine, asker.tier.room))

    async def by_model(note: str, budget: Budget | None) -> SubTaskResult:
        if budget is not None:
            asker.bound(budget)
        return blamed_on_takeover(await loop.run(note), executor.made)

    async def remembered(note: str = "") -> SubTaskResult:
        result = await memory.carry_out(executor, clauses, by_model, note) if memory is not None else None
        return result or await by_model(note, None)

    actions, begun = _actions(task), len(executor.made)
    if actions is None:
        return await _by_picture(executor, lines, clauses, started) or await remembered()
    if not await make_all(executor, actions):
        rest = actions[len(executor.made) - begun :]
        return await _stopped(executor, lines, clauses, started, rest) or await remembered(_note(executor.made))
    if all(clause.checks for clause in clauses) or task.step.precondition:
        complete = await make_all(executor, _checks(task))
        return _scripted(executor, complete=complete, started=started)
    gaps = await prove(executor, clauses)
    return blamed_on_takeover(_looked(executor, gaps, started), executor.made)


async def _stopped(
    executor: ToolExecutor, lines: Lines, clauses: Sequence[Clause], started: float, rest: Sequence[ToolCall]
) -> SubTaskResult | None:
    """Return the result of a script that stopped before `rest`; None: a call found its target neither by name nor in a
    picture, and the model takes over."""
    stopper = executor.made[-1]
    failure = stopper.outcome.failure
    if stopper.call.clause or failure is None or not failure.is_unlocated:
        return _scripted(executor, complete=False, started=started)
    if pictured := await _by_picture(executor, lines, clauses, started, missed=stopper.call, rest=rest):
        return pictured
    lines.tell("decision", f"the phrase did not find its target; the model takes over: {stopper.outcome.text}")
    return None


async def _by_picture(
    executor: ToolExecutor,
    lines: Lines,
    clauses: Sequence[Clause],
    started: float,
    *,
    missed: ToolCall | None = None,
    rest: Sequence[ToolCall] = (),
) -> SubTaskResult | None:
    """Act on what was found in a picture, make the rest of the script, and prove what is expected; None: nothing was
    sent, and another way may be tried."""
    made = await act_by_picture(executor, lines, missed)
    if made is None or made.outcome.unsent:
        return None
    if made.outcome.status != "ok" or not await make_all(executor, rest):
        outcome = executor.made[-1].outcome
        facts = facts_of(executor.task, executor.made, time.monotonic() - started)
        result = failed(facts, outcome.failure or Failure.GAVE_UP, first_line(outcome.text))
    else:
        result = _looked(executor, await prove(executor, clauses), started)
        result = result if clauses else _unexpected(result, made)
    return blamed_on_takeover(replace(result, source="model"), executor.made)


def _unexpected(result: SubTaskResult, made: Made) -> SubTaskResult:
    """Return the result of a step that expects nothing, which passes unverified where the act has shown its effect."""
    if made.outcome.confirmed:
        return replace(result, unverified=True, summary=first_line(made.outcome.text))
    return failed(result, Failure.NO_EVIDENCE, f"{made.call.tool} did not show its effect")


def clauses_to_prove(task: SubTask) -> tuple[Clause, ...]:
    """Return what must be proven; a precondition that is no phrase is a statement to be looked at."""
    if not task.step.precondition:
        return clauses_of(task.step.expected_result)
    return () if _actions(task) is not None else (Clause(task.description, ()),)


def _actions(task: SubTask) -> tuple[ToolCall, ...] | None:
    """Return the calls of the action, or None if it is no known phrase."""
    return _actions_of(task.description, precondition=task.step.precondition)


def _actions_of(text: str, *, precondition: bool) -> tuple[ToolCall, ...] | None:
    try:
        return parse_precondition(text) if precondition else parse_action(text)
    except PhraseError:
        return None


def _checks(task: SubTask) -> tuple[ToolCall, ...]:
    """Return the checks that follow the actions of a sub-task that is all phrases."""
    actions = _actions(task) or ()
    return calls_for(task)[len(actions) :]


def _scripted(executor: ToolExecutor, *, complete: bool, started: float) -> SubTaskResult:
    result = concluded(executor.task, executor.made, complete=complete, seconds=time.monotonic() - started)
    return blamed_on_takeover(result, executor.made)


def _looked(executor: ToolExecutor, gaps: Sequence[Gap], started: float) -> SubTaskResult:
    """Return the result of actions by phrase whose clauses were looked at."""
    facts = facts_of(executor.task, executor.made, time.monotonic() - started)
    if not gaps:
        proven = first_line("; ".join(dict.fromkeys(it.clause for it in facts.step.evidence)))
        return replace(facts, status="pass", summary=proven)
    worst = worst_of(gaps)
    result = failed(facts, worst.failure, shortened(worst.text))
    outcome = worst.made.outcome if worst.made else None
    return replace(
        result,
        expected=worst.clause,
        seen=shortened(outcome.seen) if outcome else "",
        where=outcome.where if outcome else "",
    )


def _note(made: Sequence[Made]) -> str:
    """Return what the model is told of a script that did not find its target."""
    done = [step for step in made[:-1] if step.changes]
    lines = [f"- {step.call.tool}: {first_line(step.outcome.text)}" for step in done]
    before = "\n".join(["Done already, not to be done again:", *lines, ""]) if lines else ""
    return f"{before}Tried and failed: {made[-1].call.tool}: {made[-1].outcome.text}"

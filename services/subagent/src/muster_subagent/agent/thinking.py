"""Roles that only think: planning a case and evaluating a failure. What they answer is checked before it counts."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_model import Assistant, ContextFull, Message, ModelError, Reply, System, Tier, Unparsable, User, structured
from muster_model.chat_messages import CHARACTERS_PER_TOKEN, tokens_of
from muster_model.structured_answers import UNREAD, Ask, asking_for
from muster_protocol.causes import Cause, Failure
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.tasks import Decision, SubTask, SubTaskResult
from muster_subagent.agent.agent_loop import unavailable
from muster_subagent.agent.case_parts import (
    COMPLAINT,
    Proposal,
    ProposedTask,
    all_steps,
    as_text,
    halves,
    has_room,
    kept,
    question,
)
from muster_subagent.agent.conversation import both_ends
from muster_subagent.agent.model_calls import Asker, BudgetSpent
from muster_subagent.agent.prompts import EVALUATOR, SUMMARISER
from muster_subagent.planner import as_written, chained
from muster_subagent.results import blank, failed
from muster_subagent.task_log import Lines
from muster_text.clauses import literals

SHORTEST_QUESTION = 400
"""Characters that are asked about however small the context is."""


class Evaluation(Struct, frozen=True, forbid_unknown_fields=True):
    """What an evaluator answers."""

    action: Literal["continue", "recover", "stop"]
    reason: str
    cause: Literal["product", "environment", "agent"]
    recovery: str
    recovery_expected: str


async def plan_case(task: SubTask, asker: Asker, lines: Lines) -> SubTaskResult:
    """Return a plan of the case: the model's, if it is faithful to what is written, else the steps as written."""
    case = task.job
    assert isinstance(case, TestCase), "only test cases are planned"
    try:
        plan, summary = await _planned(case, asker)
    except BudgetSpent as error:
        return _spent(failed(blank(task), Failure.LIMIT, str(error)), asker)
    except ModelError as error:
        return _spent(unavailable(blank(task), error), asker)
    lines.tell("decision", f"Planning: {summary}")
    result = replace(blank(task), status="pass", summary=summary, plan=plan, source="model")
    return _spent(result, asker)


async def _planned(case: TestCase, asker: Asker) -> tuple[Plan, str]:
    """Return the plan of a case, and in words what it changed and why steps stand as written."""
    tasks, kept_why = await _part_planned(case, all_steps(case), (), asker)
    proposal = Proposal(tasks)
    changes = _changes(case, proposal)
    return composed(case, proposal), "; ".join((*kept_why, *changes)) or "the steps as written"


async def _part_planned(
    case: TestCase, part: range, before: Sequence[ProposedTask], asker: Asker
) -> tuple[list[ProposedTask], list[str]]:
    """Return the sub-tasks of a part of the steps, planned in two halves where the context has no room for all of it,
    and why steps of it stand as written."""
    asked = question(case, part, before, asker.tier)
    try:
        if has_room(asked, case, part, asker.tier):
            return await _proposed(case, part, asked, asker)
        problem = "longer than ORCHESTRATOR_CONTEXT_TOKENS and ORCHESTRATOR_MAX_TOKENS have room for"
    except ContextFull as error:
        problem = str(error)
    if len(part) < 2:
        return kept(case, part), [f"{_named(case, part)} as written ({problem})"]
    first, second = halves(part)
    tasks, why = await _part_planned(case, first, before, asker)
    more, more_why = await _part_planned(case, second, (*before, *tasks), asker)
    return [*tasks, *more], [*why, *more_why]


async def _proposed(
    case: TestCase, part: range, messages: tuple[Message, ...], asker: Asker
) -> tuple[list[ProposedTask], list[str]]:
    """Return what the model proposes for a part, if it is faithful to what is written, else the part as written."""
    problem = ""
    for _ in range(2):
        try:
            proposal = await structured(_asking(asker), messages, Proposal)
        except Unparsable as error:
            problem = str(error)
            break
        problem = "; ".join(unfaithful(case, proposal, part))[:COMPLAINT]
        if not problem:
            return proposal.sub_tasks, []
        told = f"This plan cannot be used: {problem}"
        messages = (*messages, Assistant(as_text(proposal)), User(told))
    why = f"{_named(case, part)} as written (the model's plan cannot be used: {problem[:300]})"
    return kept(case, part), [why]


def _named(case: TestCase, part: range) -> str:
    if part == all_steps(case):
        return "the steps"
    return f"steps {part.start} to {part[-1]}" if len(part) > 1 else f"step {part.start}"


def unfaithful(case: TestCase, proposal: Proposal, part: range | None = None) -> tuple[str, ...]:
    """Return where a proposal drops, merges, reorders or rewords what is written in a part of the steps, or in all."""
    part = all_steps(case) if part is None else part
    found: list[str] = []
    covered = [number for sub_task in proposal.sub_tasks for number in sub_task.covers]
    found += [f"step {n} is missing" for n in part if n not in covered]
    absent = "there is no step" if part == all_steps(case) else "not among the steps to plan is step"
    found += [f"{absent} {n}" for n in sorted(set(covered)) if n not in part]
    if any(len(sub_task.covers) > 1 for sub_task in proposal.sub_tasks):
        found.append("a sub-task covers more than one step")
    if covered != sorted(covered):
        found.append("the steps are not in their order")
    for number in part:
        parts = [sub_task.description for sub_task in proposal.sub_tasks if number in sub_task.covers]
        lost = [
            text
            for text in literals(case.steps[number - 1].action)
            if parts and not any(text in part for part in parts)
        ]
        found += [f"the sub-tasks of step {number} lost {text!r}" for text in lost if len(parts) > 1]
    if any(not sub_task.description.strip() for sub_task in proposal.sub_tasks):
        found.append("a sub-task says nothing")
    return tuple(found)


def composed(case: TestCase, proposal: Proposal) -> Plan:
    """Return a faithful proposal as a plan; a step that was kept has its written words. Pure."""
    written = as_written(case).nodes
    nodes, steps = list(written[: len(case.preconditions)]), written[len(case.preconditions) :]
    counts = {n: sum(n in it.covers for it in proposal.sub_tasks) for n in all_steps(case)}
    seen: dict[int, int] = {}
    added = 0
    for sub_task in proposal.sub_tasks:
        if not sub_task.covers:
            added += 1
            nodes.append(PlanNode(id=f"added-{added}", description=sub_task.description))
            continue
        [number] = sub_task.covers
        seen[number] = seen.get(number, 0) + 1
        step = steps[number - 1]
        last = seen[number] == counts[number]
        split = replace(
            step,
            id=f"{step.id}-{seen[number]}",
            description=sub_task.description,
            expected_result=step.expected_result if last else "",
        )
        nodes.append(step if counts[number] == 1 else split)
    return chained(nodes)


def _changes(case: TestCase, proposal: Proposal) -> list[str]:
    """Return in words what a plan changed."""
    split = [n for n in all_steps(case) if sum(n in it.covers for it in proposal.sub_tasks) > 1]
    added = [it for it in proposal.sub_tasks if not it.covers]
    parts = [f"step {n} split into {sum(n in it.covers for it in proposal.sub_tasks)}" for n in split]
    return parts + [f"added {it.description!r}" + (f" ({it.why})" if it.why else "") for it in added]


async def evaluate(task: SubTask, asker: Asker) -> SubTaskResult:
    """Return what to do about a failure; an answer that cannot be read, or none, means stop."""
    asked = f"# The sub-task that failed\n{task.description}\n\n# What happened, the failure last\n{task.state}"
    messages = _fitted(EVALUATOR, asked, Evaluation, asker.tier)
    try:
        found = await structured(_asking(asker), messages, Evaluation)
    except (ModelError, BudgetSpent, Unparsable) as error:
        decision = Decision(action="stop", reason=f"no evaluation: {error}")
        return _spent(replace(blank(task), status="pass", summary=decision.reason, decision=decision), asker)
    decision = Decision(
        action=found.action,
        reason=found.reason,
        cause=Cause(found.cause),
        recovery=found.recovery if found.action == "recover" else "",
        recovery_expected=found.recovery_expected if found.action == "recover" else "",
    )
    summary = f"{found.action}: {found.reason}"
    result = replace(blank(task), status="pass", summary=summary, decision=decision, source="model")
    return _spent(result, asker)


async def sum_up(task: SubTask, asker: Asker) -> SubTaskResult:
    """Return what happened so far in few words."""
    try:
        reply = await asker.ask(_fitted(SUMMARISER, task.state, None, asker.tier))
    except (ModelError, BudgetSpent) as error:
        return _spent(failed(blank(task), Failure.MODEL_UNAVAILABLE, str(error)), asker)
    if not reply.text.strip():
        return _spent(failed(blank(task), Failure.UNPARSABLE, "the model summed up nothing"), asker)
    return _spent(replace(blank(task), status="pass", summary=reply.text.strip(), source="model"), asker)


def _fitted(told: str, text: str, kind: type[Struct] | None, tier: Tier) -> tuple[Message, ...]:
    """Return a question whose text has lost its middle where the context has no room for it, a second try included."""
    around = (System(told), User(""))
    taken = tokens_of(asking_for(around, kind) if kind else around)
    spare = int((tier.room - taken) * CHARACTERS_PER_TOKEN) - (UNREAD + 100 if kind else 0)
    return System(told), User(both_ends(text, max(SHORTEST_QUESTION, spare)))


def _asking(asker: Asker) -> Ask:
    async def ask(messages: tuple[Message, ...], response_format: dict[str, Any]) -> Reply:
        return await asker.ask(messages, response_format=response_format)

    return ask


def _spent(result: SubTaskResult, asker: Asker) -> SubTaskResult:
    return replace(result, usage=result.usage.plus(asker.usage), iterations=asker.asked)

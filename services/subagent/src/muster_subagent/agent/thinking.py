"""Roles that only think: planning a case and evaluating a failure. What they answer is checked before it counts."""

import json
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_model import Assistant, Message, ModelError, Reply, System, Unparsable, User, structured
from muster_model.structured_answers import Ask
from muster_protocol.causes import Cause, Failure
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.tasks import Decision, SubTask, SubTaskResult
from muster_subagent.agent.agent_loop import unavailable
from muster_subagent.agent.model_calls import Asker, BudgetSpent
from muster_subagent.agent.prompts import EVALUATOR, PLANNER, SUMMARISER
from muster_subagent.planner import as_written, chained
from muster_subagent.results import blank, failed
from muster_subagent.task_log import Lines
from muster_text.clauses import literals


class ProposedTask(Struct, frozen=True, forbid_unknown_fields=True):
    """One sub-task as a planner proposes it; steps are numbered from 1."""

    covers: list[int]
    description: str
    why: str


class Proposal(Struct, frozen=True, forbid_unknown_fields=True):
    """What a planner answers."""

    sub_tasks: list[ProposedTask]


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
    messages: tuple[Message, ...] = (System(PLANNER), User(_case_text(case)))
    problems: Sequence[str] = ()
    for _ in range(2):
        try:
            proposal = await structured(_asking(asker), messages, Proposal)
        except Unparsable as error:
            problems = (str(error),)
            break
        problems = unfaithful(case, proposal)
        if not problems:
            return composed(case, proposal), _summary(case, proposal)
        told = "This plan cannot be used: " + "; ".join(problems)
        messages = (*messages, Assistant(_as_text(proposal)), User(told))
    return as_written(case), f"the steps as written (the model's plan cannot be used: {'; '.join(problems)[:300]})"


def unfaithful(case: TestCase, proposal: Proposal) -> tuple[str, ...]:
    """Return where a proposal drops, merges, reorders or rewords what is written. Pure."""
    found: list[str] = []
    covered = [number for sub_task in proposal.sub_tasks for number in sub_task.covers]
    found += [f"step {n} is missing" for n in range(1, len(case.steps) + 1) if n not in covered]
    found += [f"there is no step {n}" for n in sorted(set(covered)) if not 1 <= n <= len(case.steps)]
    if any(len(sub_task.covers) > 1 for sub_task in proposal.sub_tasks):
        found.append("a sub-task covers more than one step")
    if covered != sorted(covered):
        found.append("the steps are not in their order")
    for number, step in enumerate(case.steps, 1):
        parts = [sub_task.description for sub_task in proposal.sub_tasks if number in sub_task.covers]
        lost = [text for text in literals(step.action) if parts and not any(text in part for part in parts)]
        found += [f"the sub-tasks of step {number} lost {text!r}" for text in lost if len(parts) > 1]
    if any(not sub_task.description.strip() for sub_task in proposal.sub_tasks):
        found.append("a sub-task says nothing")
    return tuple(found)


def composed(case: TestCase, proposal: Proposal) -> Plan:
    """Return a faithful proposal as a plan; a step that was kept has its written words. Pure."""
    nodes = list(as_written(case).nodes[: len(case.preconditions)])
    width = len(str(len(case.steps)))
    counts = {n: sum(n in it.covers for it in proposal.sub_tasks) for n in range(1, len(case.steps) + 1)}
    seen: dict[int, int] = {}
    added = 0
    for sub_task in proposal.sub_tasks:
        if not sub_task.covers:
            added += 1
            nodes.append(PlanNode(id=f"added-{added}", description=sub_task.description))
            continue
        [number] = sub_task.covers
        seen[number] = seen.get(number, 0) + 1
        step = case.steps[number - 1]
        whole, last = counts[number] == 1, seen[number] == counts[number]
        nodes.append(
            PlanNode(
                id=f"step-{number:0{width}d}" + ("" if whole else f"-{seen[number]}"),
                covers=(number - 1,),
                description=step.action if whole else sub_task.description,
                expected_result=step.expected if last else "",
            )
        )
    return chained(nodes)


def _summary(case: TestCase, proposal: Proposal) -> str:
    """Return in words what a plan changed."""
    numbers = range(1, len(case.steps) + 1)
    split = [n for n in numbers if sum(n in it.covers for it in proposal.sub_tasks) > 1]
    added = [it for it in proposal.sub_tasks if not it.covers]
    parts = [f"step {n} split into {sum(n in it.covers for it in proposal.sub_tasks)}" for n in split]
    parts += [f"added {it.description!r}" + (f" ({it.why})" if it.why else "") for it in added]
    return "; ".join(parts) or "the steps as written"


async def evaluate(task: SubTask, asker: Asker) -> SubTaskResult:
    """Return what to do about a failure; an answer that cannot be read, or none, means stop."""
    asked = f"# The sub-task that failed\n{task.description}\n\n# What happened, the failure last\n{task.state}"
    try:
        found = await structured(_asking(asker), (System(EVALUATOR), User(asked)), Evaluation)
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
        reply = await asker.ask((System(SUMMARISER), User(task.state)))
    except (ModelError, BudgetSpent) as error:
        return _spent(failed(blank(task), Failure.MODEL_UNAVAILABLE, str(error)), asker)
    if not reply.text.strip():
        return _spent(failed(blank(task), Failure.UNPARSABLE, "the model summed up nothing"), asker)
    return _spent(replace(blank(task), status="pass", summary=reply.text.strip(), source="model"), asker)


def _asking(asker: Asker) -> Ask:
    async def ask(messages: tuple[Message, ...], response_format: dict[str, Any]) -> Reply:
        return await asker.ask(messages, response_format=response_format)

    return ask


def _case_text(case: TestCase) -> str:
    """Return the case as a planner reads it."""
    steps = "\n".join(
        f"{number}. {step.action}" + (f"\n   (expected: {step.expected})" if step.expected else "")
        for number, step in enumerate(case.steps, 1)
    )
    before = "\n".join(f"- {text}" for text in case.preconditions)
    parts = (("Test case", case.name), ("Already true before step 1", before), ("Steps", steps))
    return "\n\n".join(f"# {title}\n{text}" for title, text in parts if text)


def _as_text(proposal: Proposal) -> str:
    return json.dumps([{"covers": it.covers, "description": it.description} for it in proposal.sub_tasks])


def _spent(result: SubTaskResult, asker: Asker) -> SubTaskResult:
    return replace(result, usage=result.usage.plus(asker.usage), iterations=asker.asked)

"""Plans of a model: checked for faithfulness to what is written before they count."""

import json
from collections.abc import Sequence

from msgspec import Struct

from muster_model import Assistant, Message, System, Unparsable, User, structured
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import MAIN, TestCase
from muster_subagent.agent.model_calls import Asker
from muster_subagent.planner import as_written, chained
from muster_text.clauses import literals


class ProposedTask(Struct, frozen=True, forbid_unknown_fields=True):
    """One sub-task as a planner proposes it; steps are numbered from 1."""

    covers: list[int]
    description: str
    why: str


class Proposal(Struct, frozen=True, forbid_unknown_fields=True):
    """What a planner answers."""

    sub_tasks: list[ProposedTask]


async def planned_by_model(case: TestCase, asker: Asker) -> tuple[Plan, str]:
    """Return the model's plan if it is faithful to what is written, else the steps as written, and what it changed.

    Raises:
        BudgetSpent, ModelError: the model may not or cannot be asked.
    """
    messages: tuple[Message, ...] = (System(asker.instructions), User(_case_text(case)))
    problems: Sequence[str] = ()
    for _ in range(2):
        try:
            proposal = await structured(asker.ask_for, messages, Proposal)
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
    for at, sub_task in enumerate(proposal.sub_tasks):
        if not sub_task.covers:
            added += 1
            session = _session_after(case, proposal.sub_tasks[at:])
            nodes.append(PlanNode(id=f"added-{added}", description=sub_task.description, session=session))
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
                session=step.session,
            )
        )
    return chained(case, nodes)


def _session_after(case: TestCase, sub_tasks: Sequence[ProposedTask]) -> str:
    """Return the session of the next written step."""
    return next((case.steps[number - 1].session for it in sub_tasks for number in it.covers), MAIN)


def _summary(case: TestCase, proposal: Proposal) -> str:
    """Return in words what a plan changed."""
    numbers = range(1, len(case.steps) + 1)
    split = [n for n in numbers if sum(n in it.covers for it in proposal.sub_tasks) > 1]
    added = [it for it in proposal.sub_tasks if not it.covers]
    parts = [f"step {n} split into {sum(n in it.covers for it in proposal.sub_tasks)}" for n in split]
    parts += [f"added {it.description!r}" + (f" ({it.why})" if it.why else "") for it in added]
    return "; ".join(parts) or "the steps as written"


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

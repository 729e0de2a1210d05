"""Plans of a model, checked for faithfulness to the written case before they are used."""

from collections.abc import Sequence

from msgspec.structs import replace

from muster_grammar import PhraseError, parse_expectation
from muster_model import Assistant, ContextFull, Message, Unparsable, User, ask_structured
from muster_protocol.kinds import PlanInput
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import MAIN, TestCase
from muster_subagent.agent.case_parts import (
    COMPLAINT,
    CheckedProposal,
    CheckedTask,
    Proposal,
    ProposedTask,
    all_steps,
    as_text,
    halves,
    has_room,
    kept,
    question,
)
from muster_subagent.agent.model_calls import Asker, TurnsSpent
from muster_subagent.planner import as_written, chained
from muster_text.faithfulness import find_breaches


async def planned_by_model(asked: PlanInput, asker: Asker) -> tuple[Plan, str]:
    """Return the model's plan where it is faithful to what is written, else the steps as written, and what it changed.

    Raises:
        BudgetSpent, ModelError: the model may not or cannot be asked.
    """
    case = asked.case
    tasks, kept_why = await _part_planned(asked, all_steps(case), (), asker)
    proposal = Proposal([*tasks])
    changes = _changes(case, proposal)
    return composed(case, proposal), "; ".join((*kept_why, *changes)) or "the steps as written"


async def _part_planned(
    asked: PlanInput, part: range, before: Sequence[ProposedTask], asker: Asker
) -> tuple[Sequence[ProposedTask], list[str]]:
    """Return the sub-tasks of a part of the steps, planned in two halves where the context has no room for all of it,
    and why steps of it stand as written."""
    case = asked.case
    messages = question(case, part, before, asker, asked.critique)
    try:
        if has_room(messages, case, part, asker.tier):
            return await _proposed(asked, part, messages, asker)
        problem = "longer than ORCHESTRATOR_CONTEXT_TOKENS and ORCHESTRATOR_MAX_TOKENS have room for"
    except ContextFull as error:
        problem = str(error)
    except TurnsSpent as error:  # a plan is a help: what it left over is carried out as written
        return kept(case, part), [f"{_named(case, part)} as written ({error})"]
    if len(part) < 2:
        return kept(case, part), [f"{_named(case, part)} as written ({problem})"]
    first, second = halves(part)
    tasks, why = await _part_planned(asked, first, before, asker)
    more, more_why = await _part_planned(asked, second, (*before, *tasks), asker)
    return [*tasks, *more], [*why, *more_why]


async def _proposed(
    asked: PlanInput, part: range, messages: tuple[Message, ...], asker: Asker
) -> tuple[Sequence[ProposedTask], list[str]]:
    """Return what the model proposes for a part, if it is faithful to what is written, else the part as written."""
    case, problem = asked.case, ""
    shape = CheckedProposal if asked.checkpoints else Proposal
    for _ in range(2):
        try:
            proposal = Proposal([*(await ask_structured(asker.ask_for, messages, shape)).sub_tasks])
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
    """Return why a proposal cannot be used for a part of the steps, or for all: it is no plan, or not what is written.

    Pure.
    """
    part = all_steps(case) if part is None else part
    absent = "there is no step" if part == all_steps(case) else "not among the steps to plan is step"
    covered = {number for sub_task in proposal.sub_tasks for number in sub_task.covers}
    found = [f"{absent} {n}" for n in sorted(covered) if n not in part]
    if any(len(sub_task.covers) > 1 for sub_task in proposal.sub_tasks):
        found.append("a sub-task covers more than one step")
    if any(not sub_task.description.strip() for sub_task in proposal.sub_tasks):
        found.append("a sub-task says nothing")
    return tuple(found) or find_breaches(case, composed(case, proposal), [number - 1 for number in part])


def composed(case: TestCase, proposal: Proposal) -> Plan:
    """Return a faithful proposal as a plan; a step that was kept has its written words. Pure."""
    written = as_written(case).nodes
    nodes, steps = list(written[: len(case.preconditions)]), written[len(case.preconditions) :]
    counts = {n: sum(n in it.covers for it in proposal.sub_tasks) for n in all_steps(case)}
    seen: dict[int, int] = {}
    added = 0
    for at, sub_task in enumerate(proposal.sub_tasks):
        if not sub_task.covers:
            added += 1
            session = _session_after(case, proposal.sub_tasks[at:])
            node = PlanNode(id=f"added-{added}", description=sub_task.description, session=session)
            nodes.append(replace(node, checkpoint=_checkpoint(sub_task)))
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
            checkpoint="" if last else _checkpoint(sub_task),
        )
        nodes.append(step if counts[number] == 1 else split)
    return chained(case, nodes)


def _checkpoint(sub_task: ProposedTask) -> str:
    """Return what a sub-task is to show half-way, if checks alone can tell."""
    said = sub_task.checkpoint.strip() if isinstance(sub_task, CheckedTask) else ""
    try:
        return said if said and parse_expectation(said) else ""
    except PhraseError:
        return ""


def _session_after(case: TestCase, sub_tasks: Sequence[ProposedTask]) -> str:
    """Return the session of the next written step."""
    return next((case.steps[number - 1].session for it in sub_tasks for number in it.covers), MAIN)


def _changes(case: TestCase, proposal: Proposal) -> list[str]:
    """Return in words what a plan changed."""
    split = [n for n in all_steps(case) if sum(n in it.covers for it in proposal.sub_tasks) > 1]
    added = [it for it in proposal.sub_tasks if not it.covers]
    parts = [f"step {n} split into {sum(n in it.covers for it in proposal.sub_tasks)}" for n in split]
    return parts + [f"added {it.description!r}" + (f" ({it.why})" if it.why else "") for it in added]

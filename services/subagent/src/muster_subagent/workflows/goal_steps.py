"""Which steps of a goal's plan are due, what is wrong with a plan, and what other agents read of it. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

import msgspec

from muster_protocol.goal_plans import Fault, GoalPlan, GoalStep, PlanOutcome, StepOutcome
from muster_text.text_match import both_ends, nearest

LONGEST_SUMMARY = 600
"""Characters of what another step has come to, as an agent is told of it."""


def read_plan(given: object, agents: Collection[str]) -> GoalPlan | str:
    """Return the plan that a value or its JSON is, or what is wrong with it."""
    try:
        value: Any = msgspec.json.decode(given) if isinstance(given, str) else given
        plan = msgspec.convert(value, GoalPlan)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        return f"this is no plan: {error}"
    return _find_plan_problem(plan, agents) or plan


def _find_plan_problem(plan: GoalPlan, agents: Collection[str]) -> str:
    """Return why a plan cannot be carried out by some agents, or ""."""
    ids = [step.id for step in plan.steps]
    for step in plan.steps:
        if ids.count(step.id) > 1:
            return f"two steps have the id {step.id!r}"
        if unknown := next((need for need in step.needs if need not in ids), ""):
            return f"step {step.id} needs {unknown!r}, which is no step{_like(unknown, ids)}"
        if step.agent and step.agent not in agents:
            there = ", ".join(agents)
            return f"step {step.id} is for {step.agent!r}, who is not there{_like(step.agent, agents)}: {there}"
    try:
        TopologicalSorter({step.id: step.needs for step in plan.steps}).prepare()
    except CycleError as error:
        return f"these steps need each other: {', '.join(error.args[1][:-1])}"
    return ""


def due_steps(plan: GoalPlan, outcomes: Mapping[str, StepOutcome]) -> tuple[GoalStep, ...]:
    """Return the steps that have not been tried and whose needs are all done, in the order of the plan."""
    done = {id for id, outcome in outcomes.items() if outcome.status == "done"}
    return tuple(step for step in plan.steps if step.id not in outcomes and done.issuperset(step.needs))


def skipped_steps(plan: GoalPlan, outcomes: Mapping[str, StepOutcome]) -> tuple[StepOutcome, ...]:
    """Return the outcomes of those that were not tried, once no step is due."""
    left = (step for step in plan.steps if step.id not in outcomes)
    return tuple(
        StepOutcome(id=it.id, status="skipped", agent=it.agent, summary="what it needs was not done") for it in left
    )


def plan_task(goal: str, given: Mapping[str, str], agents: Mapping[str, str], rules: str, problem: str) -> str:
    """Return the task of making a plan; `problem` is why the last one could not be used."""
    team = "\n".join(f"- {id}: {description}" for id, description in agents.items())
    return _titled(
        f"Make a plan for this goal, which others carry out: {goal}",
        ("Given (data)", _inputs(given)),
        ("Who may carry out a step", team),
        ("Mind this", rules),
        ("Your last plan could not be used", problem),
    )


def step_task(goal: str, step: GoalStep, plan: GoalPlan, outcomes: Mapping[str, StepOutcome], before: str) -> str:
    """Return the task of carrying out a step; `before` is why it failed when it was last tried."""
    known = [outcomes[id] for id in step.needs if id in outcomes]
    risks = [risk.text + (f" ({risk.notice})" if risk.notice else "") for risk in plan.risks if step.id in risk.steps]
    return _titled(
        f"Carry out step {step.id} of a plan: {step.task}",
        ("What the plan is for", goal),
        ("Done when", step.done_when),
        ("What may go wrong", "\n".join(f"- {it}" for it in risks)),
        ("What was done before (data)", _summaries(known)),
        ("What went wrong when this was tried before (data)", before),
    )


def review_task(goal: str, outcomes: Iterable[StepOutcome], mended: Sequence[Fault]) -> str:
    """Return the task of reviewing what was done; `mended` are the faults of the review before."""
    return _titled(
        f"Review what was done for this goal: {goal}",
        ("What was done, as those say who did it (data)", _summaries(outcomes)),
        ("Faults that were to be mended (data)", fault_lines(mended)),
        ("Hand in", "The faults that keep the goal from being met, with file and line; none if there are none."),
    )


def mend_task(goal: str, faults: Sequence[Fault]) -> str:
    """Return the task of mending what a review has found."""
    return _titled(
        f"Mend what a review has found wrong with what was done for this goal: {goal}",
        ("Faults (data)", fault_lines(faults)),
        ("Hand in", "What was changed for each fault; a fault that is none: say why."),
    )


def fault_lines(faults: Iterable[Fault]) -> str:
    """Return faults in a line each."""
    return "\n".join(f"- {it.text}" + (f" ({it.file}:{it.line})" if it.file else "") for it in faults)


def describe_outcome(outcome: PlanOutcome) -> str:
    """Return what became of a plan, for people."""
    done = sum(step.status == "done" for step in outcome.steps)
    parts = [f"{done} of {len(outcome.plan.steps)} steps done", f"{len(outcome.reviews)} reviews"]
    parts += [f"{outcome.reworks} rounds of rework"] if outcome.reworks else []
    still = f"; still wrong: {outcome.open[0].text}" if outcome.open else ""
    return ", ".join(parts) + still


def _summaries(outcomes: Iterable[StepOutcome]) -> str:
    return "\n".join(f"- {it.id} ({it.status}): {both_ends(it.summary, LONGEST_SUMMARY)}" for it in outcomes)


def _inputs(given: Mapping[str, str]) -> str:
    return "\n\n".join(f"### {name}\n{text}" for name, text in given.items())


def _titled(first: str, *parts: tuple[str, str]) -> str:
    return "\n\n".join((first, *(f"## {title}\n{text.strip()}" for title, text in parts if text.strip())))


def _like(name: str, names: Collection[str]) -> str:
    close = nearest(name, names, 1)
    return f" (did you mean {close[0]!r}?)" if close else ""

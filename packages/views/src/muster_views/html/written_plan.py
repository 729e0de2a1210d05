"""The plan of a run as its page shows it: written steps, and the sub-tasks that carry them out. Pure."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase
from muster_protocol.tool_calls import Usage
from muster_views.attempt_views import AttemptView
from muster_views.attempts import Journals, attempt_view
from muster_views.history import Attempt, History, Node
from muster_views.run_view import node_view
from muster_views.texts import count
from muster_views.views import NodeView


class SubTaskPart(NamedTuple):
    """A sub-task with all that was done for it: its attempts, their evaluations and recoveries, in order."""

    anchor: str
    node: NodeView
    state: str
    attempts: Sequence[AttemptView]
    seconds: float
    """From the first of them to the end of the last."""
    usage: Usage


class Written(NamedTuple):
    """A step or precondition as it is written."""

    label: str
    action: str
    expected: str = ""


class Group(NamedTuple):
    """Written steps and the sub-tasks that carry them out; `label` is for sub-tasks that no written step asks for."""

    state: str
    label: str = ""
    note: str = ""
    written: Sequence[Written] = ()
    sub_tasks: Sequence[SubTaskPart] = ()


def groups_of(history: History, journals: Journals) -> tuple[Group, ...]:
    """Return the plan as written: each step or precondition with its sub-tasks, and what was added in its place."""
    case = _case(history)
    preconditions = iter(case.preconditions if case else ())
    groups: list[Group] = []
    for _, several in groupby(history.planned, key=_place):
        members = list(several)
        first = members[0]
        if first.precondition:
            written: tuple[Written, ...] = (Written("Precondition", next(preconditions, "") or first.description),)
        else:
            written = _steps(case, first.covers)
        parts = [sub_task_part(history, node, node.position, journals) for node in members]
        groups.append(_group(written, parts, added=case is not None))
    return (*groups, *_uncovered(history), *_unplanned(history, journals))


def sub_task_part(history: History, node: Node, position: int, journals: Journals) -> SubTaskPart:
    """Return a sub-task with everything done for it."""
    helpers = [one for one in history.nodes.values() if one.owner == node.id and one is not node]
    done = sorted(_attempts(node, *helpers), key=lambda one: (one[1].started_at, one[1].task.dispatch))
    over = history.verdict is not None
    attempts = [attempt_view(of, one, journals.get(one.task.id, ()), over=over) for of, one in done]
    usage = Usage()
    for attempt in attempts:
        usage = usage.plus(attempt.result.usage) if attempt.result else usage
    recoveries = sum(one.recovery for one in helpers)
    view = node_view(node, sum(one.takeovers for one in attempts), recoveries)
    state = view.status or ("none" if node.attempts else "skipped")
    seconds = max(0.0, done[-1][1].ended_at - done[0][1].started_at) if done else 0.0
    return SubTaskPart(f"sub-task-{position}", replace(view, clauses=()), state, attempts, seconds, usage)


def planning_of(history: History, journals: Journals) -> tuple[AttemptView, ...]:
    """Return the attempts at planning and whatever else the run had done for itself."""
    nodes = [node for node in history.nodes.values() if node.of_run]
    return tuple(attempt_view(node, one, journals.get(one.task.id, ())) for node, one in _attempts(*nodes))


def plan_note(history: History) -> str:
    """Return what planning made of the case: how many sub-tasks of how many steps, and what was split or added."""
    if history.plan is None:
        return "There is no plan."
    made, case = count(len(history.plan.nodes), "sub-task"), _case(history)
    if case is None:
        return made
    before = f"{count(len(case.preconditions), 'precondition')} and " if case.preconditions else ""
    changes = _changes(history.plan, case)
    return f"{before}{count(len(case.steps), 'written step')}, {made}" + (f": {', '.join(changes)}" if changes else "")


def _case(history: History) -> TestCase | None:
    job = history.request.job if history.request else None
    return job if isinstance(job, TestCase) else None


def _attempts(*nodes: Node) -> list[tuple[Node, Attempt]]:
    return [(node, one) for node in nodes for one in node.attempts]


def _changes(plan: Plan, case: TestCase) -> list[str]:
    covered = [index for node in plan.nodes for index in node.covers]
    split = sum(covered.count(index) > 1 for index in range(len(case.steps)))
    added = sum(not node.covers and not node.precondition for node in plan.nodes)
    joined = sum(len(node.covers) > 1 for node in plan.nodes)
    told = (
        (split, f"{count(split, 'step')} split"),
        (added, f"{added} added"),
        (joined, f"{joined} for several steps"),
    )
    return [text for number, text in told if number]


def _place(node: Node) -> tuple[object, ...]:
    """Return what neighbours must have in common to stand together: the same written steps."""
    return ("steps", *node.covers) if node.covers and not node.precondition else ("alone", node.id)


def _group(written: tuple[Written, ...], parts: list[SubTaskPart], *, added: bool) -> Group:
    label = "" if written else "Added by the planner" if added else "Sub-task"
    note = f"split into {count(len(parts), 'sub-task')}" if len(parts) > 1 else ""
    return Group(_worst([part.state for part in parts]), label, note, written, parts)


def _steps(case: TestCase | None, covers: Sequence[int]) -> tuple[Written, ...]:
    steps = case.steps if case else ()
    known = [index for index in covers if 0 <= index < len(steps)]
    return tuple(Written(f"Step {index + 1}", steps[index].action, steps[index].expected) for index in known)


def _uncovered(history: History) -> tuple[Group, ...]:
    """Return the written steps that no sub-task covers: without a plan, all of them."""
    case = _case(history)
    covered = {index for node in history.planned for index in node.covers}
    missing = [index for index in range(len(case.steps) if case else 0) if index not in covered]
    return tuple(Group("skipped", written=_steps(case, (index,))) for index in missing)


def _unplanned(history: History, journals: Journals) -> tuple[Group, ...]:
    """Return what was done for sub-tasks that no plan holds."""
    planned = {node.id for node in history.planned}
    loose = [
        node
        for node in history.nodes.values()
        if not {node.id, node.owner} & planned and not node.of_run and node.attempts
    ]
    parts = [sub_task_part(history, node, number, journals) for number, node in enumerate(loose, len(planned) + 1)]
    return tuple(Group(part.state, "Added during the run", sub_tasks=(part,)) for part in parts)


def _worst(states: Sequence[str]) -> str:
    order = ("fail", "error", "cancelled", "none", "skipped")
    return next((state for state in order if state in states), "pass" if states else "skipped")

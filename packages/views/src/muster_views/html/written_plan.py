"""Builds the plan on a run's page: written steps and the sub-tasks that carry them out. Pure."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from msgspec.structs import replace

from muster_protocol.plans import Plan
from muster_protocol.requests import TestCase
from muster_protocol.tool_calls import Usage
from muster_views.attempt_views import AttemptView
from muster_views.attempts import Journals, view_attempt
from muster_views.history import History
from muster_views.node_history import Attempt, Node
from muster_views.own_sentences import describe_written
from muster_views.run_view import view_node
from muster_views.texts import format_count
from muster_views.views import NodeView


class SubTaskPart(NamedTuple):
    """A sub-task with its attempts, evaluations and recoveries, in order."""

    anchor: str
    node: NodeView
    state: str
    attempts: Sequence[AttemptView]
    seconds: float
    """From the start of the first attempt to the end of the last."""
    usage: Usage


class Written(NamedTuple):
    """A step or precondition as written."""

    label: str
    action: str
    expected: str = ""
    own: str = ""
    """The sentence of one's own that it is part of."""


class Group(NamedTuple):
    """Written steps and the sub-tasks that carry them out; `label` is for sub-tasks without a written step."""

    state: str
    label: str = ""
    note: str = ""
    written: Sequence[Written] = ()
    sub_tasks: Sequence[SubTaskPart] = ()


def build_groups(history: History, journals: Journals) -> tuple[Group, ...]:
    """Return the steps and preconditions in written order with their sub-tasks, and added sub-tasks in between."""
    case = _case(history)
    preconditions = iter(case.preconditions if case else ())
    groups: list[Group] = []
    for _, several in groupby(history.planned, key=_group_key):
        members = list(several)
        first = members[0]
        if first.precondition:
            written: tuple[Written, ...] = (Written("Precondition", next(preconditions, "") or first.description),)
        else:
            written = _written_steps(case, first.covers)
        parts = [_build_part(history, node, node.position, journals) for node in members]
        groups.append(_build_group(written, parts, added=case is not None))
    return (*groups, *_uncovered_groups(history), *_unplanned_groups(history, journals))


def _build_part(history: History, node: Node, position: int, journals: Journals) -> SubTaskPart:
    """Return a sub-task with its attempts, evaluations and recoveries."""
    helpers = [one for one in history.nodes.values() if one.owner == node.id and one is not node]
    done = sorted(_attempts(node, *helpers), key=lambda one: (one[1].started_at, one[1].task.dispatch))
    over = history.verdict is not None
    attempts = [view_attempt(of, one, journals.get(one.task.id, ()), over=over) for of, one in done]
    usage = Usage()
    for attempt in attempts:
        usage = usage.plus(attempt.result.usage) if attempt.result else usage
    recoveries = sum(one.recovery for one in helpers)
    view = view_node(node, sum(one.takeovers for one in attempts), recoveries)
    state = view.status or ("none" if node.attempts else "skipped")
    seconds = max(0.0, done[-1][1].ended_at - done[0][1].started_at) if done else 0.0
    return SubTaskPart(f"sub-task-{position}", replace(view, clauses=()), state, attempts, seconds, usage)


def view_planning(history: History, journals: Journals) -> tuple[AttemptView, ...]:
    """Return the attempts at planning and other work for the run as a whole."""
    nodes = [node for node in history.nodes.values() if node.of_run]
    return tuple(view_attempt(node, one, journals.get(one.task.id, ())) for node, one in _attempts(*nodes))


def describe_plan(history: History) -> str:
    """Summarise the plan: numbers of steps and sub-tasks, and what was split or added."""
    if history.plan is None:
        return "There is no plan."
    made, case = format_count(len(history.plan.nodes), "sub-task"), _case(history)
    if case is None:
        return made
    before = f"{format_count(len(case.preconditions), 'precondition')} and " if case.preconditions else ""
    changes = _describe_changes(history.plan, case)
    return f"{before}{format_count(len(case.steps), 'written step')}, {made}" + (
        f": {', '.join(changes)}" if changes else ""
    )


def _case(history: History) -> TestCase | None:
    job = history.request.job if history.request else None
    return job if isinstance(job, TestCase) else None


def _attempts(*nodes: Node) -> list[tuple[Node, Attempt]]:
    return [(node, one) for node in nodes for one in node.attempts]


def _describe_changes(plan: Plan, case: TestCase) -> list[str]:
    covered = [index for node in plan.nodes for index in node.covers]
    split = sum(covered.count(index) > 1 for index in range(len(case.steps)))
    added = sum(not node.covers and not node.precondition for node in plan.nodes)
    joined = sum(len(node.covers) > 1 for node in plan.nodes)
    changes = (
        (split, f"{format_count(split, 'step')} split"),
        (added, f"{added} added"),
        (joined, f"{joined} for several steps"),
    )
    return [text for number, text in changes if number]


def _group_key(node: Node) -> tuple[object, ...]:
    """Return the key that groups adjacent sub-tasks of the same written steps."""
    return ("steps", *node.covers) if node.covers and not node.precondition else ("alone", node.id)


def _build_group(written: tuple[Written, ...], parts: list[SubTaskPart], *, added: bool) -> Group:
    label = "" if written else "Added by the planner" if added else "Sub-task"
    note = f"split into {format_count(len(parts), 'sub-task')}" if len(parts) > 1 else ""
    return Group(_worst_state([part.state for part in parts]), label, note, written, parts)


def _written_steps(case: TestCase | None, covers: Sequence[int]) -> tuple[Written, ...]:
    steps = case.steps if case else ()
    known = [index for index in covers if 0 <= index < len(steps)]
    return tuple(
        Written(f"Step {index + 1}", steps[index].action, steps[index].expected, describe_written(steps, index))
        for index in known
    )


def _uncovered_groups(history: History) -> tuple[Group, ...]:
    """Return the written steps without a sub-task; all of them if there is no plan."""
    case = _case(history)
    covered = {index for node in history.planned for index in node.covers}
    missing = [index for index in range(len(case.steps) if case else 0) if index not in covered]
    return tuple(Group("skipped", written=_written_steps(case, (index,))) for index in missing)


def _unplanned_groups(history: History, journals: Journals) -> tuple[Group, ...]:
    """Return the sub-tasks that are not in the plan."""
    planned = {node.id for node in history.planned}
    loose = [
        node
        for node in history.nodes.values()
        if not {node.id, node.owner} & planned and not node.of_run and node.attempts
    ]
    parts = [_build_part(history, node, number, journals) for number, node in enumerate(loose, len(planned) + 1)]
    return tuple(Group(part.state, "Added during the run", sub_tasks=(part,)) for part in parts)


def _worst_state(states: Sequence[str]) -> str:
    order = ("fail", "error", "cancelled", "none", "skipped")
    return next((state for state in order if state in states), "pass" if states else "skipped")

"""The plan of a run for its page: written steps, the sub-tasks that carry them out, retries and recoveries. Pure."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from muster_protocol.kinds import KINDS_BY_NAME
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import TestCase
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import Usage
from muster_reports.pages.attempts import Told, attempt_part
from muster_reports.pages.history import History
from muster_reports.pages.journal_moments import Showing, takeovers
from muster_reports.pages.parts import Group, SubTaskPart, Written
from muster_reports.pages.words import count, spent, took


class Work(NamedTuple):
    """All attempts of a run, in order, by the node of the plan they were made for; "" for planning and the like."""

    by_node: Mapping[str, Sequence[Told]]

    def of(self, node: str) -> Sequence[Told]:
        """Return what was done for a node: its own attempts, their evaluations and recoveries."""
        return self.by_node.get(node, ())


def owner_of(task: SubTask, planned: Sequence[str]) -> str:
    """Return the node of the plan that a sub-task is, or was added for; its own node if there is none."""
    if not KINDS_BY_NAME[task.kind].planned and not task.about:
        return ""
    return next((node for node in (task.node, task.about) if node in planned), task.node)


def groups_of(told: History, work: Work, showing: Showing) -> tuple[Group, ...]:
    """Return the plan as written: each step or precondition with its sub-tasks, and what was added in its place."""
    case = told.request.job if told.request and isinstance(told.request.job, TestCase) else None
    nodes = list(told.plan.nodes) if told.plan else []
    position = {node.id: number for number, node in enumerate(nodes, 1)}
    preconditions = iter(case.preconditions if case else ())
    groups: list[Group] = []
    for _, several in groupby(nodes, key=_place):
        members = list(several)
        parts = [sub_task_part(node, position[node.id], work.of(node.id), showing) for node in members]
        if members[0].precondition:
            written: tuple[Written, ...] = (_precondition(members[0], next(preconditions, "")),)
        else:
            written = _steps(case, members[0].covers)
        groups.append(_group(written, parts, added=case is not None))
    return (*groups, *_uncovered(case, nodes), *_unplanned(position, work, showing))


def sub_task_part(node: PlanNode, position: int, done: Sequence[Told], showing: Showing) -> SubTaskPart:
    """Return a node of the plan with everything done for it."""
    own = [one for one in done if one.attempt.sub_task.node == node.id]
    last = own[-1] if own else None
    attempts = [attempt_part(one, showing, recovery=_is_recovery(one, node)) for one in done]
    usage = Usage()
    for one in done:
        usage = usage.plus(one.result.usage if one.result else Usage())
    values = last.attempt.sub_task.step.values if last else {}
    started, ended = (done[0].attempt.started_at, done[-1].attempt.ended_at) if done else (0.0, 0.0)
    return SubTaskPart(
        anchor=f"sub-task-{position}",
        position=position,
        title=showing._replace(values=values).text(node.description),
        state=last.state if last else "skipped",
        badges=_badges(node, done, own),
        took=took(ended - started),
        spent=spent(usage),
        attempts=attempts,
    )


def plan_note(told: History) -> str:
    """Return what planning made of the case: how many sub-tasks of how many steps, and what was split or added."""
    if told.plan is None:
        return "There is no plan."
    made = count(len(told.plan.nodes), "sub-task")
    job = told.request.job if told.request else None
    if not isinstance(job, TestCase):
        return made
    before = f"{count(len(job.preconditions), 'precondition')} and " if job.preconditions else ""
    changes = _changes(told.plan, job)
    return f"{before}{count(len(job.steps), 'written step')}, {made}" + (f": {', '.join(changes)}" if changes else "")


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


def _place(node: PlanNode) -> tuple[object, ...]:
    """Return what neighbours must have in common to stand together: the same written steps."""
    return ("steps", *node.covers) if node.covers and not node.precondition else ("alone", node.id)


def _group(written: tuple[Written, ...], parts: list[SubTaskPart], *, added: bool) -> Group:
    label = "" if written else "Added by the planner" if added else "Sub-task"
    note = f"split into {count(len(parts), 'sub-task')}" if len(parts) > 1 else ""
    return Group(state=_worst([part.state for part in parts]), label=label, note=note, written=written, sub_tasks=parts)


def _steps(case: TestCase | None, covers: Sequence[int]) -> tuple[Written, ...]:
    if case is None:
        return ()
    known = [index for index in covers if 0 <= index < len(case.steps)]
    return tuple(
        Written(label=f"Step {index + 1}", action=case.steps[index].action, expected=case.steps[index].expected)
        for index in known
    )


def _precondition(node: PlanNode, text: str) -> Written:
    return Written(label="Precondition", action=text or node.description)


def _uncovered(case: TestCase | None, nodes: Sequence[PlanNode]) -> tuple[Group, ...]:
    """Return the written steps that no sub-task covers: without a plan, all of them."""
    covered = {index for node in nodes for index in node.covers}
    missing = [index for index in range(len(case.steps) if case else 0) if index not in covered]
    return tuple(Group(state="skipped", written=_steps(case, (index,))) for index in missing)


def _unplanned(position: Mapping[str, int], work: Work, showing: Showing) -> tuple[Group, ...]:
    """Return what was done for nodes that no plan has."""
    found: list[Group] = []
    for number, node in enumerate((node for node in work.by_node if node and node not in position), len(position) + 1):
        task = work.of(node)[0].attempt.sub_task
        plan = PlanNode(id=node, description=task.description, expected_result=task.step.expected_result)
        part = sub_task_part(plan, number, work.of(node), showing)
        found.append(Group(state=part.state, label="Added during the run", sub_tasks=(part,)))
    return tuple(found)


def _badges(node: PlanNode, done: Sequence[Told], own: Sequence[Told]) -> tuple[str, ...]:
    result = own[-1].result if own else None
    recoveries = sum(_is_recovery(one, node) for one in done)
    taken_over = sum(takeovers(one.journal) for one in done)
    found = [
        (len(own) - 1 - recoveries, "retried"),
        (recoveries, "recovered" if result and result.status == "pass" else "recovery tried"),
        (taken_over, "taken over"),
        (bool(result and result.unverified), "unverified"),
        (any(one.attempt.claimed and one.state != one.attempt.claimed.status for one in done), "claim refused"),
        (bool(result and result.source != "phrase"), result.source if result else ""),
    ]
    return tuple(f"{name} ×{number}" if number > 1 else name for number, name in found if number > 0)


def _is_recovery(one: Told, node: PlanNode) -> bool:
    task = one.attempt.sub_task
    return task.node != node.id and KINDS_BY_NAME[task.kind].planned


def _worst(states: Sequence[str]) -> str:
    order = ("fail", "error", "cancelled", "none", "skipped")
    return next((state for state in order if state in states), "pass" if states else "skipped")

"""Sub-tasks with sub-tasks of their own: a parent waits without a worker until all its children are over.

The ids of children follow from their parent's node, attempt and call, so that a call that is made again finds them.
Pure.
"""

from msgspec.structs import replace

from muster_orchestrator.machine.core import parking
from muster_orchestrator.machine.core.budgets import charge
from muster_orchestrator.machine.core.graph import FINAL, Node, add_nodes
from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.state import Run, open_node
from muster_protocol.assignments import MOST_AT_ONCE, MOST_CHILDREN, MOST_DEPTH
from muster_protocol.causes import Failure
from muster_protocol.events import ChildrenAsked
from muster_protocol.ids import task_id
from muster_protocol.journal import Child
from muster_protocol.kinds import AssignInput
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import Budget, ChildEnd, SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage

LONGEST_SUMMARY = 500
"""Characters of a child's summary that its parent's envelope holds; the child's journal has all."""


def apply_children(run: Run, job: Job, event: ChildrenAsked) -> Run:
    """Return the run with an open sub-task waiting for its children; those that it may not have fail at once."""
    node = open_node(run, event.task)
    if node is None or node.sub_task is None or node.status != "open" or event.call in node.children:
        return run
    run = parking.reset_takeovers(charge(run, node, event.spent))
    refused = _find_excess(run, job, node, event)
    rest = node.sub_task.budget.less(event.spent).less(node.sub_task.delegated).shared(max(1, len(event.children)))
    index = event.call.rpartition(":")[2]
    width = len(str(len(event.children)))  # so that ids sort in the order asked
    added = [
        _child_node(node, f"{node.plan.id}-{node.attempt}-{index}-{number:0{width}d}", child, rest)
        for number, child in enumerate(event.children, 1)
    ]
    added = [_refused(run, child, refused) for child in added] if refused else added
    run = replace(run, graph=add_nodes(run.graph, added))
    worked = event.spent.seconds - node.charged.seconds
    task = node.sub_task
    left = replace(task.budget, seconds=max(1.0, task.budget.seconds - max(0.0, worked)))
    waiting = replace(
        node,
        status="delegating",
        sub_task=replace(task, budget=left),
        children={**node.children, event.call: tuple(child.plan.id for child in added)},
        max_concurrent=max(1, min(event.max_concurrent, MOST_AT_ONCE)),
        charged=event.spent,
    )
    return run.with_node(waiting)


def resumable(run: Run) -> tuple[Node, ...]:
    """Return the nodes that wait for children which are all over."""
    return tuple(node for node in run.graph.with_status("delegating") if _awaits_nobody(run, node))


def resume(run: Run, node: Node, dispatch: int) -> SubTask:
    """Return the envelope with which a parent goes on: the same attempt, newer than all that its children held."""
    assert node.sub_task is not None
    session = run.sessions.open.get(node.plan.session)
    return replace(
        node.sub_task,
        dispatch=dispatch,
        resumed=node.sub_task.resumed + 1,
        host=session.host if session else node.sub_task.host,
        children={call: tuple(_end_of(run, run.graph[id]) for id in ids) for call, ids in node.children.items()},
        finish_by=run.deadline,
    )


def room(run: Run) -> dict[str, int]:
    """Return how many more children of each waiting parent may be open; those that ask a person take no room."""
    open_ones = [node.parent for node in run.graph.with_status("open", "delegating")]
    parents = run.graph.with_status("delegating")
    return {node.plan.id: node.max_concurrent - open_ones.count(node.plan.id) for node in parents}


def borrows(run: Run, node: Node) -> bool:
    """Return whether all that have a node's session wait for it: it is lent along the tree and to nobody else."""
    above = set(ancestors(run, node))
    holders = run.graph.with_status("delegating")
    return all(holder.plan.id in above for holder in holders if holder.plan.session == node.plan.session)


def ancestors(run: Run, node: Node) -> tuple[str, ...]:
    """Return the ids of a node's parent, its parent's parent and so on."""
    found: list[str] = []
    while node.parent and node.parent in run.graph and node.parent not in found:
        found.append(node.parent)
        node = run.graph[node.parent]
    return tuple(found)


def children_acted(run: Run, node: Node) -> bool:
    """Return whether a child of a node's open attempt has begun anything that must not be done twice."""
    children = [run.graph[id] for ids in node.children.values() for id in ids]
    return any((child.result is not None and child.result.acted) or children_acted(run, child) for child in children)


def _tree_usage(run: Run, node: Node) -> Usage:
    """Return what the newest attempt at a node and its children have used together."""
    used = node.result.usage if node.result else node.charged
    for ids in node.children.values():
        for id in ids:
            used = used.plus(_tree_usage(run, run.graph[id]))
    return used


def _awaits_nobody(run: Run, node: Node) -> bool:
    return all(run.graph[id].status in FINAL for ids in node.children.values() for id in ids)


def _end_of(run: Run, child: Node) -> ChildEnd:
    result = child.result
    begun = child.attempt > 0
    return ChildEnd(
        node=child.plan.id,
        status=result.status if result else "error",
        task=task_id(run.opened.id, child.plan.id, child.attempt) if begun else "",
        agent=child.asked.agent if child.asked else "",
        summary=(result.summary if result else "it did not run")[:LONGEST_SUMMARY],
        usage=_tree_usage(run, child),
    )


def _child_node(parent: Node, id: str, child: Child, rest: Budget) -> Node:
    """Return the node of a child: in its parent's session, one level deeper, with a part of its parent's rest."""
    given = child.input
    if isinstance(given, AssignInput) and parent.sub_task is not None:
        given = replace(given, depth=max(0, min(given.depth, parent.sub_task.assigned.depth - 1)))
    asked = replace(child, input=given, budget=child.budget.within(rest) if child.budget else rest)
    kind = str(child.input.__struct_config__.tag)
    plan = PlanNode(id=id, description=child.description, kind=kind, session=parent.plan.session)
    return Node(plan=plan, asked=asked, parent=parent.plan.id)


def _find_excess(run: Run, job: Job, node: Node, event: ChildrenAsked) -> str:
    """Return why a sub-task may not have the children that it asks for, or ""."""
    before = sum(map(len, node.children.values()))
    unknown = {str(child.input.__struct_config__.tag) for child in event.children} - job.kinds.keys()
    depth, most = len(ancestors(run, node)), run.opened.limits.max_subtasks
    if unknown:
        return f"a {run.opened.job.name} has no sub-tasks of kind {', '.join(sorted(unknown))}"
    if depth >= MOST_DEPTH or (node.sub_task is not None and node.sub_task.assigned.depth < 1):
        return "sub-agents may not be nested deeper here"
    if before + len(event.children) > MOST_CHILDREN:
        return f"a sub-agent may have {MOST_CHILDREN} sub-agents in all"
    if most is not None and sum(1 for _ in run.graph) + len(event.children) > most:
        return f"the run may have {most} sub-tasks in all (limits.max_subtasks of the request)"
    return ""


def _refused(run: Run, child: Node, why: str) -> Node:
    result = SubTaskResult(
        task=task_id(run.opened.id, child.plan.id, 0),
        node=child.plan.id,
        attempt=0,
        status="error",
        summary=f"not begun: {why}",
        failure=Failure.LIMIT,
        cause=Failure.LIMIT.cause,
    )
    return replace(child, status="failed", result=result)

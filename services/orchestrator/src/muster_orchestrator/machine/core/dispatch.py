"""Finds the sub-tasks that are due and builds their envelopes. Pure."""

from msgspec.structs import replace

from muster_orchestrator.machine.core import session_loss, trees
from muster_orchestrator.machine.core.budgets import budget_of, exceeded_limit
from muster_orchestrator.machine.core.graph import Node, add_nodes
from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.kind_rules import rules_for
from muster_orchestrator.machine.core.state import Run, is_due
from muster_protocol.events import SubTaskDispatched
from muster_protocol.ids import task_id
from muster_protocol.kinds import KINDS_BY_NAME
from muster_protocol.plans import PlanNode
from muster_protocol.requests import TEAM_LABEL
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import Usage


def due_sub_tasks(run: Run, job: Job) -> tuple[SubTaskDispatched, ...]:
    """Return the sub-tasks to dispatch now, while there is budget left."""
    if run.people.paused or run.people.asks or run.parking.reason or exceeded_limit(run):
        return ()
    resumed = trees.resumable(run)
    nodes = job.due(run, _ready_nodes(run))
    first = run.dispatched + 1
    tasks = [trees.resume(run, node, number) for number, node in enumerate(resumed, first)]
    tasks += [_build_sub_task(run, job, node, number) for number, node in enumerate(nodes, first + len(resumed))]
    return tuple(SubTaskDispatched(sub_task=task) for task in tasks)


def _ready_nodes(run: Run) -> tuple[Node, ...]:
    """Return the nodes that can start: their needs are done, no retry pause is left, their session is open and free."""
    taken = {node.plan.session for node in run.graph.with_status("open", "asking")}
    lent = {node.plan.session for node in run.graph.with_status("delegating")} - {""}
    room = trees.room(run)
    found: list[Node] = []
    for node in map(run.graph.__getitem__, run.graph.ready):
        session, parent = node.plan.session, node.parent
        free = not session or (session in run.sessions.open and session not in taken)
        if session in lent and not trees.borrows(run, node):
            free = False
        if is_due(run, node) and free and room.get(parent, 1) > 0:
            found.append(node)
            taken |= {session} - {""}
            room[parent] = room.get(parent, 1) - bool(parent)
    return tuple(found)


def apply_dispatch(run: Run, task: SubTask) -> Run:
    """Return the run with an attempt open; the first attempt adds a node that is not in the plan."""
    run = replace(run, dispatched=max(run.dispatched, task.dispatch))
    if task.node not in run.graph:
        plan = PlanNode(id=task.node, description=task.description, kind=task.kind, session=task.session)
        run = replace(run, graph=add_nodes(run.graph, [Node(plan=plan, about=task.about)]))
    node = run.graph[task.node]
    if task.resumed:
        return run.with_node(replace(node, status="open", sub_task=task))
    opened = replace(node, status="open", attempt=task.attempt, sub_task=task, charged=Usage(), children={})
    return run.with_node(opened)


def _build_sub_task(run: Run, job: Job, node: Node, dispatch: int) -> SubTask:
    plan = node.plan
    session = run.sessions.open.get(plan.session) if plan.session else None
    return SubTask(
        id=task_id(run.opened.id, plan.id, node.attempt + 1),
        run=run.opened.id,
        node=plan.id,
        attempt=node.attempt + 1,
        dispatch=dispatch,
        input=node.asked.input if node.asked else rules_for(job.kinds, node).brief(run, node),
        description=plan.description,
        agent=(node.asked.agent if node.asked else "") or KINDS_BY_NAME[plan.kind].agent,
        about=node.about or node.backtrack_to,
        priority=run.opened.priority,
        session=plan.session if session else "",
        host=session.host if session else "",
        budget=budget_of(run, node),
        parent=node.parent,
        finish_by=run.deadline,
        position=run.graph.places.get(plan.id, 0),
        total=run.graph.total,
        definitions=run.definitions,
        team=run.opened.labels.get(TEAM_LABEL, ""),
        notice=session_loss.write_notice(run, node),
    )

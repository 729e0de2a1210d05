"""Checks the plan of a test case, and restores the written expectations in it. Pure."""

from msgspec.structs import replace

from muster_protocol.ids import is_token
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import TestCase
from muster_text.faithfulness import find_breaches

PLANNING = "plan"
"""Id of the planning node."""
LIMITED_BY = "limits.max_subtasks of the case, else ORCHESTRATOR_MAX_SUBTASKS"


def find_faults(case: TestCase, plan: Plan, max_subtasks: int) -> tuple[str, ...]:
    """Return why a plan does not fit its case; empty if it does."""
    found: list[str] = []
    if len(plan.nodes) > max_subtasks:
        found.append(_too_many(len(plan.nodes), max_subtasks))
    ids = [node.id for node in plan.nodes]
    if len(set(ids)) != len(ids):
        found.append("two sub-tasks of the plan have the same id")
    known: set[str] = set()
    for node in plan.nodes:
        found += _find_node_faults(node, len(case.steps))
        if not set(node.needs) <= known:
            found.append(f"sub-task {node.id!r} needs a sub-task that does not come before it")
        known.add(node.id)
    if tuple(node.description for node in plan.nodes if node.precondition) != case.preconditions:
        found.append("the preconditions are not covered one by one, as written")
    return (*found, *find_breaches(case, plan), *_find_disorder(plan))


def find_excess(case: TestCase, max_subtasks: int) -> str:
    """Return why no plan of a case can be short enough, so that nobody has to make one; or "".

    A plan has a sub-task for each step and precondition at least, as none may cover several.
    """
    least = len(case.preconditions) + len(case.steps)
    return _too_many(least, max_subtasks) if least > max_subtasks else ""


def _too_many(count: int, limit: int) -> str:
    return f"the plan has {count} sub-tasks, the limit is {limit} ({LIMITED_BY})"


def _find_disorder(plan: Plan) -> list[str]:
    """Return where sub-tasks of a session could run in another order than planned."""
    found: list[str] = []
    before: dict[str, frozenset[str]] = {}
    last: dict[str, PlanNode] = {}
    for node in plan.nodes:
        before[node.id] = frozenset(node.needs).union(*(before.get(need, frozenset()) for need in node.needs))
        previous = last.get(node.session)
        if previous is not None and previous.id not in before[node.id]:
            found.append(f"sub-task {node.id!r} does not wait for {previous.id!r} in the same session")
        last[node.session] = node
    return found


def _find_node_faults(node: PlanNode, steps: int) -> list[str]:
    """Return what is wrong with one sub-task: its id, session, kind or the steps that it covers."""
    found: list[str] = []
    if not is_token(node.id) or node.id == PLANNING:
        found.append(f"sub-task {node.id!r} needs another id (1 to 64 letters, digits, '-' or '_', not {PLANNING!r})")
    if not is_token(node.session):
        found.append(f"sub-task {node.id!r} has the invalid session name {node.session!r}")
    if node.kind != "step":
        found.append(f"sub-task {node.id!r} is of kind {node.kind!r}; only a 'step' can carry out what is written")
    if node.precondition and node.covers:
        found.append(f"sub-task {node.id!r} is a precondition and covers a written step; it can be one of the two")
    if any(not 0 <= index < steps for index in node.covers):
        found.append(f"sub-task {node.id!r} covers a step that does not exist")
    return found


def restore_expectations(case: TestCase, plan: Plan) -> Plan:
    """Return the plan with expectations copied verbatim from the case: a planner's wording of them never counts.

    A checkpoint stays only where nothing written is expected.
    """
    last_carrier = {index: node.id for node in plan.nodes for index in node.covers}

    def verbatim(node: PlanNode) -> PlanNode:
        if node.precondition:
            return replace(node, checkpoint="")
        carried = [case.steps[index].expected for index in node.covers if last_carrier[index] == node.id]
        expected = "\n".join(text for text in carried if text.strip())
        return replace(node, expected_result=expected, checkpoint="" if expected else node.checkpoint)

    return Plan(nodes=tuple(verbatim(node) for node in plan.nodes))

"""The nodes of a run, with indexes for decisions, so that no event needs a scan of all nodes."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.detector_work import Located
from muster_protocol.journal import Child, Question
from muster_protocol.kinds import KINDS_BY_NAME
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage

NodeStatus = Literal[
    "waiting", "open", "asking", "delegating", "faulted", "failing", "recovering", "passed", "failed", "skipped"
]
"""`waiting`: for its needs or a retry pause; `asking`: for a person's answer; `delegating`: for its own sub-tasks;
`faulted`: infrastructure failed it, so that it is retried; `failing`: it failed and may be evaluated; `recovering`: a
recovery runs before it is tried again; `passed`, `failed` and `skipped` are final."""

DONE: frozenset[NodeStatus] = frozenset({"passed", "skipped"})
FINAL: frozenset[NodeStatus] = frozenset({"passed", "failed", "skipped"})
LIVE: frozenset[NodeStatus] = frozenset({"open", "asking", "delegating", "faulted", "failing", "recovering", "failed"})
"""Statuses that decisions look at; few nodes have one of them at any time."""
MAX_RECENT = 64
"""Most nodes in `Graph.recent`, which is all that a change copies."""


class Node(Struct, frozen=True, kw_only=True):
    """A node of the plan, or one that the job added, and its progress."""

    plan: PlanNode
    status: NodeStatus = "waiting"
    attempt: int = 0
    faults: int = 0
    recoveries: int = 0
    not_before: float = 0.0
    patience: float = 1.0
    """How many times as long its looks may wait; more than 1 once it is tried again for that."""
    hint: str = ""
    """What the next attempt is told to do otherwise."""
    located: Located | None = None
    """What a detector has found for the next attempt."""
    sub_task: SubTask | None = None
    """The open attempt as it was dispatched."""
    withdrawn: bool = False
    """Whether a person has stopped the open attempt: it is not queued any more, and its holder is fenced."""
    result: SubTaskResult | None = None
    """The newest accepted result."""
    asks: Question | None = None
    """The question it waits for an answer to."""
    about: str = ""
    """Id of the node it was added for."""
    backtrack_to: str = ""
    """Id of the node that is tried again once this one has passed."""
    asked: Child | None = None
    """What was asked for, of a node with an agent or a budget of its own."""
    parent: str = ""
    """Id of the node that asked for it."""
    children: dict[str, tuple[str, ...]] = {}
    """Ids of the nodes that the open attempt has asked for, by the call that asked."""
    max_concurrent: int = 0
    """How many of those that it waits for may be open at once."""
    charged: Usage = Usage()
    """What the open attempt had spent when it was last suspended; the run's usage includes it already."""

    @property
    def planned(self) -> bool:
        """Whether it stands in a plan; others are added when a job dispatches them or a sub-task asks for them."""
        return KINDS_BY_NAME[self.plan.kind].planned and not self.parent


class Graph(Struct, frozen=True, kw_only=True):
    """All nodes by id, in the order they were added. Immutable; a changed copy shares most of its data."""

    old: dict[str, Node] = {}
    recent: dict[str, Node] = {}
    """The nodes changed last; they take precedence over `old`."""
    followers: dict[str, tuple[str, ...]] = {}
    """By node, the ids of the nodes that need it."""
    places: dict[str, int] = {}
    """Number of each planned node, from 1 to `total`; a recovery has that of the node it mends."""
    ready: tuple[str, ...] = ()
    """Nodes that wait for no other node."""
    live: tuple[str, ...] = ()
    """Nodes whose status is one of `LIVE`."""
    passed: int = 0
    """How many nodes of the plan have passed; recoveries do not count."""
    total: int = 0
    """How many nodes the plan has."""
    undone: int = 0
    """How many planned nodes are neither passed nor skipped."""
    skipped: str = ""
    """The first planned node that was skipped."""

    def __getitem__(self, id: str) -> Node:
        return self.recent[id] if id in self.recent else self.old[id]

    def __contains__(self, id: str) -> bool:
        return id in self.recent or id in self.old

    def __iter__(self) -> Iterator[str]:
        yield from self.old
        yield from (id for id in self.recent if id not in self.old)

    def get(self, id: str) -> Node | None:
        """Return the node of an id, or None."""
        return self.recent.get(id) or self.old.get(id)

    def values(self) -> Iterable[Node]:
        """Return all nodes; slow for large runs, so not for decisions after each event."""
        return (self[id] for id in self)

    def with_status(self, *statuses: NodeStatus) -> tuple[Node, ...]:
        """Return the live nodes of some statuses."""
        return tuple([node for id in self.live if (node := self[id]).status in statuses])


def add_nodes(graph: Graph, nodes: Iterable[Node]) -> Graph:
    """Return the graph with new nodes, such as those of a plan."""
    added = tuple(nodes)
    followers, places, total = dict(graph.followers), dict(graph.places), graph.total
    for node in added:
        if node.planned:
            total += _is_own(node)
            places[node.plan.id] = total if _is_own(node) else places.get(node.backtrack_to, 0)
            for need in node.plan.needs:
                followers[need] = (*followers.get(need, ()), node.plan.id)
    old = {**graph.old, **graph.recent, **{node.plan.id: node for node in added}}
    graph = replace(graph, old=old, recent={}, followers=followers, places=places)
    planned = [node for node in added if node.planned]
    graph = replace(graph, total=total, undone=graph.undone + len(planned))
    return replace(graph, ready=_update_ready(graph, (node.plan.id for node in added)))


def _is_own(node: Node) -> bool:
    """Return whether a planned node stands in the plan itself; a recovery does not."""
    return not node.about and not node.backtrack_to


def drop_node(graph: Graph, id: str) -> Graph:
    """Return the graph without an unplanned node that is over, so that runs of many sub-tasks stay small."""
    old = {other: node for other, node in graph.old.items() if other != id}
    recent = {other: node for other, node in graph.recent.items() if other != id}
    live, ready = (tuple(other for other in ids if other != id) for ids in (graph.live, graph.ready))
    return replace(graph, old=old, recent=recent, live=live, ready=ready)


def replace_node(graph: Graph, node: Node) -> Graph:
    """Return the graph with a new version of a node."""
    id, before = node.plan.id, graph[node.plan.id]
    old, recent = graph.old, {**graph.recent, id: node}
    if len(recent) > MAX_RECENT:
        old, recent = {**old, **recent}, {}
    graph = replace(graph, old=old, recent=recent, live=_update_live(graph, node))
    graph = _update_counts(graph, before, node)
    decided = (before.status in DONE) != (node.status in DONE)
    changed = [id, *(graph.followers.get(id, ()) if decided else ())]
    return replace(graph, ready=_update_ready(graph, changed))


def _update_live(graph: Graph, node: Node) -> tuple[str, ...]:
    id, live = node.plan.id, graph.live
    if node.status in LIVE:
        return live if id in live else _sort_by_place(graph, {*live, id})
    return tuple(other for other in live if other != id) if id in live else live


def _sort_by_place(graph: Graph, ids: Iterable[str]) -> tuple[str, ...]:
    """Return nodes in the order of the plan; unplanned ones first."""
    return tuple(sorted(ids, key=lambda id: (graph.places.get(id, 0), id)))


def _update_counts(graph: Graph, before: Node, node: Node) -> Graph:
    if not node.planned or before.status == node.status:
        return graph
    was, now = before.status, node.status
    own = _is_own(node)
    return replace(
        graph,
        passed=graph.passed + (own and now == "passed") - (own and was == "passed"),
        undone=graph.undone + (now not in DONE) - (was not in DONE),
        skipped=graph.skipped or (node.plan.id if now == "skipped" else ""),
    )


def _update_ready(graph: Graph, changed: Iterable[str]) -> tuple[str, ...]:
    """Return the ready nodes after some have changed, in the order of the plan."""
    ready = set(graph.ready)
    for id in changed:
        if needs_met(graph, id):
            ready.add(id)
        else:
            ready.discard(id)
    if ready == set(graph.ready):
        return graph.ready
    return _sort_by_place(graph, ready)


def needs_met(graph: Graph, id: str) -> bool:
    """Return whether a node is waiting and all nodes that it needs are done."""
    node = graph.get(id)
    if node is None or node.status != "waiting":
        return False
    needs = map(graph.get, node.plan.needs)
    return all(need is None or need.status in DONE for need in needs)

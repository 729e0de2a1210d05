"""The nodes of a run with the indexes that decisions need, so that no event makes anybody look at all of them."""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_protocol.journal import Question
from muster_protocol.kinds import KINDS_BY_NAME
from muster_protocol.plans import PlanNode
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import Usage

NodeStatus = Literal["waiting", "open", "asking", "faulted", "failing", "recovering", "passed", "failed", "skipped"]
"""`asking`: it waits for a person; `faulted`: infrastructure failed it, a retry is due; `failing`: it failed, what to
do is not decided yet; `recovering`: another node is to mend what stood in its way; the rest is final."""

DONE: frozenset[NodeStatus] = frozenset({"passed", "skipped"})
LIVE: frozenset[NodeStatus] = frozenset({"open", "asking", "faulted", "failing", "recovering", "failed"})
"""What a decision may be about; there are few of these at any time."""
MAX_RECENT = 64
"""Nodes that are kept apart from the others, so that a change copies these alone."""


class Node(Struct, frozen=True, kw_only=True):
    """One node of the plan, or one that its job added, and how far it is."""

    plan: PlanNode
    status: NodeStatus = "waiting"
    attempt: int = 0
    faults: int = 0
    recoveries: int = 0
    not_before: float = 0.0
    sub_task: SubTask | None = None
    """The open attempt as it was dispatched."""
    result: SubTaskResult | None = None
    """The newest accepted result."""
    asks: Question | None = None
    """The question it waits for an answer to."""
    about: str = ""
    """Id of the node it was added for."""
    backtrack_to: str = ""
    """Id of the node that is tried again once this one has passed."""
    charged: Usage = Usage()
    """What the open attempt has spent by the time it was suspended last; it is a part of the run's usage already."""

    @property
    def planned(self) -> bool:
        """Whether its kind stands in plans; other nodes are added by the job, and come with their dispatch."""
        return KINDS_BY_NAME[self.plan.kind].planned


class Graph(Struct, frozen=True, kw_only=True):
    """All nodes by id, in the order they came; changes give another graph that shares most with this one."""

    old: dict[str, Node] = {}
    recent: dict[str, Node] = {}
    """Those that changed last; they stand before their old ones."""
    followers: dict[str, tuple[str, ...]] = {}
    """Which nodes need a node."""
    places: dict[str, int] = {}
    """Number of each planned node, from 1."""
    ready: tuple[str, ...] = ()
    """Nodes that wait for no other node."""
    live: tuple[str, ...] = ()
    """Nodes whose status is one of `LIVE`."""
    passed: int = 0
    """How many nodes of the plan have passed; those added for others are none of them."""
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
        """Return a node, or None if there is none of that id."""
        return self.recent.get(id) or self.old.get(id)

    def values(self) -> Iterable[Node]:
        """Return all nodes; for people and for ends, never for a decision that an event asks for."""
        return (self[id] for id in self)

    def with_status(self, *statuses: NodeStatus) -> tuple[Node, ...]:
        """Return the live nodes of some statuses."""
        return tuple(node for node in map(self.__getitem__, self.live) if node.status in statuses)


def add_nodes(graph: Graph, nodes: Iterable[Node]) -> Graph:
    """Return the graph with new nodes, such as those of a plan."""
    added = tuple(nodes)
    followers, places = dict(graph.followers), dict(graph.places)
    for node in added:
        if node.planned:
            places[node.plan.id] = len(places) + 1
            for need in node.plan.needs:
                followers[need] = (*followers.get(need, ()), node.plan.id)
    old = {**graph.old, **graph.recent, **{node.plan.id: node for node in added}}
    graph = replace(graph, old=old, recent={}, followers=followers, places=places)
    planned = [node for node in added if node.planned]
    own = sum(not node.about and not node.backtrack_to for node in planned)
    graph = replace(graph, total=graph.total + own, undone=graph.undone + len(planned))
    return replace(graph, ready=_update_ready(graph, (node.plan.id for node in added)))


def replace_node(graph: Graph, node: Node) -> Graph:
    """Return the graph with a node replaced by what became of it."""
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
    """Return nodes in the order of the plan; those that stand in none first."""
    return tuple(sorted(ids, key=lambda id: (graph.places.get(id, 0), id)))


def _update_counts(graph: Graph, before: Node, node: Node) -> Graph:
    if not node.planned or before.status == node.status:
        return graph
    was, now = before.status, node.status
    own = not node.about and not node.backtrack_to
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
    """Return whether a node waits, and for no other node."""
    node = graph.get(id)
    if node is None or node.status != "waiting":
        return False
    needs = map(graph.get, node.plan.needs)
    return all(need is None or need.status in DONE for need in needs)

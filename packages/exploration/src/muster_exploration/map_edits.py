"""Nodes and edges that people and agents add to the map of an app. Pure."""

from collections.abc import Iterable

from msgspec.structs import replace

from muster_exploration.app_map import AppMap, Edge, MapState
from muster_exploration.move_phrases import sayable
from muster_protocol.explorations import Move
from muster_protocol.graphs import MapEdit, NewEdge, NewNode


def edited(known: AppMap, edits: Iterable[MapEdit]) -> AppMap:
    """Return the map with what was added to it; what no longer fits, as the map is another one, is left out."""
    for edit in edits:
        if not edit_problem(known, edit):
            known = _with_node(known, edit) if isinstance(edit, NewNode) else _with_edge(known, edit)
    return known


def edit_problem(known: AppMap, edit: MapEdit) -> str:
    """Return why an edit cannot be made and how to mend that; "" if it can be made."""
    ids = {state.id for state in known.states}
    if isinstance(edit, NewNode):
        return f"the map has a node {edit.id!r} already; choose another id" if edit.id in ids else ""
    missing = next((id for id in (edit.source, edit.target) if id not in ids), "")
    if missing:
        return f"the map has no node {missing!r}; GET /maps/RUN lists all of them as states"
    if not sayable(edit.name):
        return f"no sentence can mean a control called {edit.name!r}"
    source = next(state for state in known.states if state.id == edit.source)
    there = any((known.moves[move].role, known.moves[move].name) == (edit.role, edit.name) for move in source.moves)
    return f"{edit.source!r} has a {edit.role} {edit.name!r} already" if there else ""


def _with_node(known: AppMap, node: NewNode) -> AppMap:
    made = MapState(id=node.id, kin=node.id, exact="", address=node.address, title=node.title, by=node.by or "someone")
    return replace(known, states=(*known.states, made))


def _with_edge(known: AppMap, edge: NewEdge) -> AppMap:
    places = {state.id: place for place, state in enumerate(known.states)}
    at, to = places[edge.source], places[edge.target]
    source, target = known.states[at], known.states[to]
    states = list(known.states)
    states[at] = replace(source, moves=(*source.moves, len(known.moves)))
    if target.via is None and to not in (at, known.start):  # nothing led there before
        states[to] = replace(target, via=(at, len(source.moves)), depth=source.depth + 1)
    move = Move(do="tap", role=edge.role, name=edge.name)
    made = Edge(source=at, move=len(source.moves), outcome="reached", target=to)
    return replace(known, states=tuple(states), moves=(*known.moves, move), edges=(*known.edges, made))

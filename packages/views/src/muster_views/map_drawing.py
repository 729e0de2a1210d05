"""Where the states of a map are drawn, and the lines between them. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from muster_exploration.app_map import AppMap, places_of_findings

MOST_DRAWN = 120
"""More states are drawn as pages, one node for all states of a page; of more pages, those nearest to the start."""


class DrawnNode(Struct, frozen=True, kw_only=True):
    """A node: a state, or all states of one page."""

    state: str
    """Id of the state, of a page the one nearest to the start."""
    title: str
    column: int
    """Moves from the start."""
    row: int
    stands_for: int
    """States that it stands for."""
    findings: int
    start: bool


class DrawnLine(Struct, frozen=True, kw_only=True):
    """A line between two nodes: all moves that lead from one to the other."""

    source: int
    """Index of a node."""
    target: int
    moves: int
    found: bool
    """Whether the target was found along it, so that it is part of the shortest known way there."""


class Drawing(Struct, frozen=True, kw_only=True):
    """A map as it is drawn."""

    by: str
    """`state`, or `page` for a map of many states."""
    nodes: tuple[DrawnNode, ...]
    lines: tuple[DrawnLine, ...]
    undrawn: int
    """Nodes that are left out."""


def draw(known: AppMap) -> Drawing:
    """Return the drawing of a map."""
    by = "state" if known.distinct <= MOST_DRAWN else "page"
    groups: dict[str, list[int]] = {}
    for index, state in enumerate(known.states):
        shown = known.states[state.page_of] if state.page_of >= 0 else state
        groups.setdefault(shown.id if by == "state" else shown.kin, []).append(index)
    near = [min(group, key=lambda index: (known.states[index].depth, index)) for group in groups.values()]
    order = sorted(range(len(near)), key=lambda group: (known.states[near[group]].depth, near[group]))
    drawn, members = order[:MOST_DRAWN], list(groups.values())
    at = {state: number for number, group in enumerate(drawn) for state in members[group]}
    nodes = _place(known, [(near[group], members[group]) for group in drawn], at)
    return Drawing(by=by, nodes=nodes, lines=_lines(known, at), undrawn=len(order) - len(drawn))


def _place(known: AppMap, groups: Sequence[tuple[int, list[int]]], at: dict[int, int]) -> tuple[DrawnNode, ...]:
    """Return the nodes, each in the column of its depth, in the order of where they were found from."""
    rows: dict[int, int] = {}
    columns: dict[int, list[int]] = {}
    for number, (near, _) in enumerate(groups):
        columns.setdefault(known.states[near].depth, []).append(number)
    for _, numbers in sorted(columns.items()):
        numbers.sort(key=lambda number: (_parent_row(known, groups[number][0], at, rows), number))
        rows.update({number: row for row, number in enumerate(numbers)})
    found = places_of_findings(known)
    return tuple(
        DrawnNode(
            state=known.states[near].id,
            title=known.states[near].words,
            column=known.states[near].depth,
            row=rows[number],
            stands_for=len(members),
            findings=sum(not places.isdisjoint(members) for places in found),
            start=known.start in members,
        )
        for number, (near, members) in enumerate(groups)
    )


def _parent_row(known: AppMap, state: int, at: dict[int, int], rows: dict[int, int]) -> int:
    via = known.states[state].via
    return rows.get(at.get(via[0], -1), 0) if via else 0


def _lines(known: AppMap, at: dict[int, int]) -> tuple[DrawnLine, ...]:
    counts: dict[tuple[int, int], int] = {}
    for edge in known.edges:
        ends = at.get(edge.source, -1), at.get(edge.target, -1)
        if min(ends) >= 0 and ends[0] != ends[1]:
            counts[ends] = counts.get(ends, 0) + 1
    tree = {
        (at[state.via[0]], at[index])
        for index, state in enumerate(known.states)
        if state.via and state.via[0] in at and index in at
    }
    return tuple(
        DrawnLine(source=source, target=target, moves=moves, found=(source, target) in tree)
        for (source, target), moves in sorted(counts.items())
    )

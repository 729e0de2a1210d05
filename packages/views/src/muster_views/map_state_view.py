"""One state of a map as people see it: the way to it, what can be done there, and where that leads. Pure."""

from typing import Literal

from msgspec import Struct

from muster_exploration.app_map import AppMap, places_of_findings, way_to
from muster_exploration.map_changes import describe
from muster_exploration.map_file import MapFile
from muster_exploration.move_phrases import sentences_of
from muster_protocol.explorations import TrialOutcome
from muster_views.map_view import FindingView, StateRow, file_name, state_rows, view_finding


class MoveView(Struct, frozen=True, kw_only=True):
    """What can be done in a state."""

    text: str
    outcome: TrialOutcome | Literal["open"]
    """`open`: it was not tried."""
    target: str
    """Id of the state that it led to; empty: none."""
    title: str
    """Of that state."""
    said: str
    """What a dialog said, or why it was refused."""


class StateView(Struct, frozen=True, kw_only=True):
    """A state in full."""

    state: StateRow
    headings: tuple[str, ...]
    path: tuple[str, ...]
    """Sentences that lead there from the start."""
    moves: tuple[MoveView, ...]
    left_out: tuple[str, ...]
    """What was not tried on purpose, and why."""
    findings: tuple[FindingView, ...]
    screen: str
    """Name of the artifact with its elements; empty: none."""
    source: str
    """Name of the artifact with its page source (XML); empty: none."""


def view_state(file: MapFile, id: str) -> StateView | None:
    """Return the view of a state; None if the map has no such state."""
    known = file.map
    index = next((index for index, state in enumerate(known.states) if state.id == id), -1)
    if index < 0:
        return None
    state = known.states[index]
    return StateView(
        state=state_rows(known, (state,))[0],
        headings=state.headings,
        path=_path(file, index),
        moves=_moves(known, index),
        left_out=state.left_out,
        findings=tuple(
            view_finding(file, number) for number, places in enumerate(places_of_findings(known)) if index in places
        ),
        screen=file_name(state.screen),
        source=file_name(state.source),
    )


def _path(file: MapFile, index: int) -> tuple[str, ...]:
    """Return the sentences of the shortest known way; what was entered on it is part of them, secrets by name."""
    edges = {(edge.source, edge.move): edge for edge in file.map.edges}
    steps = [f'Open "{file.job.url}"'] if file.job.url else []
    for step in way_to(file.map, index):
        move, edge = file.map.move(*step), edges.get(step)
        steps += sentences_of(move, edge.values) if edge else [describe(move)]
    return tuple(steps)


def _moves(known: AppMap, index: int) -> tuple[MoveView, ...]:
    done = {edge.move: edge for edge in known.edges if edge.source == index}
    views: list[MoveView] = []
    for place, move in enumerate(known.states[index].moves):
        edge = done.get(place)
        target = known.states[edge.target] if edge and edge.target >= 0 else None
        views.append(
            MoveView(
                text=describe(known.moves[move]),
                outcome=edge.outcome if edge else "open",
                target=target.id if target else "",
                title=target.words if target else "",
                said=edge.text if edge else "",
            )
        )
    return tuple(views)

"""Flows: what was filled in, ticked or pressed on the way to a state. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from muster_exploration.abstraction import abstract_page, view_of
from muster_exploration.app_map import MapState
from muster_protocol.explorations import Move


class Flow(NamedTuple):
    """What leads to a state."""

    steps: tuple[int, ...]
    """The moves on its way that do more than show something: indexes of `AppMap.moves`, in order."""
    pages: int
    """How many of them led to another page."""
    astray: int
    """How many moves it is from the last of these."""


def flows_of(states: Sequence[MapState], moves: Sequence[Move]) -> list[Flow]:
    """Return the flow of each state."""
    found: dict[int, Flow] = {}
    for index in range(len(states)):
        way, at = list[int](), index
        while at not in found and (via := states[at].via) is not None and len(way) <= len(states):
            way.append(at)
            at = via[0]
        flow = found.setdefault(at, Flow((), 0, 0))
        for one in reversed(way):
            flow = found[one] = onward(states, moves, flow, one)
    return [found[index] for index in range(len(states))]


def onward(states: Sequence[MapState], moves: Sequence[Move], flow: Flow, state: int) -> Flow:
    """Return the flow of a state by that of the state before it."""
    via = states[state].via
    assert via is not None
    source, target = states[via[0]], states[state]
    done = source.moves[via[1]]
    if _only_shows(moves[done], source, target):
        return flow._replace(astray=flow.astray + 1)
    steps = (*flow.steps, done)
    if _page_of(source) == _page_of(target):  # it complains, or shows more
        return Flow(steps, flow.pages, flow.astray + 1)
    return Flow(steps, flow.pages + 1, 0)


def _page_of(state: MapState) -> tuple[object, ...]:
    return (abstract_page(state.address), state.title, state.headings)


def _only_shows(move: Move, source: MapState, target: MapState) -> bool:
    """Return whether a move changes nothing but what is shown: a link, a search, another view of the same page."""
    searches = bool(move.blanks_filled) and all(blank.role == "searchbox" for blank in move.blanks_filled)
    page, view = abstract_page(source.address), view_of(target.address)
    return move.follows or searches or (bool(view) and page == abstract_page(target.address))

"""Where to look for a goal: along flows, and not for what was tried where nothing has changed since. Pure.

The same link is one move with one target until a step of a flow is made; after it, the link may show something else,
above all if both speak of the same thing.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from muster_exploration.abstraction import abstract_address
from muster_exploration.app_map import AppMap, MapState
from muster_exploration.map_index import index_of
from muster_exploration.move_words import move_words, words_of
from muster_protocol.explorations import EarlierMove, Move

_NEW, _CHANGED, _STALE = range(3)
"""How new a move is: never tried; tried, but not after the steps of this flow; tried after them."""
_FILLS, _PRESSES, _FOLLOWS, _SETS = range(4)


class Prospect(NamedTuple):
    """The sort key of a move: the most promising move has the lowest."""

    news: int
    off_goal: int
    """Minus the number of words that it shares with the goal."""
    far: int
    """Moves from the end of the flow to its state, less the length of the flow; more where its kind was tried often."""
    late: bool
    unrelated: int
    """At the end of a flow, minus the number of words that it shares with the step before it; else 0."""
    kind: int
    common: int
    """Roughly, in how many states it is possible. Within a flow rare moves come first, as they are its next steps;
    elsewhere common ones do, as they lead to the parts of the app."""
    small: int
    """Minus how many fields it fills in."""
    state: int
    place: int


def prospects(known: AppMap, goal: str, open_moves: Sequence[tuple[int, tuple[int, ...]]]) -> list[Prospect]:
    """Return what can be tried, by state and its moves, the most promising first."""
    index, wanted = index_of(known), frozenset(words_of(goal))
    flows, tried, kin = index.flows, index.tries, index.kin_tries
    spread = Counter(move for state in known.states for move in state.moves)
    told = {(edge.source, edge.move): " ".join((edge.text, *edge.alerts)) for edge in known.edges}
    since = Counter[tuple[tuple[int, ...], int]]()
    for edge in known.edges:
        since[flows[edge.source].steps, known.states[edge.source].moves[edge.move]] += 1

    def prospect(at: int, place: int) -> Prospect:
        state, move = known.states[at], known.move(at, place)
        which, flow, words = state.moves[place], flows[at], move_words(move)
        in_flow = bool(move.first or (flow.pages and not flow.astray))
        related = len(words & _before(known, at, move, told)) if in_flow else 0
        news = _STALE if _stays(move, state) or since[flow.steps, which] else _CHANGED if tried[which] else _NEW
        return Prospect(
            news=news,
            off_goal=-len(wanted & words),
            far=flow.astray - flow.pages + _detour(move, related=bool(related)) + (kin[state.kin] // _FEW).bit_length(),
            late=move.late,
            unrelated=-related,
            kind=_kind(move),
            common=spread[which].bit_length() * (1 if in_flow else -1),
            small=-len(move.blanks_filled) - len(move.first),
            state=at,
            place=place,
        )

    return sorted(prospect(at, place) for at, places in open_moves for place in places)


_FEW = 5
"""After this many moves from one kind of state, other kinds come first."""


def _stays(move: Move, at: MapState) -> bool:
    """Return whether a link leads to a place on its own page."""
    here, there = at.address.partition("#")[0], move.address.partition("#")[0]
    return (
        move.role == "link"
        and bool(move.address)
        and here == there
        and abstract_address(move.address) == abstract_address(at.address)
    )


def _detour(move: Move, *, related: bool) -> int:
    """Return how much further off a pair of moves is, or nearer: what is shown after a step it has to do with."""
    if not move.first:
        return 0
    sends = all(step.do in ("tap", "fill") for step in move.first)
    return -1 if move.do == "fill" or (related and sends) else 1


def _kind(move: Move) -> int:
    """Return what kind of move it is: a form leads on, a single choice mostly shows the same page otherwise."""
    if move.do == "fill":
        return _FILLS
    if move.do != "tap":
        return _SETS
    return _FOLLOWS if move.role == "link" else _PRESSES


def _before(known: AppMap, at: int, move: Move, told: dict[tuple[int, int], str]) -> frozenset[str]:
    """Return the words of the step before a move, and of what the app said to it."""
    if move.first:
        steps: Sequence[EarlierMove] = move.first
        places = [place for place, one in enumerate(known.states[at].moves) if known.moves[one].earlier in steps]
        said = " ".join(told.get((at, place), "") for place in places)
    elif via := known.states[at].via:
        steps, said = (known.move(*via),), told.get(via, "")
    else:
        return frozenset()
    return frozenset((*words_of(said), *(word for step in steps for word in move_words(step))))

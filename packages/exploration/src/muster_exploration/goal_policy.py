"""Where to look for a goal: along flows, skipping moves that were tried if nothing has changed since. Pure.

The same link is one move with one target until a step of a flow is made; after it, the link may show something else,
above all if both speak of the same thing.
"""

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from muster_exploration.abstraction import abstract_address
from muster_exploration.app_map import AppMap, MapState
from muster_exploration.map_index import MapIndex, index_of
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


def prospects(known: AppMap, goal: str, open_moves: Sequence[tuple[int, tuple[int, ...]]]) -> Iterator[list[Prospect]]:
    """Yield what can be tried, by state and its moves: the most promising state first, and of each its moves likewise.

    A state is looked at move by move only where its rank at best comes before that of those looked at so far.
    """
    wanted = frozenset(words_of(goal))
    ranks = [(_at_best(known, wanted, at, places), at, places) for at, places in open_moves]
    heapq.heapify(ranks)
    close: list[list[Prospect]] = []
    while ranks or close:
        while ranks and len(close) < CLOSE and not (close and close[0][0] < ranks[0][0]):
            _, at, places = heapq.heappop(ranks)
            heapq.heappush(close, sorted(_prospect(known, wanted, at, place) for place in places))
        yield heapq.heappop(close)


def _at_best(known: AppMap, wanted: frozenset[str], at: int, places: tuple[int, ...]) -> tuple[int, int, int]:
    """Return what none of a state's moves ranks before: the beginning of a sort key."""
    index, state = index_of(known), known.states[at]
    tried = all(index.tries[state.moves[place]] for place in places)
    return (_CHANGED if tried else _NEW, -len(wanted & index.words[at]), _far(index, at, state) - 1)


def _far(index: MapIndex, at: int, state: MapState) -> int:
    flow = index.flows[at]
    return flow.astray - flow.pages + (index.kin_tries[state.kin] // _FEW).bit_length()


def _prospect(known: AppMap, wanted: frozenset[str], at: int, place: int) -> Prospect:
    index, state, move = index_of(known), known.states[at], known.move(at, place)
    which, flow, words = state.moves[place], index.flows[at], move_words(move)
    in_flow = bool(move.first or (flow.pages and not flow.astray))
    related = len(words & _before(known, at, move)) if in_flow else 0
    again = _stays(move, state) or index.since[flow.steps, which]
    return Prospect(
        news=_STALE if again else _CHANGED if index.tries[which] else _NEW,
        off_goal=-len(wanted & words),
        far=_far(index, at, state) + _detour(move, related=bool(related)),
        late=move.late,
        unrelated=-related,
        kind=_kind(move),
        common=index.spread[which].bit_length() * (1 if in_flow else -1),
        small=-len(move.blanks_filled) - len(move.first),
        state=at,
        place=place,
    )


CLOSE = 50
"""States that are looked at move by move for a tour: of many that are alike at best, the first found will do."""
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


def _before(known: AppMap, at: int, move: Move) -> frozenset[str]:
    """Return the words of the step before a move, and of what the app said to it."""
    if move.first:
        steps: Sequence[EarlierMove] = move.first
        places = [place for place, one in enumerate(known.states[at].moves) if known.moves[one].earlier in steps]
        said = " ".join(_told(known, at, place) for place in places)
    elif via := known.states[at].via:
        steps, said = (known.move(*via),), _told(known, *via)
    else:
        return frozenset()
    return frozenset((*words_of(said), *(word for step in steps for word in move_words(step))))


def _told(known: AppMap, at: int, place: int) -> str:
    """Return what the app said when a move of a state was tried."""
    edge = index_of(known).edges.get((at, place), -1)
    return " ".join((known.edges[edge].text, *known.edges[edge].alerts)) if edge >= 0 else ""

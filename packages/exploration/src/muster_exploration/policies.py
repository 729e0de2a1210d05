"""Which part of an app to explore next, by policy. Pure: the same map, wish and seed give the same choice."""

import heapq
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from muster_exploration.app_map import AppMap, MapState, PolicySwitch
from muster_exploration.goal_policy import prospects
from muster_exploration.map_index import index_of
from muster_exploration.move_words import move_words, words_of
from muster_protocol.explorations import ExplorationPolicy

FAIR = 10
"""Moves that are tried of one kin of states before another comes first."""
BARREN = 10
"""Tours in a row without a new state after which the next policy takes over."""


class Wish(NamedTuple):
    """What an exploration is after."""

    policies: tuple[ExplorationPolicy, ...] = ("coverage",)
    seed: int = 0
    moves: int = 5
    """Most moves of a tour."""
    goal: str = ""
    focus: str = ""


class Pick(NamedTuple):
    """A state, and which of its moves to try."""

    state: int
    places: tuple[int, ...]


class _Open(NamedTuple):
    """A state of the frontier."""

    at: int
    """Its index."""
    state: MapState
    left: tuple[int, ...]
    """All its moves that are left to try."""
    places: tuple[int, ...]
    """Those to try now: the late ones only where no others are left."""
    late: bool


def policy_of(known: AppMap, wish: Wish) -> ExplorationPolicy:
    """Return the policy that is followed now."""
    return wish.policies[min(len(known.switches), len(wish.policies) - 1)]


def due_switch(known: AppMap, wish: Wish, tour: int) -> PolicySwitch | None:
    """Return the change to the next policy, if the present one has not found anything new for long."""
    since = known.switches[-1].tour if known.switches else 0
    if len(known.switches) + 1 >= len(wish.policies) or known.barren < BARREN or tour - since < BARREN:
        return None
    before, after = policy_of(known, wish), wish.policies[len(known.switches) + 1]
    return PolicySwitch(tour=tour, before=before, after=after, reason=f"{known.barren} tours found nothing new")


def rank_tours(known: AppMap, wish: Wish, left: Mapping[int, tuple[int, ...]]) -> Iterator[Pick]:
    """Yield candidate tours, best first, each from another state; lazily, as mostly only the first is needed.

    What is left to choose from is the map's frontier without what tours under way are to try.
    """
    frontier = [_opened(known, index, places) for index, places in sorted(left.items())]
    return _CHOICES[policy_of(known, wish)](known, wish, frontier)


def _opened(known: AppMap, index: int, places: tuple[int, ...]) -> _Open:
    state = known.states[index]
    if not known.moves[state.moves[places[-1]]].late:
        return _Open(index, state, places, places, late=False)
    early = tuple(place for place in places if not known.move(index, place).late)
    return _Open(index, state, places, early or places, late=not early)


def _best_first(frontier: Sequence[_Open], rank: Callable[[_Open], tuple[Any, ...]]) -> Iterator[_Open]:
    """Yield states by rank, which no two share; without sorting them all, as mostly only the first is needed."""
    ranked = [(rank(one), one) for one in frontier]
    heapq.heapify(ranked)
    while ranked:
        yield heapq.heappop(ranked)[1]


def _nearest_first(_known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    for one in _best_first(frontier, lambda one: (one.late, one.state.depth, one.at)):
        yield Pick(one.at, one.places[: wish.moves])


def _newest_first(_known: AppMap, _wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Go deeper after each move: one at a time, in what was found last."""
    for one in _best_first(frontier, lambda one: (one.late, -one.at)):
        yield Pick(one.at, one.places[:1])


def _times(known: AppMap, one: _Open, place: int) -> int:
    """Return how often a move was tried, on all states together."""
    return index_of(known).tries[one.state.moves[place]]


def _least_tried(known: AppMap, one: _Open, most: int) -> tuple[object, ...]:
    """Return the rank of a state: those with moves that were never tried come first, then those of little-tried kin.

    The further a flow has led, the more moves are tried at its end before states of other kin come first.
    """
    index, moves = index_of(known), one.state.moves
    fresh = [index.tries[moves[place]] for place in one.places].count(0)
    flow = index.flows[one.at]
    far = index.kin_tries[one.state.kin] // FAIR + flow.astray - flow.pages
    return (one.late, fresh == 0, far, one.state.depth, -min(fresh, most), one.at)


def _never_tried_first(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Prefer moves that were tried on no state, then states of whose kin little was tried."""
    for one in _best_first(frontier, lambda one: _least_tried(known, one, wish.moves)):
        ordered = sorted(one.places, key=lambda place: (_times(known, one, place), place))
        yield Pick(one.at, tuple(ordered[: wish.moves]))


def _focused_first(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Prefer what is in the part of the app, then the moves whose words lead to it, then what was tried nowhere."""
    wanted = set(words_of(wish.focus))

    def score(one: _Open, place: int) -> int:
        return len(wanted & move_words(known.move(one.at, place)))

    def rank(one: _Open) -> tuple[object, ...]:
        there = len(wanted & set(words_of(" ".join((one.state.address, one.state.title, *one.state.headings)))))
        best = max(score(one, place) for place in one.places)
        return (-there, -best, *_least_tried(known, one, wish.moves))

    for one in _best_first(frontier, rank):
        ordered = sorted(one.places, key=lambda place: (-score(one, place), _times(known, one, place), place))
        yield Pick(one.at, tuple(ordered[: wish.moves]))


def _goal_first(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Go on along the most promising move; links are tried several at a time, for from them it is not far back."""
    for ranked in prospects(known, wish.goal, [(one.at, one.left) for one in frontier]):
        places = [one.place for one in ranked]
        links = list(takewhile(lambda place, at=ranked[0].state: known.move(at, place).follows, places))
        yield Pick(ranked[0].state, tuple(links[: wish.moves] or places[:1]))


def _by_chance(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    dice = random.Random(f"{wish.seed}|{len(known.edges)}|{len(known.states)}")
    for one in dice.sample(list(frontier), len(frontier)):
        yield Pick(one.at, tuple(dice.sample(one.left, len(one.left))[:1]))


_CHOICES: dict[ExplorationPolicy, Callable[[AppMap, Wish, Sequence[_Open]], Iterator[Pick]]] = {
    "bfs": _nearest_first,
    "dfs": _newest_first,
    "coverage": _never_tried_first,
    "focused": _focused_first,
    "goal": _goal_first,
    "random": _by_chance,
}

"""Which part of an app to explore next, by policy. Pure: the same map, wish and seed give the same choice."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from muster_exploration.app_map import AppMap, MapState, PolicySwitch
from muster_exploration.goal_policy import prospects
from muster_exploration.move_words import move_words, words_of
from muster_protocol.explorations import ExplorationPolicy

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
    places: tuple[int, ...]
    """The moves to try now: the late ones only where no others are left."""
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


def rank_tours(known: AppMap, wish: Wish) -> Iterator[Pick]:
    """Yield candidate tours, best first, each from another state; lazily, as mostly only the first is needed."""
    frontier = [_opened(known, index, places) for index, places in sorted(known.open.items())]
    return _CHOICES[policy_of(known, wish)](known, wish, frontier)


def _opened(known: AppMap, index: int, places: tuple[int, ...]) -> _Open:
    early = tuple(place for place in places if not known.move(index, place).late)
    return _Open(index, known.states[index], early or places, late=not early)


def _nearest_first(_known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    for one in sorted(frontier, key=lambda one: (one.late, one.state.depth, one.at)):
        yield Pick(one.at, one.places[: wish.moves])


def _newest_first(_known: AppMap, _wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Go deeper after each move: one at a time, in what was found last."""
    for one in sorted(frontier, key=lambda one: (one.late, -one.at)):
        yield Pick(one.at, one.places[:1])


class _Tried(NamedTuple):
    """How often moves were tried, on all states together, and moves of each kind of state."""

    moves: Counter[int]
    kin: Counter[str]

    def order(self, one: _Open, most: int) -> tuple[object, ...]:
        """Return the place of a state by how much it has that was tried nowhere, then of whose kin little was tried."""
        fresh = sum(self.times(one, place) == 0 for place in one.places)
        return (one.late, fresh == 0, self.kin[one.state.kin], one.state.depth, -min(fresh, most), one.at)

    def times(self, one: _Open, place: int) -> int:
        return self.moves[one.state.moves[place]]


def _tried(known: AppMap) -> _Tried:
    moves = Counter(known.states[edge.source].moves[edge.move] for edge in known.edges)
    return _Tried(moves, Counter(known.states[edge.source].kin for edge in known.edges))


def _never_tried_first(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Prefer moves that were tried on no state, then states of whose kin little was tried."""
    tried = _tried(known)
    for one in sorted(frontier, key=lambda one: tried.order(one, wish.moves)):
        ordered = sorted(one.places, key=lambda place: (tried.times(one, place), place))
        yield Pick(one.at, tuple(ordered[: wish.moves]))


def _focused_first(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Prefer what is in the part of the app, then the moves whose words lead to it, then what was tried nowhere."""
    wanted, tried = set(words_of(wish.focus)), _tried(known)

    def score(one: _Open, place: int) -> int:
        return len(wanted & set(move_words(known.move(one.at, place))))

    def rank(one: _Open) -> tuple[object, ...]:
        there = len(wanted & set(words_of(" ".join((one.state.address, one.state.title, *one.state.headings)))))
        best = max(score(one, place) for place in one.places)
        return (-there, -best, *tried.order(one, wish.moves))

    for one in sorted(frontier, key=rank):
        ordered = sorted(one.places, key=lambda place: (-score(one, place), tried.times(one, place), place))
        yield Pick(one.at, tuple(ordered[: wish.moves]))


def _goal_first(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    """Go on along the most promising move; links are tried several at a time, for from them it is not far back."""
    picks: dict[int, list[int]] = {}
    full: set[int] = set()
    for one in prospects(known, wish.goal, [(one.at, known.open[one.at]) for one in frontier]):
        places = picks.setdefault(one.state, [])
        follows = known.move(one.state, one.place).follows
        if one.state not in full and len(places) < wish.moves and (follows or not places):
            places.append(one.place)
        if not follows:
            full.add(one.state)
    yield from (Pick(state, tuple(places)) for state, places in picks.items())


def _by_chance(known: AppMap, wish: Wish, frontier: Sequence[_Open]) -> Iterator[Pick]:
    dice = random.Random(f"{wish.seed}|{len(known.edges)}|{len(known.states)}")
    for one in dice.sample(list(frontier), len(frontier)):
        places = known.open[one.at]
        yield Pick(one.at, tuple(dice.sample(places, len(places))[:1]))


_CHOICES: dict[ExplorationPolicy, Callable[[AppMap, Wish, Sequence[_Open]], Iterator[Pick]]] = {
    "bfs": _nearest_first,
    "dfs": _newest_first,
    "coverage": _never_tried_first,
    "focused": _focused_first,
    "goal": _goal_first,
    "random": _by_chance,
}

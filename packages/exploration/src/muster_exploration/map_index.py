"""Lookups into a map, derived from it; each merge updates them, so that a large map costs no more per tour. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from muster_exploration.app_map import AppMap, Edge, MapState
from muster_exploration.flows import Flow, flows_of
from muster_exploration.move_words import move_words
from muster_protocol.explorations import Move


class MapIndex(NamedTuple):
    """Lookups that each tour needs."""

    ids: dict[str, int]
    """States by their id."""
    kin: dict[str, tuple[int, ...]]
    """States by what they share."""
    flows: list[Flow]
    """The flow of each state."""
    moves: dict[Move, int]
    tries: list[int]
    """How often each move was tried, in all states together."""
    kin_tries: Counter[str]
    """How many moves were tried in the states of each kin."""
    edges: dict[tuple[int, int], int]
    """The edge of each move that was tried, by its state and place."""
    since: Counter[tuple[tuple[int, ...], int]]
    """How often each move was tried after the steps of a flow."""
    spread: list[int]
    """In how many states each move is possible."""
    words: list[frozenset[str]]
    """The words of each state's moves."""

    def copy(self) -> "MapIndex":
        """Return a copy that can be changed without changing this one."""
        return MapIndex(
            ids=dict(self.ids),
            kin=dict(self.kin),
            flows=list(self.flows),
            moves=dict(self.moves),
            tries=list(self.tries),
            kin_tries=Counter(self.kin_tries),
            edges=dict(self.edges),
            since=Counter(self.since),
            spread=list(self.spread),
            words=list(self.words),
        )

    def add_move(self, move: Move) -> bool:
        """Add a move that any state may have; return whether it is new."""
        new = self.moves.setdefault(move, len(self.tries)) == len(self.tries)
        if new:
            self.tries.append(0)
            self.spread.append(0)
        return new

    def add_state(self, state: MapState, flow: Flow, moves: Sequence[Move]) -> None:
        """Add a state to which a flow leads; `moves` are those of the map."""
        at = self.ids[state.id] = len(self.flows)
        self.kin[state.kin] = (*self.kin.get(state.kin, ()), at)
        self.flows.append(flow)
        self.words.append(frozenset())
        self.widen(at, state.moves, moves)

    def widen(self, state: int, more: Sequence[int], moves: Sequence[Move]) -> None:
        """Note that a state has more moves."""
        for move in more:
            self.spread[move] += 1
        self.words[state] = self.words[state].union(*(move_words(moves[move]) for move in more))

    def add_edge(self, at: int, edge: Edge, source: MapState) -> None:
        """Add the edge of that index: a move that was tried."""
        move = source.moves[edge.move]
        self.tries[move] += 1
        self.kin_tries[source.kin] += 1
        self.edges[edge.source, edge.move] = at
        self.since[self.flows[edge.source].steps, move] += 1

    def lead_anew(self, states: Sequence[MapState], moves: Sequence[Move]) -> None:
        """Work out the flows anew after the way to a state has changed."""
        before = [flow.steps for flow in self.flows]
        self.flows[:] = flows_of(states, moves)
        if before != [flow.steps for flow in self.flows]:
            self.since.clear()
            self.since.update((self.flows[at].steps, states[at].moves[place]) for at, place in self.edges)


def index_of(known: AppMap) -> MapIndex:
    """Return the index of a map; one that came from a merge has it already."""
    if "index" not in vars(known):
        with_index(known, _index(known))
    index: MapIndex = vars(known)["index"]
    return index


def with_index(known: AppMap, index: MapIndex) -> AppMap:
    """Attach an index that is up to date to a map, and return that map."""
    vars(known)["index"] = index
    return known


def _index(known: AppMap) -> MapIndex:
    index = MapIndex(
        ids={},
        kin={},
        flows=[],
        moves={},
        tries=[],
        kin_tries=Counter(),
        edges={},
        since=Counter(),
        spread=[],
        words=[],
    )
    for move in known.moves:
        index.add_move(move)
    for state, flow in zip(known.states, flows_of(known.states, known.moves), strict=True):
        index.add_state(state, flow, known.moves)
    for at, edge in enumerate(known.edges):
        index.add_edge(at, edge, known.states[edge.source])
    return index

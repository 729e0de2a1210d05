"""Lookups into a map, derived from it; each merge updates them, so that a large map costs no more per tour. Pure."""

from collections import Counter
from typing import NamedTuple

from muster_exploration.app_map import AppMap
from muster_exploration.flows import Flow, flows_of
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

    def copy(self) -> "MapIndex":
        """Return a copy that can be changed without changing this one."""
        return MapIndex(
            ids=dict(self.ids),
            kin=dict(self.kin),
            flows=list(self.flows),
            moves=dict(self.moves),
            tries=list(self.tries),
            kin_tries=Counter(self.kin_tries),
        )


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
    kin: dict[str, tuple[int, ...]] = {}
    for at, state in enumerate(known.states):
        kin[state.kin] = (*kin.get(state.kin, ()), at)
    tried = Counter(known.states[edge.source].moves[edge.move] for edge in known.edges)
    return MapIndex(
        ids={state.id: at for at, state in enumerate(known.states)},
        kin=kin,
        flows=flows_of(known.states, known.moves),
        moves={move: at for at, move in enumerate(known.moves)},
        tries=[tried[at] for at in range(len(known.moves))],
        kin_tries=Counter(known.states[edge.source].kin for edge in known.edges),
    )

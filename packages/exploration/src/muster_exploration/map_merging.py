"""Merges the results of tours into the map of an app: new states, and moves left to try. Pure."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from muster_exploration.abstraction import GAP, abstract_page, query_pairs, view_of
from muster_exploration.app_map import (
    AppMap,
    Edge,
    MapFinding,
    MapState,
    find_shared,
    finding_key,
    is_known_fault,
    key_on,
)
from muster_exploration.flows import Flow, onward
from muster_exploration.map_index import index_of, with_index
from muster_protocol.explorations import Move, Sighting, Trial
from muster_protocol.kinds import ExploreOutput

LONGEST_CHAIN = 3
"""Pages of a sequence that are explored before it counts as endless: more of them show nothing new."""
MOST_BROKEN = 2
"""Ways to a state that may break before what is left there is given up."""
MOST_FINDINGS = 500
MOST_VIEWS = 3
"""Findings of one fault whose requests ask for different things; more of them show nothing new."""


class Tried(NamedTuple):
    """A tour that is over: where it was sent, and what it has seen."""

    state: int
    """-1: to the start, wherever that is."""
    places: tuple[int, ...]
    """Which of the state's moves it was to try."""
    output: ExploreOutput


def merge(before: AppMap, tours: Iterable[Tried], instances: int = 500) -> AppMap:
    """Return the map with what tours have seen, in the order given."""
    draft = _Draft(before, instances)
    for tour in tours:
        draft.add(tour)
    return draft.finish()


def _leads_on(move: Move, at: MapState) -> bool:
    """Return whether a move only goes to another screen; the links of an app without addresses have none, either."""
    plain = move.do == "tap" and move.role == "link" and not move.first
    return move.follows or (plain and not at.address.startswith("http"))


class _Draft:
    """A map that is being changed."""

    def __init__(self, before: AppMap, instances: int) -> None:
        self._before, self._instances = before, instances
        self._states, self._edges = list(before.states), list(before.edges)
        self._moves, self._index = list(before.moves), index_of(before).copy()
        self._open, self._aliases = dict(before.open), dict(before.aliases)
        self._findings, self._barren, self._start = list(before.findings), before.barren, before.start

    def finish(self) -> AppMap:
        made = replace(
            self._before,
            version=self._before.version + 1,
            start=self._start,
            states=tuple(self._states),
            moves=tuple(self._moves),
            edges=tuple(self._edges),
            open=self._open,
            aliases=self._aliases,
            findings=tuple(self._findings),
            barren=self._barren,
        )
        return with_index(made, self._index)

    def add(self, tour: Tried) -> None:
        known, output = len(self._states), tour.output
        seen = {one.id: one for one in output.seen}
        if output.start:
            start = self._arrive(output.start, seen, None)
            self._start = start if self._start < 0 else self._start
        if output.broke_at >= 0 and tour.state >= 0:
            self._break(tour.state)
        for trial in output.trials:
            self._try(tour, trial, seen)
        self._note_findings(tour)
        self._barren = 0 if len(self._states) > known else self._barren + 1

    def _try(self, tour: Tried, trial: Trial, seen: dict[str, Sighting]) -> None:
        if tour.state < 0 or not 0 <= trial.move < len(tour.places):
            return
        source, place = tour.state, tour.places[trial.move]
        left = self._open.get(source, ())
        if place not in left:
            return
        self._open[source] = tuple(one for one in left if one != place)
        if not self._open[source]:
            del self._open[source]
        target = self._arrive(trial.to, seen, (source, place)) if trial.to else -1
        if target == source and trial.changed:
            self._reopen(source, place)
        edge = Edge(source, place, trial.outcome, target, trial.text[:300], trial.values, trial.alerts[:3])
        self._index.add_edge(len(self._edges), edge, self._states[source])
        self._edges.append(edge)

    def _reopen(self, state: int, place: int) -> None:
        """Have links followed once more after a move that changed something unseen: other screens may show it.

        Each pair of a move and a link is tried once in all of the app.
        """
        at = self._states[state]
        done = self._moves[at.moves[place]]
        if done.follows or done.first:
            return
        links = [move for move in map(self._moves.__getitem__, at.moves) if _leads_on(move, at) and not move.late]
        pairs = [replace(link, first=(done.earlier,)) for link in links]
        known = len(self._moves)
        added = [index for index in map(self._intern, pairs) if index >= known]
        if added:
            more = range(len(at.moves), len(at.moves) + len(added))
            self._states[state] = replace(at, moves=(*at.moves, *added))
            self._index.widen(state, added, self._moves)
            self._open[state] = self._late_last(state, (*self._open.get(state, ()), *more))

    def _arrive(self, id: str, seen: dict[str, Sighting], via: tuple[int, int] | None) -> int:
        """Return the index of a state that was reached; -1 if the tour did not say what it is."""
        index, sighting = self._index.ids.get(id, -1), seen.get(id)
        depth = self._states[via[0]].depth + 1 if via else 0
        if index >= 0:
            self._come_again(index, depth, via)
            return index
        if sighting is None:
            return self._aliases.get(id, -1)
        chain = self._chain(sighting, via)
        same = self._same_as(sighting, via, chain)
        if same >= 0:
            return self._aliases.setdefault(id, same)
        self._aliases.pop(id, None)
        return self._add_state(sighting, depth, via, chain)

    def _come_again(self, index: int, depth: int, via: tuple[int, int] | None) -> None:
        """Note another way to a state: a shorter one, or one that shows that it is no page of a list alone."""
        state = self._states[index]
        if via and self._lists(via[0], index):
            state = replace(state, chain=0, page_of=-1)
        nearer = depth < state.depth
        self._states[index] = replace(state, depth=depth, via=via) if nearer else state
        if nearer:
            self._index.lead_anew(self._states, self._moves)
        for edge in self._edges if nearer else ():
            if edge.source == index and edge.target >= 0 and self._lists(index, edge.target):
                self._states[edge.target] = replace(self._states[edge.target], chain=0, page_of=-1)

    def _lists(self, at: int, index: int) -> bool:
        """Return whether a state that leads to a page of a sequence is neither another page of it, nor behind it."""
        state = self._states[index]
        return bool(state.chain) and not self._chain(state, (at, 0)) and not self._leads_through(at, index)

    def _leads_through(self, to: int, index: int) -> bool:
        """Return whether a state is on the way to another one."""
        at: int | None = to
        while at is not None and at != index:
            via = self._states[at].via
            at = via[0] if via else None
        return at == index

    def _chain(self, sighting: Sighting | MapState, via: tuple[int, int] | None) -> int:
        """Return by how many pages of one sequence a screen was reached; 0: from elsewhere."""
        if via is None:
            return 0
        parent = self._states[via[0]]
        alike = _without_numbers(parent.address) == _without_numbers(sighting.address)
        return parent.chain + 1 if alike and parent.sequence and sighting.sequence else 0

    def _same_as(self, sighting: Sighting, via: tuple[int, int] | None, chain: int) -> int:
        """Return the state that a screen shows nothing new beside; -1: it is a state of its own.

        That is what another address shows just so, a further page of an endless list unless something else leads there,
        one more of a kind than wanted, or another combination of what was asked for, each part of which was seen.
        """
        kin = self._index.kin.get(sighting.kin, ())
        if not kin:
            return -1
        moves = tuple(map(self._intern, sighting.moves))
        for one in kin:
            if self._states[one].exact == sighting.exact and self._states[one].moves[: len(moves)] == moves:
                return one
        endless = chain and (chain >= LONGEST_CHAIN or any(self._states[one].page_of >= 0 for one in kin))
        if endless:
            self._fold(kin)
            return via[0] if via and via[0] in kin else kin[0]
        if len(kin) >= self._instances or self._is_combination(sighting, kin):
            return kin[0]
        return -1

    def _fold(self, kin: Sequence[int]) -> None:
        """Take the pages of an endless list for one state."""
        for one in kin[1:]:
            if self._states[one].chain:
                self._states[one] = replace(self._states[one], page_of=kin[0])

    def _fold_combinations(self, kin: Sequence[int]) -> None:
        """Fold combinations of filters each of which was found alone, or in a smaller combination."""
        asked = {one: query_pairs(self._states[one].address) for one in kin if self._states[one].page_of < 0}
        for one, pairs in asked.items():
            smaller = (other for other in asked.values() if len(other) < len(pairs))
            if one != kin[0] and len(pairs) > 1 and pairs <= frozenset[tuple[str, str]]().union(*smaller):
                self._states[one] = replace(self._states[one], page_of=kin[0])

    def _is_combination(self, sighting: Sighting, kin: Sequence[int]) -> bool:
        asked = query_pairs(sighting.address)
        if len(asked) < 2:
            return False
        page = sighting.address.partition("?")[0]
        beside = (self._states[one].address for one in kin)
        seen = [query_pairs(address) for address in beside if address.partition("?")[0] == page]
        return asked <= frozenset[tuple[str, str]]().union(*seen)

    def _add_state(self, sighting: Sighting, depth: int, via: tuple[int, int] | None, chain: int) -> int:
        index = len(self._states)
        moves = tuple(map(self._intern, sighting.moves))
        self._states.append(
            MapState(
                id=sighting.id,
                kin=sighting.kin,
                exact=sighting.exact,
                address=sighting.address,
                title=sighting.title,
                headings=sighting.headings,
                moves=moves,
                left_out=sighting.left_out,
                depth=depth,
                via=via,
                sequence=sighting.sequence,
                chain=chain,
                outside=sighting.outside,
                goal=sighting.goal,
                picture=sighting.picture.name if sighting.picture else "",
                screen=sighting.screen.name if sighting.screen else "",
                source=sighting.source.name if sighting.source else "",
            )
        )
        before = self._index.flows[via[0]] if via else Flow((), 0, 0)
        flow = onward(self._states, self._moves, before, index) if via else before
        self._index.add_state(self._states[index], flow, self._moves)
        kin = self._index.kin[sighting.kin]
        if len(kin) > 1 and "?" in sighting.address:
            self._fold_combinations(kin)
        if moves and not sighting.outside:
            self._open[index] = self._late_last(index, range(len(moves)))
        return index

    def _late_last(self, state: int, places: Iterable[int]) -> tuple[int, ...]:
        moves = self._states[state].moves
        return tuple(sorted(places, key=lambda place: self._moves[moves[place]].late))

    def _intern(self, move: Move) -> int:
        if self._index.add_move(move):
            self._moves.append(move)
        return self._index.moves[move]

    def _break(self, state: int) -> None:
        """Count a way that broke; after too many, what is left to try there is given up."""
        broken = replace(self._states[state], broken=self._states[state].broken + 1)
        self._states[state] = broken
        if broken.broken >= MOST_BROKEN:
            self._open.pop(state, None)

    def _note_findings(self, tour: Tried) -> None:
        for one in tour.output.findings:
            state = self._index.ids.get(one.state, self._aliases.get(one.state, -1))
            known = 0 <= one.move < len(tour.places)
            found = MapFinding(
                kind=one.kind,
                text=one.text,
                source=tour.state if known else -1,
                move=tour.places[one.move] if known else -1,
                state=state,
                address=one.address,
                request=one.request,
                picture=one.picture.name if one.picture else "",
                rule=one.rule,
                elements=one.elements,
            )
            self._note(found)

    def _note(self, found: MapFinding) -> None:
        """Add a finding, or count it where it is known."""
        key, keys = finding_key(found), self._keys
        alike = [index for index, other in enumerate(keys) if is_known_fault(other, key)]
        shown = [key[2] in (other[2], *self._findings[index].elsewhere) for index, other in enumerate(keys)]
        same = [index for index, other in enumerate(keys) if shown[index] and key_on(other, key[2]) == key]
        same = same or (alike[-1:] if len(alike) >= MOST_VIEWS else [])
        at = same[0] if same else find_shared(self._findings, found)
        if at >= 0:
            old = self._findings[at]
            further = () if same else (key[2],)
            self._findings[at] = replace(old, times=old.times + 1, elsewhere=(*old.elsewhere, *further))
        elif len(self._findings) < MOST_FINDINGS:
            self._findings.append(found)
            keys.append(key)

    @cached_property
    def _keys(self) -> list[tuple[str, ...]]:
        """The key of each finding: worked out once for a tour, as each of its findings is compared with all."""
        return list(map(finding_key, self._findings))


def _without_numbers(address: str) -> tuple[str, ...]:
    return (abstract_page(address), *(one for one in view_of(address) if not one.endswith(f"={GAP}")))

"""The map of an app: states, what can be done in each, and where that leads. Pure; merged from what tours have seen."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from muster_exploration.abstraction import abstract_address, abstract_text
from muster_protocol.explorations import FindingKind, Move, Sighting, Trial, TrialOutcome
from muster_protocol.kinds import ExploreOutput

LONGEST_CHAIN = 3
"""Pages of a sequence (the next and the previous alone) that are kept apart: more of them show nothing new."""
MOST_BROKEN = 2
"""Ways to a state that may break before what is left there is given up."""
MOST_FINDINGS = 500


class MapState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A state of the app."""

    id: str
    kin: str
    exact: str
    address: str
    title: str = ""
    headings: tuple[str, ...] = ()
    moves: tuple[int, ...] = ()
    """What can be done there: indexes of `AppMap.moves`."""
    left_out: tuple[str, ...] = ()
    depth: int = 0
    """Moves from the start by the shortest known way."""
    via: tuple[int, int] | None = None
    """The last step of that way: index of a state, and which of its moves."""
    sequence: bool = False
    chain: int = 0
    """How many states before it were pages of one sequence."""
    outside: bool = False
    goal: bool = False
    broken: int = 0
    """How often the way to it broke."""
    picture: str = ""
    """Name of an artefact."""
    screen: str = ""

    @property
    def words(self) -> str:
        """What people would call it."""
        return self.title or next(iter(self.headings), "") or self.address


class Edge(Struct, frozen=True, array_like=True):
    """A move that was tried."""

    source: int
    move: int
    """Which of the source's moves."""
    outcome: TrialOutcome
    target: int = -1
    """-1: it led to no state."""
    text: str = ""
    values: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()


class MapFinding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something wrong, and where it showed first."""

    kind: FindingKind
    text: str
    source: int = -1
    """The state in which the move was made; -1: at the start."""
    move: int = -1
    """Which of its moves; -1: it showed on the state itself."""
    state: int = -1
    """The state on which it showed; -1: none."""
    address: str = ""
    request: str = ""
    picture: str = ""
    times: int = 1
    rule: str = ""
    """Of `access`: the broken rule of axe-core."""


class PolicySwitch(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A change of policy on the way."""

    tour: int
    before: str
    after: str
    reason: str


class AppMap(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The map; its version rises with each merge."""

    version: int = 0
    start: int = -1
    states: tuple[MapState, ...] = ()
    moves: tuple[Move, ...] = ()
    """Each once, however many states have it."""
    edges: tuple[Edge, ...] = ()
    open: dict[int, tuple[int, ...]] = {}
    """The frontier: by state, which of its moves were not tried."""
    aliases: dict[str, int] = {}
    """Ids that are taken for another state: further pages of a sequence, or more of a kind than wanted."""
    findings: tuple[MapFinding, ...] = ()
    barren: int = 0
    """Tours in a row that found no new state."""
    switches: tuple[PolicySwitch, ...] = ()

    def move(self, state: int, place: int) -> Move:
        """Return a move of a state."""
        return self.moves[self.states[state].moves[place]]


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
        self._moves, self._index = list(before.moves), dict[Move, int]()
        self._open, self._aliases = dict(before.open), dict(before.aliases)
        self._ids = {state.id: index for index, state in enumerate(before.states)}
        self._findings, self._barren, self._start = list(before.findings), before.barren, before.start

    def finish(self) -> AppMap:
        return replace(
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
        text = trial.text[:300]
        self._edges.append(Edge(source, place, trial.outcome, target, text, trial.values, trial.alerts[:3]))

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
            self._open[state] = (*self._open.get(state, ()), *more)

    def _arrive(self, id: str, seen: dict[str, Sighting], via: tuple[int, int] | None) -> int:
        """Return the index of a state that was reached; -1 if the tour did not say what it is."""
        index = self._ids.get(id, self._aliases.get(id, -1))
        depth = self._states[via[0]].depth + 1 if via else 0
        if index >= 0:
            if depth < self._states[index].depth:
                self._states[index] = replace(self._states[index], depth=depth, via=via)
            return index
        sighting = seen.get(id)
        if sighting is None:
            return -1
        parent = self._states[via[0]] if via else None
        chained = parent is not None and parent.kin == sighting.kin and parent.sequence and sighting.sequence
        chain = parent.chain + 1 if parent is not None and chained else 0
        kin = [index for index, state in enumerate(self._states) if state.kin == sighting.kin]
        if kin and (chain >= LONGEST_CHAIN or len(kin) >= self._instances):
            self._aliases[id] = via[0] if via and chained else kin[0]
            return self._aliases[id]
        return self._add_state(sighting, depth, via, chain)

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
            )
        )
        self._ids[sighting.id] = index
        if moves and not sighting.outside:
            self._open[index] = tuple(range(len(moves)))
        return index

    def _intern(self, move: Move) -> int:
        if not self._index:
            self._index = {one: index for index, one in enumerate(self._moves)}
        if move not in self._index:
            self._index[move] = len(self._moves)
            self._moves.append(move)
        return self._index[move]

    def _break(self, state: int) -> None:
        """Count a way that broke; after too many, what is left to try there is given up."""
        broken = replace(self._states[state], broken=self._states[state].broken + 1)
        self._states[state] = broken
        if broken.broken >= MOST_BROKEN:
            self._open.pop(state, None)

    def _note_findings(self, tour: Tried) -> None:
        for one in tour.output.findings:
            state = self._ids.get(one.state, self._aliases.get(one.state, -1))
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
            )
            same = [index for index, other in enumerate(self._findings) if finding_key(other) == finding_key(found)]
            if same:
                self._findings[same[0]] = replace(self._findings[same[0]], times=self._findings[same[0]].times + 1)
            elif len(self._findings) < MOST_FINDINGS:
                self._findings.append(found)


def finding_key(finding: MapFinding) -> tuple[str, ...]:
    """Return what two sightings of one fault have in common."""
    where = abstract_address(finding.request.partition(" ")[2] or finding.address)
    return (finding.kind, abstract_text(finding.text), where)


def way_to(known: AppMap, state: int) -> tuple[tuple[int, int], ...]:
    """Return the shortest known way to a state from the start: each step's state, and which of its moves."""
    way: list[tuple[int, int]] = []
    while (via := known.states[state].via) is not None and len(way) <= len(known.states):
        way.append(via)
        state = via[0]
    return tuple(reversed(way))


def count_edges(known: AppMap, outcomes: Sequence[TrialOutcome] = ()) -> int:
    """Return how many moves were tried, with one of these outcomes if some are given."""
    return sum(not outcomes or edge.outcome in outcomes for edge in known.edges)

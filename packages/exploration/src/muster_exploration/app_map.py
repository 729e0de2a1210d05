"""The map of an app: states, what can be done in each, and where that leads. Pure."""

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from muster_exploration.abstraction import abstract_page, abstract_text, view_of
from muster_protocol.explorations import FindingKind, Move, TrialOutcome

OF_REQUESTS: frozenset[FindingKind] = frozenset({"server_error", "dead_link", "broken_image"})
"""Kinds of findings of which the query of an address may be what is at fault: it may name the page."""
_ADDRESS = re.compile(r"https?://[^\s\"'<>)]+")
_COUNT = re.compile(r"\b\d+ elements, the first ")
"""How an audit tells of several elements."""


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
    """How many pages of one sequence lead to it."""
    page_of: int = -1
    """Index of the state that shows the same kind of thing, of a further page of an endless list or a combination of
    filters; -1: it is a state of its own."""
    outside: bool = False
    goal: bool = False
    broken: int = 0
    """How often the way to it broke."""
    picture: str = ""
    """Name of an artifact."""
    screen: str = ""
    source: str = ""
    by: str = ""
    """Who has added it to the map; empty: an exploration has seen it."""

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
    elements: tuple[str, ...] = ()
    """Of such a rule: digests of the markup of all elements that break it; empty if they are not told apart."""
    elsewhere: tuple[str, ...] = ()
    """Addresses of other pages with the same fault, without numbers and queries."""

    @property
    def pages(self) -> int:
        """How many pages show it."""
        return 1 + len(self.elsewhere)


class PolicySwitch(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A change of policy on the way."""

    tour: int
    before: str
    after: str
    reason: str


class AppMap(Struct, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """The map; its version rises with each merge."""

    version: int = 0
    start: int = -1
    states: tuple[MapState, ...] = ()
    moves: tuple[Move, ...] = ()
    """Each once, however many states have it."""
    edges: tuple[Edge, ...] = ()
    open: dict[int, tuple[int, ...]] = {}
    """The frontier: by state, which of its moves were not tried, the late ones last."""
    aliases: dict[str, int] = {}
    """Ids that are taken for another state: further pages of a sequence, or more of a kind than wanted."""
    findings: tuple[MapFinding, ...] = ()
    barren: int = 0
    """Tours in a row that found no new state."""
    switches: tuple[PolicySwitch, ...] = ()

    @property
    def distinct(self) -> int:
        """How many states it has, further pages of endless lists and combinations aside."""
        return sum(state.page_of < 0 for state in self.states)

    @property
    def reaches_goal(self) -> bool:
        """Whether what the exploration was after held in a state."""
        return any(state.goal for state in self.states)

    @property
    def given_up(self) -> int:
        """How many moves will not be tried, because the ways to their states led elsewhere."""
        tried = Counter(edge.source for edge in self.edges)
        lost = (index for index, state in enumerate(self.states) if state.broken and index not in self.open)
        return sum(
            max(0, len(self.states[index].moves) - tried[index]) for index in lost if not self.states[index].outside
        )

    def move(self, state: int, place: int) -> Move:
        """Return a move of a state."""
        return self.moves[self.states[state].moves[place]]


def finding_key(finding: MapFinding) -> tuple[str, ...]:
    """Return what two sightings of one fault have in common: kind, words and page, and of a request what it asks for.

    What is wrong with a page is so however it is sorted or filtered, and whichever and however many of its elements
    break a rule: they may be called by ids that are made anew each time.
    """
    asked = finding.request.partition(" ")[2].rpartition(": ")[0]
    words = finding.rule or _COUNT.sub("", _ADDRESS.sub(lambda found: abstract_page(found[0]), finding.text))
    view = view_of(asked) if finding.kind in OF_REQUESTS else ()
    return (finding.kind, abstract_text(words), abstract_page(asked or finding.address), *view)


def finding_keys(finding: MapFinding) -> frozenset[tuple[str, ...]]:
    """Return the keys of a finding on each of its pages, as it does not matter on which page it was seen first."""
    key = finding_key(finding)
    return frozenset(key_on(key, page) for page in (key[2], *finding.elsewhere))


def key_on(key: tuple[str, ...], page: str) -> tuple[str, ...]:
    """Return the key that a finding has on another page."""
    return (*key[:2], page, *key[3:])


def find_shared(known: Sequence[MapFinding], found: MapFinding) -> int:
    """Return which known finding is of what its page shares with others, such as a header; -1: none.

    It shows nothing new if all elements that break the rule here are, to the letter, such as broke it elsewhere.
    """
    alike = [index for index, one in enumerate(known) if one.rule and one.rule == found.rule]
    told, mine = {it for index in alike for it in known[index].elements}, set(found.elements)
    if not mine or not mine <= told:
        return -1
    return max(alike, key=lambda index: (len(mine.intersection(known[index].elements)), -index))


def places_of_findings(known: AppMap) -> list[frozenset[int]]:
    """Return the states on which each finding shows: that of its first sight, and those of further pages."""
    states: dict[str, list[int]] = {}
    for index, state in enumerate(known.states):
        states.setdefault(abstract_page(state.address), []).append(index)
    return [
        frozenset(({one.state} - {-1}).union(*(states.get(page, ()) for page in one.elsewhere)))
        for one in known.findings
    ]


def is_known_fault(key: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether the keys of two findings are of one fault, whatever their requests ask for."""
    return key[:3] == other[:3]


def way_to(known: AppMap, state: int) -> tuple[tuple[int, int], ...]:
    """Return the shortest known way to a state from the start: each step's state, and which of its moves."""
    way: list[tuple[int, int]] = []
    while (via := known.states[state].via) is not None and len(way) <= len(known.states):
        way.append(via)
        state = via[0]
    return tuple(reversed(way))

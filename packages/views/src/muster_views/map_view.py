"""The map of an app as people see it: its drawing, its states, what is tried of each page and kind of element. Pure."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from muster_exploration.abstraction import abstract_address
from muster_exploration.app_map import AppMap, MapFinding, MapState, places_of_findings
from muster_exploration.case_writing import why_no_case
from muster_exploration.map_changes import changes_between
from muster_exploration.map_file import MapFile
from muster_protocol.explorations import FindingKind
from muster_protocol.graphs import GraphRow
from muster_views.map_drawing import Drawing, draw


class StateRow(Struct, frozen=True, kw_only=True):
    """A state of the app, in short."""

    id: str
    title: str
    address: str
    depth: int
    """Moves from the start by the shortest known way."""
    tried: int
    moves: int
    """What can be done there, tried or not."""
    findings: int
    picture: str
    """Name of an artifact of the run; empty: none."""
    goal: bool
    outside: bool


class CoverageRow(Struct, frozen=True, kw_only=True):
    """How much of a page, or of a kind of element, was tried."""

    name: str
    """Address of the page with numbers and ids as `#`, or role of the element."""
    states: int
    tried: int
    moves: int


class FindingView(Struct, frozen=True, kw_only=True):
    """Something wrong that an exploration came upon."""

    kind: FindingKind
    text: str
    state: str
    """Id of the state on which it showed; empty: none was reached."""
    address: str
    request: str
    picture: str
    times: int
    pages: int
    """On how many pages it showed."""
    case: bool
    """Whether `muster explore --emit` writes a case that shows it."""
    no_case: str
    """Why no case can show it; empty: one can."""


class MapView(Struct, frozen=True, kw_only=True):
    """The map of an app, without the details of its states."""

    row: GraphRow
    policy: tuple[str, ...]
    seed: int
    steps: int
    restarts: int
    drawing: Drawing
    states: tuple[StateRow, ...]
    pages: tuple[CoverageRow, ...]
    elements: tuple[CoverageRow, ...]
    findings: tuple[FindingView, ...]
    versions: tuple[GraphRow, ...]
    """All maps of this app, newest first."""


class ChangedView(Struct, frozen=True, kw_only=True):
    """A state that is different."""

    title: str
    address: str
    changes: tuple[str, ...]


class ChangesView(Struct, frozen=True, kw_only=True):
    """What is different between two maps of an app."""

    new: tuple[StateRow, ...]
    gone: tuple[StateRow, ...]
    changed: tuple[ChangedView, ...]
    new_findings: tuple[FindingView, ...]
    mended: tuple[FindingView, ...]


def view_map(file: MapFile, row: GraphRow, versions: Iterable[GraphRow]) -> MapView:
    """Return the view of a map."""
    known = file.map
    return MapView(
        row=row,
        policy=file.job.policies,
        seed=file.job.seed,
        steps=file.spent.steps,
        restarts=file.spent.restarts,
        drawing=draw(known),
        states=state_rows(known, known.states),
        pages=_pages(known),
        elements=_elements(known),
        findings=tuple(view_finding(file, number) for number in range(len(known.findings))),
        versions=tuple(one for one in versions if one.app == row.app),
    )


def view_changes(before: MapFile, after: MapFile) -> ChangesView:
    """Return what is different between two maps."""
    changes = changes_between(before.map, after.map)
    return ChangesView(
        new=state_rows(after.map, changes.new),
        gone=state_rows(before.map, changes.gone),
        changed=tuple(
            ChangedView(title=one.state.words, address=one.state.address, changes=one.changes)
            for one in changes.changed
        ),
        new_findings=_findings(after, changes.new_findings),
        mended=_findings(before, changes.mended),
    )


def view_finding(file: MapFile, number: int) -> FindingView:
    """Return the view of a finding."""
    one = file.map.findings[number]
    return FindingView(
        kind=one.kind,
        text=one.text,
        state=file.map.states[one.state].id if one.state >= 0 else "",
        address=one.address,
        request=one.request,
        picture=file_name(one.picture),
        times=one.times,
        pages=one.pages,
        case=not (why := why_no_case(one, file.job)),
        no_case=why,
    )


def file_name(artifact: str) -> str:
    """Return the name of an artifact within its run."""
    return artifact.partition("/")[2]


def _findings(file: MapFile, wanted: Iterable[MapFinding]) -> tuple[FindingView, ...]:
    return tuple(view_finding(file, file.map.findings.index(one)) for one in wanted)


def state_rows(known: AppMap, states: Sequence[MapState]) -> tuple[StateRow, ...]:
    """Return states of a map in short."""
    tried, found = (
        _count(edge.source for edge in known.edges),
        _count(state for places in places_of_findings(known) for state in places),
    )
    at = {state.id: index for index, state in enumerate(known.states)}
    return tuple(
        StateRow(
            id=state.id,
            title=state.words,
            address=state.address,
            depth=state.depth,
            tried=tried.get(at[state.id], 0),
            moves=len(state.moves),
            findings=found.get(at[state.id], 0),
            picture=file_name(state.picture),
            goal=state.goal,
            outside=state.outside,
        )
        for state in states
    )


def _count(indexes: Iterable[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for index in indexes:
        counts[index] = counts.get(index, 0) + 1
    return counts


def _pages(known: AppMap) -> tuple[CoverageRow, ...]:
    tried = _count(edge.source for edge in known.edges)
    groups: dict[str, list[int]] = {}
    for index, state in enumerate(known.states):
        groups.setdefault(abstract_address(state.address), []).append(index)
    return tuple(
        CoverageRow(
            name=name,
            states=len(group),
            tried=sum(tried.get(index, 0) for index in group),
            moves=sum(len(known.states[index].moves) for index in group),
        )
        for name, group in sorted(groups.items())
    )


def _elements(known: AppMap) -> tuple[CoverageRow, ...]:
    """Return what was tried of each kind of element; a move that is made after another counts for its own element."""
    done = {(edge.source, edge.move) for edge in known.edges}
    moves = [
        (known.moves[move].role, index, (index, place) in done)
        for index, state in enumerate(known.states)
        for place, move in enumerate(state.moves)
    ]
    return tuple(
        CoverageRow(
            name=role,
            states=len({state for name, state, _ in moves if name == role}),
            tried=sum(was for name, _, was in moves if name == role),
            moves=sum(name == role for name, _, _ in moves),
        )
        for role in sorted({role for role, _, _ in moves})
    )

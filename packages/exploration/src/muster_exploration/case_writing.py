"""Test cases from a map: few long ways that cover its edges, the way to a goal, and a case for each finding. Pure.

Each case begins where tours begin and goes ways that were gone like that: what was not seen is not expected.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from msgspec.structs import replace

from muster_exploration.abstraction import GAP, abstract_text, before_moment
from muster_exploration.app_map import AppMap, Edge, MapFinding, MapState, way_to
from muster_exploration.map_file import MapFile
from muster_exploration.move_phrases import quoted, sentences_of
from muster_protocol.explorations import FindingKind, Move, OwnNode
from muster_protocol.requests import Exploration, Step, TestCase
from muster_text.values import secret_names

LONGEST_CASE = 30
"""Steps of a case."""
SHORTEST_MESSAGE, LONGEST_MESSAGE = 8, 120
"""Characters of a message of the console by which it is known again."""
_CHANGING = re.compile(r"https?://|\n|\(")
_SHOWN_BY_STATUS: frozenset[FindingKind] = frozenset({"server_error", "dead_link"})


class WrittenCase(NamedTuple):
    """A case, and a short name for its file."""

    slug: str
    case: TestCase


def coverage_cases(file: MapFile) -> tuple[WrittenCase, ...]:
    """Return cases that go along each edge of the map that led somewhere, in as few ways as seem possible."""
    walker = _Walker(file.map)
    ways = list(walker.ways())
    width = len(str(len(ways)))
    return tuple(
        WrittenCase(f"way-{number:0{width}d}", _case(file, f"Explored way {number}", way))
        for number, way in enumerate(ways, 1)
    )


def goal_case(file: MapFile) -> WrittenCase | None:
    """Return the shortest known way to the goal as a case; None if it was not reached."""
    reached = [index for index, state in enumerate(file.map.states) if state.goal]
    if not reached:
        return None
    best = min(reached, key=lambda index: (len(way_to(file.map, index)), index))
    way = _edges_of(file.map, way_to(file.map, best))
    case = _case(file, f"Goal: {file.job.goal}"[:300], way)
    steps = (*case.steps[:-1], Step(action=case.steps[-1].action, expected=file.job.goal))
    return WrittenCase("goal", _with_steps(case, steps))


def finding_case(file: MapFile, number: int) -> WrittenCase | None:
    """Return a case that fails while a finding is there and passes once it is mended; None where none can tell."""
    finding = file.map.findings[number]
    expected = _absence(finding, file.job)
    if not expected:
        return None
    way = _way_of(file.map, finding)
    case = _case(file, f"Without {finding.kind.replace('_', ' ')}: {finding.text}"[:300], way)
    if finding.kind == "broken_image":
        address = finding.request.split(" ")[1].rstrip(":")
        steps = (*case.steps, Step(action=f"Send a GET request to {quoted(address)}", expected=expected))
    else:
        steps = (*case.steps[:-1], Step(action=case.steps[-1].action, expected=expected))
    return WrittenCase(f"finding-{number + 1:02d}-{finding.kind.replace('_', '-')}", _with_steps(case, steps))


def why_no_case(finding: MapFinding, job: Exploration) -> str:
    """Return why no case can show a finding; empty: one can."""
    if _absence(finding, job):
        return ""
    if finding.kind == "access":
        return "only browsers are audited by rules, and no sentence names this one"
    return "no sentence asks this device for an image"


def _absence(finding: MapFinding, job: Exploration) -> str:
    """Return the expectation that a finding contradicts, "" if no sentence says it."""
    if finding.kind == "crash":
        return 'The text "has crashed" is not visible'
    if finding.rule:
        return f"The page keeps the accessibility rule {quoted(finding.rule)}"
    if finding.kind in _SHOWN_BY_STATUS:
        return "The request succeeds" if _is_page(finding) else f"The console shows no error {quoted(_path(finding))}"
    if finding.kind in ("exception", "console_error"):
        return f"The console shows no error {quoted(_said(finding.text))}"
    if finding.kind == "blank_page":
        return "The page is not blank"
    if finding.kind == "slow":
        return f"The last action took less than {job.slow_seconds:g} seconds"
    return "The response status is 2xx" if finding.kind == "broken_image" and not job.device else ""


def _is_page(finding: MapFinding) -> bool:
    """Return whether the request is that of the page itself, not one that the page has sent."""
    requested, shown = (one.partition("#")[0] for one in (_requested(finding), finding.address))
    return finding.state < 0 or not requested or shown in ("", requested)


def _requested(finding: MapFinding) -> str:
    return finding.request.partition(" ")[2].rpartition(": ")[0]


def _path(finding: MapFinding) -> str:
    """Return the part of a request's address that lasts."""
    return urlsplit(_requested(finding)).path or "/"


def _said(text: str) -> str:
    """Return the beginning of a message without what changes: addresses, and what follows them."""
    lasting = _CHANGING.split(text.replace("${", " "), maxsplit=1)[0].strip()
    return (lasting if len(lasting) >= SHORTEST_MESSAGE else text)[:LONGEST_MESSAGE].strip()


def _way_of(known: AppMap, finding: MapFinding) -> list[Edge]:
    if finding.source >= 0:
        last = next((one for one in known.edges if (one.source, one.move) == (finding.source, finding.move)), None)
        return [*_edges_of(known, way_to(known, finding.source)), *([last] if last else [])]
    return _edges_of(known, way_to(known, finding.state)) if finding.state >= 0 else []


def _edges_of(known: AppMap, way: Sequence[tuple[int, int]]) -> list[Edge]:
    by_step = {(edge.source, edge.move): edge for edge in known.edges}
    return [by_step[step] for step in way]


class _Walker:
    """Finds ways through a map that use up its edges."""

    def __init__(self, known: AppMap) -> None:
        self._known = known
        self._tree = {state.via for state in known.states if state.via}
        usable = [edge for edge in known.edges if edge.outcome == "reached" and edge.target >= 0]
        self._edges = [edge for edge in usable if not known.states[edge.target].outside]
        self._from: dict[int, list[Edge]] = {}
        for edge in self._edges:
            self._from.setdefault(edge.source, []).append(edge)
        self._done = [self._done_before(state) for state in range(len(known.states))]
        """By state, what was done on the way to it, other than following links."""
        self._left = {(edge.source, edge.move) for edge in self._edges}

    def ways(self) -> Iterator[list[Edge]]:
        """Yield ways from the start until each edge is in one."""
        while self._left:
            way = self._way()
            if not way:
                return  # what is left cannot be reached by ways that are certain
            yield way

    def _way(self) -> list[Edge]:
        way: list[Edge] = []
        here = max(self._known.start, 0)
        while len(way) < LONGEST_CASE:
            onward = self._nearest(here)
            if not onward:
                break
            way += onward
            self._left -= {(edge.source, edge.move) for edge in onward}
            here = onward[-1].target
            if not self._certain(onward[-1]):
                break
        return way

    def _nearest(self, here: int) -> list[Edge]:
        """Return the shortest way to an edge that is in no case yet, over edges that can be gone at any time."""
        queue, came = deque([here]), dict[int, Edge | None]({here: None})
        while queue:
            state = queue.popleft()
            fresh = [edge for edge in self._from.get(state, ()) if (edge.source, edge.move) in self._left]
            if fresh:
                last = min(fresh, key=lambda edge: (not self._certain(edge), edge.target == state, edge.move))
                return [*self._back(came, state), last]
            for edge in self._from.get(state, ()):
                if self._certain(edge) and edge.target not in came:
                    came[edge.target] = edge
                    queue.append(edge.target)
        return []

    @staticmethod
    def _back(came: dict[int, Edge | None], state: int) -> list[Edge]:
        way: list[Edge] = []
        while (edge := came[state]) is not None:
            way.append(edge)
            state = edge.source
        return list(reversed(way))

    def _certain(self, edge: Edge) -> bool:
        """Return whether a way may go on after an edge: on the way by which its target was found, or along a link.

        What a link leads to may depend on what was done before, such as a log-in; so both its ends must be known from
        after the same doings.
        """
        if (edge.source, edge.move) in self._tree:
            return True
        same = self._done[edge.source] == self._done[edge.target]
        return same and self._known.move(edge.source, edge.move).follows

    def _done_before(self, state: int) -> tuple[tuple[int, int], ...]:
        return tuple(step for step in way_to(self._known, state) if not self._known.move(*step).follows)


def _case(file: MapFile, name: str, way: Sequence[Edge]) -> TestCase:
    known, job = file.map, file.job
    start = max(known.start, 0)
    steps: list[Step] = []
    if job.url:
        begins = any(map(_begins, job.nodes))
        expected = "" if begins else _expectation_of(known, start, -1, job)
        steps.append(Step(action=f"Open {quoted(job.url)}", expected=expected))
    steps += [Step(action=sentence) for node in job.nodes if _begins(node) for sentence in node.do]
    for edge in way:
        move = _said_later(known, edge)
        action = " and ".join(_joined(sentences_of(move, edge.values)))
        expected = _expectation_of(known, edge.target, edge.source, job) if edge.target >= 0 else ""
        steps.append(Step(action=action, expected=expected))
    texts = " ".join(step.action for step in steps)
    return TestCase(
        name=name,
        steps=tuple(steps) or (Step(action="Press Escape", expected=_expectation_of(known, start, -1, job)),),
        secrets=tuple(dict.fromkeys(secret_names(texts))),
        domains=job.domains,
        tags=("explored",),
        device=job.device,
    )


def _said_later(known: AppMap, edge: Edge) -> Move:
    """Return the move of an edge by what lasts of its name: "Updated", of a button "Updated: 8:12:17 PM"."""
    move = known.move(edge.source, edge.move)
    start = before_moment(move.name)
    others = map(known.moves.__getitem__, known.states[edge.source].moves)
    alike = {other.name for other in others if other.role == move.role and other.name.startswith(start)}
    return replace(move, name=start) if start and len(alike) == 1 else move


def _begins(node: OwnNode) -> bool:
    """Return whether a node of the team's does the same in each case: once the app has begun, on no condition."""
    return node.after == "LaunchOrAttach" and not node.when


def _joined(sentences: Sequence[str]) -> Iterator[str]:
    yield sentences[0]
    yield from (f"{sentence[0].lower()}{sentence[1:]}" for sentence in sentences[1:])


def _expectation_of(known: AppMap, target: int, before: int, job: Exploration) -> str:
    """Return what can be expected of a state, without what changes: its title; where it was called so before (`before`
    is another state, or -1), also what it has and that one has not, or else the act might as well have done nothing."""
    state, was = known.states[target], known.states[before] if before >= 0 else None
    clauses = [f"The page title is {quoted(state.title)}"] if _lasting(state.title) else []
    if clauses and (was is None or was.title != state.title):
        return clauses[0]
    address = _end_of(state.address) if job.url else ""
    if address and (was is None or address not in was.address):
        clauses.append(f"The URL contains {quoted(address)}")
    if target not in known.aliases.values():  # of states that stand for others, those may not show the same
        clauses += _shown_anew(known, state, was)
    heading = next(filter(_lasting, state.headings), "")
    clauses = clauses or ([f"The text {quoted(heading)} is visible"] if heading else [])
    return " and ".join(_joined(clauses)) if clauses else ""


def _shown_anew(known: AppMap, state: MapState, was: MapState | None) -> list[str]:
    """Return a clause about something that a state shows and the state before did not; empty if there is nothing."""
    old = was.headings if was else ()
    heading = next((text for text in state.headings if _lasting(text) and text not in old), "")
    if heading:
        return [f"The text {quoted(heading)} is visible"]
    if was is None:
        return []
    gone = {known.moves[move].name for move in was.moves}
    new = (known.moves[move] for move in state.moves if known.moves[move].name not in gone)
    control = next((one for one in new if one.do == "tap" and one.role == "button" and _lasting(one.name)), None)
    return [f"The {quoted(control.name)} button is visible"] if control else []


def _end_of(address: str) -> str:
    """Return the end of an address's path up to the first part that changes: "export" of "/table%2017/export/"."""
    lasting: list[str] = []
    path = address.partition("://")[2].partition("/")[2].partition("?")[0]
    for segment in reversed(path.strip("/").split("/")):
        if not _lasting(segment):
            break
        lasting.insert(0, segment)
    return "/".join(lasting)


def _lasting(text: str) -> bool:
    """Return whether a text has nothing in it that changes by itself, and can be quoted."""
    return bool(text.strip()) and GAP not in abstract_text(text) and "${" not in text and "\n" not in text


def _with_steps(case: TestCase, steps: tuple[Step, ...]) -> TestCase:
    return replace(case, steps=steps)

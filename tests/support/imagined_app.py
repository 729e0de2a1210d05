"""An app that exists in memory only: it answers tours as a worker would, so that policies can be tried without one."""

from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any, Protocol

from msgspec.structs import replace

from muster_exploration.abstraction import is_sequence
from muster_exploration.possible_moves import find_control, possible_moves
from muster_exploration.screen_shape import Part, shape_of
from muster_exploration.tour_rounds import Moment, Progress, begin, record_tour, steps_of, tour_input
from muster_protocol.explorations import ExplorationSpent, Move, Sighting, Trial
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_protocol.requests import Exploration

HOST = "http://app.test"


class Site(Protocol):
    """What an imagined app shows, and where its moves lead; a visit is whatever it needs to know of a visitor."""

    def begin(self, number: int) -> Any:
        """Return the visit that a start of the app begins."""
        ...

    def address(self, at: Any) -> str: ...
    def name(self, at: Any) -> str: ...
    def parts(self, at: Any) -> list[Part]: ...
    def go(self, at: Any, move: Move) -> Any: ...


class LinkedPages:
    """Pages by path, each with the paths it links to."""

    def __init__(self, links: Mapping[str, Sequence[str]], start: str) -> None:
        self.links, self.start = links, start

    def begin(self, number: int) -> str:
        """Return where visits begin."""
        return self.start

    def address(self, at: str) -> str:
        """Return the address of a page."""
        return HOST + at

    def name(self, at: str) -> str:
        """Return what a page is called."""
        return f"Page {at}"

    def parts(self, at: str) -> list[Part]:
        """Return what a page shows."""
        return [Part("heading", at, 0), *(Part("link", f"Go to {to}", 0, HOST + to) for to in self.links[at])]

    def go(self, at: str, move: Move) -> str:
        """Return where a link leads."""
        return move.address.removeprefix(HOST)


class ImaginedApp:
    """An app of pages by path, or any other site."""

    def __init__(self, pages: Mapping[str, Sequence[str]] | Site, start: str = "/") -> None:
        self.site: Site = LinkedPages(pages, start) if isinstance(pages, Mapping) else pages
        self.moves = self.starts = 0
        self._seen: dict[Any, Sighting] = {}

    def sighting(self, at: Any, goal: str = "") -> Sighting:
        """Return a page as a tour sees it; a goal is a part of its name."""
        if at not in self._seen:
            self._seen[at] = self._look(at)
        return replace(self._seen[at], goal=bool(goal) and goal in self.site.name(at))

    def _look(self, at: Any) -> Sighting:
        parts, address = self.site.parts(at), self.site.address(at)
        shape = shape_of(parts, address)
        return Sighting(
            id=shape.id,
            kin=shape.kin,
            exact=shape.exact,
            address=address,
            title=self.site.name(at),
            moves=possible_moves(parts).moves,
            sequence=is_sequence(address, [part.address for part in parts if part.address]),
        )

    def answer(self, tour: ExploreInput) -> ExploreOutput:
        """Make a tour: a start, the steps of the way, and those of each move and of the way back after it."""
        self.starts += 1
        start = here = self.site.begin(self.starts)
        seen = {one.id: one for one in [self.sighting(start)]}
        for move in tour.path:
            here = self._go(here, move)
        steps = 1 + sum(map(steps_of, tour.path))
        if tour.state and self.sighting(here).id != tour.state:
            return ExploreOutput(broke_at=len(tour.path), why="the way led elsewhere", seen=tuple(seen.values()))
        trials: list[Trial] = []
        for index, move in enumerate(tour.moves):
            back = 1 if tour.moves[index - 1].follows else 1 + sum(map(steps_of, tour.path))
            cost = steps_of(move) + (back if index else 0)
            if steps + cost > tour.left.steps:
                break
            steps += cost
            there = self.sighting(self._go(here, move), tour.goal)
            seen[there.id] = there
            changed = there.exact != self.sighting(here).exact
            trials.append(Trial(move=index, outcome="reached", to=there.id, changed=changed))
            self.moves += 1
        spent = ExplorationSpent(steps=steps, taps=len(trials))
        return ExploreOutput(
            start=self.sighting(start).id, trials=tuple(trials), seen=tuple(seen.values()), spent=spent
        )

    def _go(self, here: Any, move: Move) -> Any:
        """Make a move as its control is called and leads on the present screen."""
        for earlier in move.first:
            here = self._go(here, earlier.move)
        move = replace(move, first=())
        live = find_control(self.site.parts(here), move.role, move.name, move.ordinal)
        assert live is not None, (move, self.site.name(here))
        return self.site.go(here, move if not move.address else replace(move, address=live.part.address))


def explore(app: ImaginedApp, job: Exploration, *, order: int = 1) -> Progress:
    """Explore an app to the end; `order` -1 has the tours of each round end in reverse."""
    progress, at = begin(job), Moment(now=0.0, started=0.0)
    while not progress.over:
        due = [number for number, tour in progress.window.items() if tour.output is None]
        for number in sorted(due)[::order]:
            output = app.answer(tour_input(progress, job, number, until=0.0))
            progress = record_tour(progress, job, number, output, at)
    return progress


def explore_in_time(app: ImaginedApp, job: Exploration, pace: Callable[[int], float]) -> tuple[Progress, float]:
    """Explore an app by sessions that each make one tour at a time, and return when the last one is over.

    `pace` returns the seconds of a step of each tour, by its number.
    """
    progress, at = begin(job), Moment(now=0.0, started=0.0)
    now, free = 0.0, job.sessions
    under_way: list[tuple[float, int, ExploreOutput]] = []
    while not progress.over:
        taken = {number for _, number, _ in under_way}
        due = [
            number for number, tour in sorted(progress.window.items()) if tour.output is None and number not in taken
        ]
        for number in due[: free - len(under_way)]:
            output = app.answer(tour_input(progress, job, number, until=0.0))
            heappush(under_way, (now + output.spent.steps * pace(number), number, output))
        now, number, output = heappop(under_way)
        progress = record_tour(progress, job, number, output, at)
    return progress, now

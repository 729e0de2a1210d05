"""An app that exists in memory only: it answers tours as a worker would, so that policies can be tried without one."""

from collections.abc import Mapping, Sequence

from muster_exploration.abstraction import is_sequence
from muster_exploration.possible_moves import possible_moves
from muster_exploration.screen_shape import Part, shape_of
from muster_exploration.tour_rounds import Moment, Progress, begin, record_tour, tour_input
from muster_protocol.explorations import ExplorationSpent, Move, Sighting, Trial
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_protocol.requests import Exploration

HOST = "http://app.test"


class ImaginedApp:
    """Pages by path, each with the paths it links to."""

    def __init__(self, links: Mapping[str, Sequence[str]], start: str = "/") -> None:
        self.links, self.start = links, start
        self.moves = 0

    def sighting(self, path: str) -> Sighting:
        """Return a page as a tour sees it."""
        parts = [Part("heading", path, 0)]
        parts += [Part("link", f"Go to {to}", 0, HOST + to) for to in self.links[path]]
        shape, address = shape_of(parts, HOST + path), HOST + path
        return Sighting(
            id=shape.id,
            kin=shape.kin,
            exact=shape.exact,
            address=address,
            title=f"Page {path}",
            moves=possible_moves(parts).moves,
            sequence=is_sequence(address, [HOST + to for to in self.links[path]]),
        )

    def answer(self, tour: ExploreInput) -> ExploreOutput:
        """Make a tour: a start, a step for each link of the way, and two for each move."""
        seen = {one.id: one for one in [self.sighting(self.start)]}
        here, steps = self.start, 1
        for move in tour.path:
            here, steps = _target(move), steps + 1
        trials: list[Trial] = []
        for index, move in enumerate(tour.moves):
            steps += 2 if index else 1
            if steps > tour.left.steps:
                steps -= 2 if index else 1
                break
            there = self.sighting(_target(move))
            seen[there.id] = there
            trials.append(Trial(move=index, outcome="reached", to=there.id))
            self.moves += 1
        if tour.state:
            assert self.sighting(here).id == tour.state
        start = self.sighting(self.start).id
        spent = ExplorationSpent(steps=steps, taps=len(trials))
        return ExploreOutput(start=start, trials=tuple(trials), seen=tuple(seen.values()), spent=spent)


def explore(app: ImaginedApp, job: Exploration, *, order: int = 1) -> Progress:
    """Explore an app to the end; `order` -1 has the tours of each round end in reverse."""
    progress, at = begin(), Moment(now=0.0, started=0.0)
    while not progress.over:
        due = [number for number, tour in progress.round.items() if tour.output is None]
        for number in sorted(due)[::order]:
            output = app.answer(tour_input(progress, job, number, until=0.0))
            progress = record_tour(progress, job, number, output, at)
    return progress


def _target(move: Move) -> str:
    return move.address.removeprefix(HOST)

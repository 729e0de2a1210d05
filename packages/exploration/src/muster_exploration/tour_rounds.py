"""Which tours are under way, what they may spend, and when an exploration is over. Pure.

Tours are merged in the order in which they were planned, and the next one is planned by what is merged then. So it does
not matter which ends first, and no session waits for the slowest one as long as others are planned.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from muster_exploration.app_map import AppMap, way_to
from muster_exploration.map_merging import Tried, merge
from muster_exploration.policies import Pick, Wish, due_switch, policy_of, rank_tours
from muster_protocol.explorations import ExplorationSpent, Move, OwnNode
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_protocol.requests import Exploration

LEAST_STEPS = 2
"""Steps that a tour needs at least: to start the app, and one move."""
AHEAD = 2
"""Tours for each of several sessions that are planned before they are needed."""
UNLIMITED = 1_000_000
MOST_KNOWN = 300
"""States that a tour is told of, so that it need not describe them again."""
MOST_FAILED = 3
"""Tours in a row that may come to nothing."""


class Planned(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tour that is under way, or over and waits for an earlier one to be merged."""

    state: int = -1
    places: tuple[int, ...] = ()
    left: ExplorationSpent = ExplorationSpent()
    output: ExploreOutput | None = None
    """Set once it is over."""
    failed: bool = False
    """Whether it came to nothing."""


class Progress(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far an exploration is."""

    map: AppMap = AppMap()
    spent: ExplorationSpent = ExplorationSpent()
    tours: int = 0
    """How many were planned."""
    window: dict[int, Planned] = {}
    """The tours under way by number, and those that are over but wait for an earlier one."""
    ending: str = ""
    """Why no more tours are planned; those under way are still merged."""
    failed: int = 0
    """Tours in a row that came to nothing, or not even to the app's first screen."""
    why: str = ""
    """Why the last one did."""
    over: str = ""
    """Why the exploration is over; empty: it is not."""


class Moment(NamedTuple):
    """The clock of an exploration, in Unix seconds."""

    now: float
    started: float


def wish_of(job: Exploration) -> Wish:
    """Return what an exploration is after."""
    return Wish(job.policies, job.seed, job.tour_moves, job.goal, job.focus)


def begin(job: Exploration) -> Progress:
    """Return the first tour, which sees how the app begins."""
    own = _own_steps(job.nodes)
    left = ExplorationSpent(steps=LEAST_STEPS + own, taps=own, restarts=min(2, job.restarts))
    return Progress(tours=1, window={1: Planned(left=left)})


def _own_steps(nodes: Sequence[OwnNode]) -> int:
    """Return how many steps a team's nodes take at most where a tour passes each once."""
    return sum(len(node.do) for node in nodes)


def record_tour(progress: Progress, job: Exploration, number: int, output: ExploreOutput, at: Moment) -> Progress:
    """Return the progress after a tour: merged as far as all earlier ones are over, with the next tours planned."""
    planned = progress.window.get(number)
    if planned is None or planned.output is not None:
        return progress
    return _advance(_over(progress, number, replace(planned, output=output)), job, at)


def record_failure(progress: Progress, job: Exploration, number: int, why: str, at: Moment) -> Progress:
    """Return the progress after a tour that could not be made; what it was to try is left for another one."""
    planned = progress.window.get(number)
    if planned is None or planned.output is not None:
        return progress
    empty = ExploreOutput(broke_at=0, why=why)
    return _advance(_over(progress, number, replace(planned, output=empty, failed=True)), job, at)


def _over(progress: Progress, number: int, planned: Planned) -> Progress:
    return replace(progress, window={**progress.window, number: planned})


def _advance(progress: Progress, job: Exploration, at: Moment) -> Progress:
    """Merge the earliest tour as long as it is over; after each, plan by what is known then."""
    while progress.window and not progress.over:
        number = min(progress.window)
        planned = progress.window[number]
        if planned.output is None:
            break
        progress = _merged(progress, job, number, planned, planned.output)
        progress = replace(progress, ending=progress.ending or _why_over(progress, job, at))
        progress = progress if progress.ending else _plan(progress, job)
        if not progress.window:
            progress = replace(progress, over=progress.ending or _too_dear(progress, job))
    return progress


def _merged(progress: Progress, job: Exploration, number: int, planned: Planned, output: ExploreOutput) -> Progress:
    known = merge(progress.map, [Tried(planned.state, planned.places, output)], job.instances)
    switch = due_switch(known, wish_of(job), progress.tours)
    return replace(
        progress,
        map=replace(known, switches=(*known.switches, switch)) if switch else known,
        spent=progress.spent.plus(output.spent),
        window={other: tour for other, tour in progress.window.items() if other != number},
        failed=progress.failed + 1 if planned.failed or (output.broke_at >= 0 and not output.start) else 0,
        why=output.why or progress.why,
    )


def _why_over(progress: Progress, job: Exploration, at: Moment) -> str:
    """Return why an exploration ends, or "" if there is more to do. Budgets are looked at before anything is spent."""
    known, spent = progress.map, progress.spent
    if job.goal and known.reaches_goal:
        return "the goal is reached"
    if not known.states or progress.failed >= MOST_FAILED:
        return f"the app could not be explored: {progress.why or 'it did not begin'}"
    if not known.open and progress.failed:
        return f"it could not go on: {progress.why}"
    if not known.open and known.given_up:
        return f"{known.given_up} of the moves were not tried: the ways to them led elsewhere when they were gone again"
    if not known.open:
        return "everything that was found was tried"
    if job.max_steps - spent.steps < LEAST_STEPS + _own_steps(job.nodes):
        return f"the budget is used up: {spent.steps} of max_steps {job.max_steps}"
    if job.max_taps and spent.taps >= job.max_taps:
        return f"the budget is used up: {spent.taps} of max_taps {job.max_taps}"
    if job.max_time_ms and (at.now - at.started) * 1000 >= job.max_time_ms:
        return f"the budget is used up: max_time_ms {job.max_time_ms}"
    if spent.restarts > job.restarts:
        return f"the budget is used up: {spent.restarts} restarts, {job.restarts} allowed"
    return ""


def _plan(progress: Progress, job: Exploration) -> Progress:
    """Return the progress with as many tours as there may be under way, each paid for by the budgets."""
    while (free := (job.sessions * AHEAD if job.sessions > 1 else 1) - len(progress.window)) > 0:
        pick, share = _next_pick(progress, job, free)
        if pick is None:
            break
        number = progress.tours + 1
        tour = Planned(state=pick.state, places=pick.places, left=share)
        progress = replace(progress, window={**progress.window, number: tour}, tours=number)
    return progress


def _next_pick(progress: Progress, job: Exploration, free: int) -> tuple[Pick | None, ExplorationSpent]:
    """Return the first tour by the policy that its share of the budget pays for; shares grow if none is."""
    left, wish = _without_planned(progress), wish_of(job)
    share = _share(progress, job, free)
    for tours in dict.fromkeys((free, 1)):
        share = _share(progress, job, tours)
        for pick in rank_tours(progress.map, wish, left):
            if share.taps > 0 and _own_steps(job.nodes) + cost_of(progress.map, pick) <= share.steps:
                return pick, share
    return None, share


def _without_planned(progress: Progress) -> dict[int, tuple[int, ...]]:
    """Return the map's frontier without the moves that tours under way are to try."""
    left = dict(progress.map.open)
    for tour in progress.window.values():
        rest = tuple(place for place in left.pop(tour.state, ()) if place not in tour.places)
        if rest:
            left[tour.state] = rest
    return left


def _too_dear(progress: Progress, job: Exploration) -> str:
    left = job.max_steps - progress.spent.steps
    return f"the budget is used up: {left} of max_steps {job.max_steps} lead nowhere new"


def cost_of(known: AppMap, pick: Pick) -> int:
    """Return how many steps a tour needs at least: to start the app, for the way, and for its first move."""
    way = way_to(known, pick.state)
    shortcut, after = _shortcut(known, pick.state, way)
    steps = [known.move(*step) for step in (way[:after] if shortcut else way)]
    return 1 + sum(map(steps_of, steps)) + bool(shortcut) + steps_of(known.move(pick.state, pick.places[0]))


def steps_of(move: Move) -> int:
    """Return how many steps a move takes."""
    own = {"fill": len(move.blanks) + 1, "enter": 2}.get(move.do, 1)
    return own + sum(steps_of(earlier.move) for earlier in move.first)


def _share(progress: Progress, job: Exploration, tours: int) -> ExplorationSpent:
    """Return what each of the next tours may spend, so that all under way together cannot exceed the budgets."""
    promised = [tour.left for tour in progress.window.values()]
    spent = progress.spent
    taps = job.max_taps - spent.taps - sum(one.taps for one in promised)
    outside = job.outside_app - spent.outside - sum(one.outside for one in promised)
    restarts = job.restarts - spent.restarts - sum(one.restarts for one in promised)
    return ExplorationSpent(
        steps=(job.max_steps - spent.steps - sum(one.steps for one in promised)) // tours,
        taps=max(0, taps) // tours if job.max_taps else UNLIMITED,
        outside=max(0, outside) // tours,
        restarts=max(0, restarts) // tours,
    )


def tour_input(progress: Progress, job: Exploration, number: int, until: float) -> ExploreInput:
    """Return what a worker is told of a tour; `until` is the time (Unix seconds) by which it has to be back."""
    planned, known = progress.window[number], progress.map
    common = ExploreInput(
        url=job.url,
        policy=policy_of(known, wish_of(job)),
        seed=job.seed,
        left=planned.left,
        until=until,
        goal=job.goal,
        allow=job.allow,
        values=job.values,
        secrets=job.secrets,
        domains=job.domains,
        slow_seconds=job.slow_seconds,
        nodes=job.nodes,
        keys=job.keys,
        known=tuple(state.id for state in known.states[-MOST_KNOWN:]),
    )
    if planned.state < 0:
        return common
    way = way_to(known, planned.state)
    state, (shortcut, after) = known.states[planned.state], _shortcut(known, planned.state, way)
    return replace(
        common,
        state=state.id,
        path=tuple(known.move(*step) for step in way),
        shortcut=shortcut,
        shortcut_after=after,
        moves=tuple(known.move(planned.state, place) for place in planned.places),
    )


def _shortcut(known: AppMap, state: int, way: tuple[tuple[int, int], ...]) -> tuple[str, int]:
    """Return an address that should lead to a state as the links do that end its way, and how many steps go before."""
    after = len(way)
    while after and known.move(*way[after - 1]).follows:
        after -= 1
    address = known.states[state].address
    return (address, after) if len(way) - after > 1 and address.startswith("http") else ("", 0)


def summary_of(progress: Progress) -> str:
    """Return what an exploration has found, in one line."""
    known = progress.map
    left = sum(map(len, known.open.values()))
    counts: Mapping[str, int] = {
        "states": known.distinct,
        "moves tried": len(known.edges),
        "left": left,
        "findings": len(known.findings),
    }
    said = ", ".join(f"{count} {what}" for what, count in counts.items())
    return f"{said}; {progress.over}" if progress.over else said

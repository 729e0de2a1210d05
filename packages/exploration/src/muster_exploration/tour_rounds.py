"""Rounds of tours: which are under way, what they may spend, and when an exploration is over. Pure."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from muster_exploration.app_map import AppMap, way_to
from muster_exploration.map_merging import Tried, merge
from muster_exploration.policies import Pick, Wish, due_switch, pick_tours, policy_of
from muster_protocol.explorations import ExplorationSpent, Move
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_protocol.requests import Exploration

LEAST_STEPS = 2
"""Steps that a tour needs at least: to start the app, and one move."""
UNLIMITED = 1_000_000
MOST_KNOWN = 300
"""States that a tour is told of, so that it need not describe them again."""
MOST_FAILED = 3
"""Tours in a row that may come to nothing."""


class Planned(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tour of the present round."""

    state: int = -1
    places: tuple[int, ...] = ()
    left: ExplorationSpent = ExplorationSpent()
    output: ExploreOutput | None = None
    """Set once it is over."""


class Progress(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far an exploration is."""

    map: AppMap = AppMap()
    spent: ExplorationSpent = ExplorationSpent()
    tours: int = 0
    """How many were planned."""
    round: dict[int, Planned] = {}
    """The tours under way by number, and those that are over but wait for an earlier one."""
    failed: int = 0
    """Tours in a row that came to nothing."""
    why: str = ""
    """Why the last one did."""
    over: str = ""
    """Why the exploration is over; empty: it is not."""


class Moment(NamedTuple):
    """The clock of an exploration, in Unix seconds."""

    now: float
    started: float


def wish_of(job: Exploration) -> Wish:
    """Return what an exploration is after; one with a goal and no policy of its own looks for the goal."""
    policies = ("goal",) if job.goal and job.policy == ("coverage",) else job.policy
    return Wish(policies, job.seed, job.tour_moves, job.goal, job.focus)


def begin() -> Progress:
    """Return the first round: one tour that sees how the app begins."""
    return Progress(tours=1, round={1: Planned(left=ExplorationSpent(steps=LEAST_STEPS, taps=0, restarts=2))})


def record_tour(progress: Progress, job: Exploration, number: int, output: ExploreOutput, at: Moment) -> Progress:
    """Return the progress after a tour; when all of its round are over, they are merged and the next round is planned.

    Tours are merged in the order in which they were planned, whichever was over first.
    """
    planned = progress.round.get(number)
    if planned is None or planned.output is not None:
        return progress
    tours = {**progress.round, number: replace(planned, output=output)}
    progress = replace(progress, round=tours, spent=progress.spent.plus(output.spent), failed=0)
    return _advance(progress, job, at)


def record_failure(progress: Progress, job: Exploration, number: int, why: str, at: Moment) -> Progress:
    """Return the progress after a tour that could not be made; what it was to try is left for another one."""
    planned = progress.round.get(number)
    if planned is None or planned.output is not None:
        return progress
    empty = ExploreOutput(broke_at=0, why=why)
    tours = {**progress.round, number: replace(planned, output=empty)}
    return _advance(replace(progress, round=tours, failed=progress.failed + 1, why=why), job, at)


def _advance(progress: Progress, job: Exploration, at: Moment) -> Progress:
    if any(tour.output is None for tour in progress.round.values()):
        return progress
    over = [(tour, tour.output) for _, tour in sorted(progress.round.items()) if tour.output is not None]
    known = merge(progress.map, [Tried(tour.state, tour.places, output) for tour, output in over], job.instances)
    switch = due_switch(known, wish_of(job), progress.tours)
    known = replace(known, switches=(*known.switches, switch)) if switch else known
    progress = replace(progress, map=known, round={})
    if why := why_over(progress, job, at):
        return replace(progress, over=why)
    return _plan_round(progress, job)


def why_over(progress: Progress, job: Exploration, at: Moment) -> str:
    """Return why an exploration ends, or "" if there is more to do. Budgets are looked at before anything is spent."""
    known, spent = progress.map, progress.spent
    if job.goal and any(state.goal for state in known.states):
        return "the goal is reached"
    if not known.states or progress.failed >= MOST_FAILED:
        return f"the app could not be explored: {progress.why or 'it did not begin'}"
    if not known.open:
        return "everything that was found was tried"
    if job.max_steps - spent.steps < LEAST_STEPS:
        return f"the budget is used up: {spent.steps} of max_steps {job.max_steps}"
    if job.max_taps and spent.taps >= job.max_taps:
        return f"the budget is used up: {spent.taps} of max_taps {job.max_taps}"
    if job.max_time_ms and (at.now - at.started) * 1000 >= job.max_time_ms:
        return f"the budget is used up: max_time_ms {job.max_time_ms}"
    if spent.restarts > job.restarts:
        return f"the budget is used up: {spent.restarts} restarts, {job.restarts} allowed"
    return ""


def _plan_round(progress: Progress, job: Exploration) -> Progress:
    wanted = job.sessions * 2 if job.sessions > 1 else 1
    affordable = (job.max_steps - progress.spent.steps) // LEAST_STEPS
    picks = pick_tours(progress.map, wish_of(job), len(progress.map.open))[: max(1, min(wanted, affordable))]
    share = _share(progress.spent, job, max(1, len(picks)))
    picks = tuple(pick for pick in picks if cost_of(progress.map, pick) <= share.steps)
    if not picks:
        picks, share = _cheapest(progress, job)
    if not picks:
        left = job.max_steps - progress.spent.steps
        return replace(progress, over=f"the budget is used up: {left} of max_steps {job.max_steps} lead nowhere new")
    numbered = enumerate(picks, progress.tours + 1)
    tours = {number: Planned(state=pick.state, places=pick.places, left=share) for number, pick in numbered}
    return replace(progress, round=tours, tours=progress.tours + len(picks))


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


def _cheapest(progress: Progress, job: Exploration) -> tuple[tuple[Pick, ...], ExplorationSpent]:
    """Return one tour that the rest of the budget pays for, the first by the policy; none if there is none."""
    share = _share(progress.spent, job, 1)
    picks = pick_tours(progress.map, wish_of(job), len(progress.map.open))
    return tuple(pick for pick in picks if cost_of(progress.map, pick) <= share.steps)[:1], share


def _share(spent: ExplorationSpent, job: Exploration, tours: int) -> ExplorationSpent:
    """Return what each tour of a round may spend, so that all together cannot exceed the budgets."""
    return ExplorationSpent(
        steps=(job.max_steps - spent.steps) // tours,
        taps=max(1, (job.max_taps - spent.taps) // tours) if job.max_taps else UNLIMITED,
        outside=max(0, job.outside_app - spent.outside) // tours,
        restarts=max(0, job.restarts - spent.restarts) // tours,
    )


def tour_input(progress: Progress, job: Exploration, number: int, until: float) -> ExploreInput:
    """Return what a worker is told of a tour; `until` is the time (Unix seconds) by which it has to be back."""
    planned, known = progress.round[number], progress.map
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

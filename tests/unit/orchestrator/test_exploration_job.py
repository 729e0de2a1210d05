"""How an exploration ends: done with what it has found, or failed where a goal was not reached."""

from typing import Any

import pytest
from driven import Driven
from envelopes import result_of
from msgspec.structs import replace

from muster_exploration.map_merging import MOST_BROKEN
from muster_protocol.causes import Cause
from muster_protocol.explorations import ExplorationSpent, Move, Sighting, Trial
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_protocol.requests import Exploration
from muster_protocol.verdicts import Verdict

GOAL = 'The page title is "Thank you"'
URL = "http://app.test/"
LINK = Move(do="tap", role="link", name="Cart")


def screen(name: str, *moves: Move, goal: bool = False) -> Sighting:
    return Sighting(id=name, kin=name, exact=name, address=f"{URL}{name}", title=name, moves=moves, goal=goal)


def tour(driven: Driven, **seen: Any) -> None:
    """Let the tour that is open end with what it has seen."""
    task = driven.open()
    assert isinstance(task.input, ExploreInput)
    output = ExploreOutput(start="home", **seen)
    result = replace(result_of(task.id, kind="explore", status="pass", summary="seen"), output=output)
    driven.ends(task, result)


def explored(goal: str, cart: Sighting, steps: int = 5) -> Verdict:
    """Return the verdict about an app whose first screen leads to a cart; seeing both takes so many steps."""
    driven = Driven(Exploration(url=URL, goal=goal, max_steps=20)).opens()
    tour(driven, seen=(screen("home", LINK),), spent=ExplorationSpent(steps=1))
    trial = Trial(move=0, outcome="reached", to=cart.id)
    tour(driven, seen=(cart,), trials=(trial,), spent=ExplorationSpent(steps=steps - 1))
    return driven.verdict


def test_an_exploration_without_a_goal_is_done_when_all_was_tried_or_the_budget_is_used_up():
    assert explored("", screen("cart")).status == "done"
    assert explored("", screen("cart", LINK), steps=20).status == "done"


def test_a_goal_that_is_reached_is_done_whatever_is_left_to_try():
    verdict = explored(GOAL, screen("cart", LINK, goal=True))
    assert (verdict.status, verdict.cause) == ("done", None)
    assert "the goal is reached" in verdict.summary


@pytest.mark.parametrize(
    ("cart", "steps", "cause"),
    [(screen("cart"), 5, Cause.AGENT), (screen("cart", LINK), 20, Cause.BUDGET)],
    ids=["all was tried", "the budget is used up"],
)
def test_a_goal_that_is_not_reached_is_no_success(cart: Sighting, steps: int, cause: Cause):
    verdict = explored(GOAL, cart, steps)
    assert (verdict.status, verdict.cause) == ("failed", cause)
    assert verdict.summary.startswith(f"the goal was not reached: {GOAL}; 2 states")


def test_an_app_to_which_no_way_leads_a_second_time_could_not_be_explored():
    driven = Driven(Exploration(url=URL, max_steps=20)).opens()
    tour(driven, seen=(screen("home", LINK),), spent=ExplorationSpent(steps=1))
    for _ in range(MOST_BROKEN):
        tour(driven, broke_at=0, why="the way led elsewhere", spent=ExplorationSpent(steps=1))
    assert (driven.verdict.status, driven.verdict.cause) == ("failed", Cause.ENVIRONMENT)
    assert "1 of the moves were not tried: the ways to them led elsewhere" in driven.verdict.summary

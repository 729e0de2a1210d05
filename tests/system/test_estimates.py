"""What a run will come to, by what the same steps came to before: on a fleet of real processes, with a priced model."""

from pathlib import Path

import pytest
from model_server import Answer, Asked, does, passes
from msgspec.structs import replace
from thinking import Play, Stage, plan_as_written, stage

from muster_bus.run_store import read_entries
from muster_protocol.events import RunOpened, SubTaskDispatched
from muster_protocol.requests import Limits

PAGE = "<!doctype html><title>Page</title><button onclick=\"document.title='Sent'\">Send</button>"
STEPS = (('Open "@/"', 'The title is "Page"'), ("Send the form", 'The title is "Sent"'))


def script(asked: Asked) -> Answer:
    if asked.role == "planner":
        return plan_as_written(2)
    return does(("click", {"element": "Send"}), passes("sent"))


async def events_of(made: Stage, run: str) -> list[object]:
    return [event for entry in await read_entries(made.fleet.bus, run) for event in entry.events]


@pytest.mark.slow
async def test_a_second_run_is_estimated_by_the_first_and_refused_where_it_may_cost_less(tmp_path: Path):
    async with stage(tmp_path, MODEL_PRICES="small=1000/1000,large=1000/1000") as made:
        place = Play({"": PAGE}, STEPS, script)
        first, run = await made.run(place)
        assert first.status == "pass", first.summary
        [opened] = [it for it in await events_of(made, run) if isinstance(it, RunOpened)]
        assert opened.estimate and opened.estimate.unknown == (1, 2)

        where = first.name.removeprefix("Case at ").removesuffix("/")  # the same words as before
        same = tuple((a.replace("@", where), e.replace("@", where)) for a, e in STEPS)
        again = Play({"": PAGE}, same, script, limits=Limits(max_cost=first.usage.cost / 2))
        refused, run = await made.run(again)
        events = await events_of(made, run)
        [opened] = [it for it in events if isinstance(it, RunOpened)]
        assert opened.estimate
        assert (opened.estimate.unknown, opened.estimate.usage.cost) == ((), pytest.approx(first.usage.cost))
        assert (refused.status, refused.cause, refused.usage.model_calls) == ("fail", "budget", 0)
        assert not [it for it in events if isinstance(it, SubTaskDispatched)]

        other = tuple((action + " ", expected) for action, expected in STEPS)  # never run: nothing is known of it
        spent, _ = await made.run(replace_steps(again, other, first.usage.cost / 10))
        assert (spent.status, spent.cause) == ("fail", "budget"), spent.summary


def replace_steps(play: Play, steps: tuple[tuple[str, str], ...], most: float) -> Play:
    return Play(play.pages, steps, play.script, limits=replace(play.limits, max_cost=most))

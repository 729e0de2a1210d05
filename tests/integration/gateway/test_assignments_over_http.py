"""Assignments over HTTP, against a real bus: accepted as runs, or refused with what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from muster_bus import replay
from muster_protocol import codec
from muster_protocol.requests import Assignment, RunRequest

if TYPE_CHECKING:
    from muster_bus import Bus

    from .conftest import Desk, Web

WANTED = {"type": "assignment", "goal": "Where are\n errors handled?", "agent": "researcher", "workspace": "shop"}


async def queued(bus: Bus) -> list[RunRequest]:
    return [codec.decode(it.data, RunRequest) async for it in replay(bus, "REQUESTS", bus.names.request("*"))]


async def test_an_assignment_becomes_a_run_that_is_called_by_its_goal(web: Web, desk: Desk, bus: Bus):
    more = {"budget": {"calls": 3, "depth": 1}, "tier": "orchestrator", "temperature": 0.5}
    answer = await web.http.post("/assignments", json=WANTED | more, headers={"Idempotency-Key": "question-1"})
    again = await web.http.post("/assignments", json=WANTED | more, headers={"Idempotency-Key": "question-1"})

    assert (answer.status_code, again.json()["duplicate"]) == (202, True)
    assert answer.headers["location"] == f"/runs/{answer.json()['run']}"
    [request] = await queued(bus)
    assert isinstance(request.job, Assignment)
    assert (request.job.name, request.job.workspace) == ("Where are errors handled?", "shop")
    assert (request.job.budget.calls, request.job.tier, request.job.temperature) == (3, "orchestrator", 0.5)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"goal": ""}, "Expected `str` of length >= 1 - at `$.goal`"),
        ({"agnt": "x"}, "$.agnt: unknown key; did you mean 'agent'?"),
        ({"budget": {"depth": 5}}, "Expected `int` <= 3 - at `$.budget.depth`"),
        ({"budget": {"calls": -1}}, "Expected `int` >= 0 - at `$.budget.calls`"),
        ({"tier": "huge"}, "$.tier: 'huge' is not valid; valid: "),
        ({"temperature": 3}, "Expected `float` <= 2.0 - at `$.temperature`"),
        ({"acceptance": ["The text ${secret:PIN} is visible"]}, "PIN"),
    ],
)
async def test_an_assignment_that_cannot_be_given_is_refused_with_the_place(
    web: Web, desk: Desk, bus: Bus, changed: dict[str, Any], said: str
):
    answer = await web.http.post("/assignments", json=WANTED | changed)

    assert answer.status_code == 400
    assert said in " ".join(answer.json()["reasons"])
    assert await queued(bus) == []

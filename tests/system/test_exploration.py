"""Explorations through a fleet of real processes: maps, budgets, findings, and cases that show them."""

import asyncio
from pathlib import Path

import pytest
from explored_apps import KNOWN, explored, shop, start, verdict_of
from fleet import fleet
from msgspec.structs import replace
from nats.aio.msg import Msg
from pages import site

from muster_client.runs import submit
from muster_exploration.case_writing import coverage_cases, finding_case, goal_case
from muster_protocol import codec
from muster_protocol.causes import Cause
from muster_protocol.cloud_events import CloudEvent
from muster_protocol.requests import Exploration, RunRequest


@pytest.mark.slow
async def test_the_same_seed_makes_the_same_map_and_its_cases_pass(tmp_path: Path) -> None:
    job = Exploration(device=shop(), values=KNOWN, max_steps=400)
    async with fleet(tmp_path) as group:
        await start(group)
        verdict, first = await explored(group, job)
        assert (verdict.status, verdict.cause) == ("done", None), verdict.summary
        _, second = await explored(group, job)
        bare = [
            [replace(state, picture="", screen="", source="") for state in file.map.states] for file in (first, second)
        ]
        assert bare[0] == bare[1]
        assert (first.map.edges, first.map.open, first.map.moves) == (
            second.map.edges,
            second.map.open,
            second.map.moves,
        )
        assert {state.title for state in first.map.states} == {"Log in", "Products", "Cart"}  # nothing was ordered
        carts = [state for state in first.map.states if state.title == "Cart"]
        assert len(carts) > 1  # an empty one, and one with something in it
        assert any("Place order" in reason for state in carts for reason in state.left_out)
        assert first.map.findings == ()
        for written in coverage_cases(first):
            passed = await verdict_of(group, written.case, shop())
            assert passed.status == "pass", (passed.summary, written.case)


@pytest.mark.slow
async def test_a_goal_is_reached_by_the_shortest_way_and_several_sessions_find_the_same_states(tmp_path: Path) -> None:
    goal = 'The page title is "Order placed"'
    async with fleet(tmp_path) as group:
        await start(group, workers=2)
        _, file = await explored(group, Exploration(device=shop(), values=KNOWN, goal=goal, allow=("Place order",)))
        written = goal_case(file)
        assert written is not None, file.over
        assert (await verdict_of(group, written.case, shop())).status == "pass"
        job = Exploration(device=shop(), values=KNOWN, max_steps=400)
        _, alone = await explored(group, job)
        _, together = await explored(group, replace(job, sessions=2))
        assert {state.id for state in alone.map.states} == {state.id for state in together.map.states}


@pytest.mark.slow
async def test_a_crash_is_a_finding_with_a_case_that_passes_once_it_is_mended(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        job = Exploration(device=shop("login-crash"), values=KNOWN, max_steps=60)
        verdict, file = await explored(group, job)
        assert verdict.status == "done", verdict.summary  # a finding is no fail
        (number,) = [at for at, finding in enumerate(file.map.findings) if finding.kind == "crash"]
        assert "NullPointerException" in file.map.findings[number].text
        assert file.map.findings[number].picture
        written = finding_case(file, number)
        assert written is not None
        assert (await verdict_of(group, written.case, shop())).status == "pass"
        broken = await verdict_of(group, written.case, shop("login-crash"))
        assert (broken.status, broken.cause) == ("fail", Cause.PRODUCT), broken.summary


@pytest.mark.slow
async def test_budgets_end_an_exploration_before_they_are_exceeded(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group)
        _, file = await explored(group, Exploration(device=shop(), values=KNOWN, max_steps=20))
        assert file.spent.steps <= 20
        assert "max_steps" in file.over


@pytest.mark.slow
async def test_what_axe_finds_has_a_case_that_fails_while_it_is_there(tmp_path: Path) -> None:
    broken, healthy = "<button><svg></svg></button>", "<button aria-label=Save><svg></svg></button>"
    page = '<!doctype html><html lang="en"><title>Test</title><main><h1>Test</h1>{}</main></html>'
    async with fleet(tmp_path) as group:
        with site() as web:
            await group.start("sessions")
            await group.start("orchestrator")
            await group.start("subagent")
            web.pages["/"] = page.format(broken)
            _, file = await explored(group, Exploration(url=web.url, max_steps=10))
            (number,) = [at for at, finding in enumerate(file.map.findings) if finding.kind == "access"]
            assert (file.map.findings[number].rule, file.map.findings[number].times) == ("button-name", 1)
            written = finding_case(file, number)
            assert written is not None
            failed = await group.verdict((await submit(group.bus, RunRequest(job=written.case))).run)
            assert (failed.status, failed.cause) == ("fail", Cause.PRODUCT), failed.summary
            web.pages["/"] = page.format(healthy)
            passed = await group.verdict((await submit(group.bus, RunRequest(job=written.case))).run)
            assert passed.status == "pass", passed.summary


@pytest.mark.slow
async def test_a_crash_is_an_event_that_triggers_can_wait_for(tmp_path: Path) -> None:
    heard: asyncio.Queue[CloudEvent] = asyncio.Queue()

    async def hear(message: Msg) -> None:
        heard.put_nowait(codec.decode(message.data, CloudEvent))

    async with fleet(tmp_path) as group:
        await group.bus.nc.subscribe(group.bus.names.live(group.bus.names.cloud_event("alert.app_crash")), cb=hear)
        await start(group)
        job = Exploration(device=shop("login-crash"), values=KNOWN, max_steps=60)
        run = (await submit(group.bus, RunRequest(job=job))).run
        async with asyncio.timeout(60):
            told = await heard.get()
        assert (told.type, told.subject) == ("alert.app_crash", run)
        assert told.data == {"run": run, "session": "main", "device": "screens", "name": ""}
        await group.verdict(run)

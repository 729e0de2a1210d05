"""The page of the fleet: who is there, what waits, what is kept, and dead letters put back or dropped by button."""

import re

import pytest
from browsing import NARROW, WIDE, Theme, overflow, visiting
from playwright.async_api import expect
from waiting import eventually

from muster_bus import Bus
from muster_bus.dead_letter_store import DeadLetter, bury, newest_dead
from muster_bus.run_store import find_verdict, read_entries
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.requests import RunRequest, Step, TestCase

from .conftest import Stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]

REASON = "it cannot be read: <img src=x onerror=window.harmed=1> \x1b[31mred\x1b[0m"


async def buried(bus: Bus, key: str, data: bytes, run: str) -> int:
    """Put a request aside as dead and return the letter's number."""
    history = ("12:00:03 orchestrator-1 took it (delivery 1)", "12:00:04 orchestrator-1 refused it")
    letter = DeadLetter(
        stream="REQUESTS",
        subject=bus.names.request(run),
        reason=REASON,
        history=history,
        key=key,
        delivery=2,
        data=data,
    )
    await bury(bus, letter)
    return max([letter.sequence async for letter in newest_dead(bus)])


async def left(bus: Bus) -> set[int]:
    """Return the numbers of the dead letters there are."""
    return {letter.sequence async for letter in newest_dead(bus)}


async def test_processes_queues_and_streams_are_shown_and_a_new_session_appears_by_itself(stage: Stage) -> None:
    async with visiting(stage.site, "/console/fleet") as (page, _):
        workers = page.get_by_role("region", name="Workers").get_by_role("row")
        for name in ("Orchestrator", "Sub-agent worker", "Session host", "Gateway"):
            await expect(workers.filter(has_text=name).first).to_contain_text("there")
        await expect(workers.filter(has_text="Sub-agent worker")).to_contain_text(re.compile(r"act\s*0/\d"))
        await expect(page.get_by_role("region", name="Queues")).to_contain_text("act-normal")
        await expect(page.get_by_role("region", name="Streams")).to_contain_text("JOURNAL")
        sessions = page.get_by_role("region", name="Sessions")
        await expect(sessions).to_contain_text("None is open")

        ask = Step(action='Ask "Go on?" and remember the answer as ${answer}')
        asks = TestCase(
            name="Asking", steps=(ask, Step(action='Run the command "echo on"', expected='The output contains "on"'))
        )
        run = (await submit(stage.fleet.bus, RunRequest(job=asks))).run
        await expect(sessions.get_by_role("link", name=run)).to_be_visible()
        await send_control(stage.fleet.bus, run, Cancel(id="cancel"))
        await expect(sessions).to_contain_text("None is open")


BARE_NUMBERS = """() => [...document.querySelectorAll("main, main div, main section")].flatMap((one) =>
    [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && /^\\d+$/.test(node.data)))
    .map((node) => node.data)"""
"""Returns numbers that stand outside of any paragraph, cell or value: what is left of a condition that is 0."""


async def test_no_number_is_left_of_what_is_not_shown(stage: Stage) -> None:
    async with visiting(stage.site, "/console/fleet") as (page, _):
        await expect(page.get_by_role("region", name="Queues")).to_contain_text("act-normal")
        assert await page.evaluate(BARE_NUMBERS) == []


async def test_runs_in_line_for_a_session_are_told_of(stage: Stage) -> None:
    queues = {"name": "web-normal", "stream": "OPENINGS", "pending": 12, "ack_pending": 0, "redelivered": 0}
    shown = {"queues": [queues | {"oldest_seconds": 3, "waiting": 0}], "streams": []}
    async with visiting(stage.site, "/console/fleet") as (page, _):
        await expect(page.get_by_text("waiting for a session")).to_have_count(0)
        await page.route("**/queues", lambda route: route.fulfill(json=shown))
        await expect(page.get_by_role("status").filter(has_text="12 runs waiting for a session")).to_be_visible()


async def test_a_dead_letter_is_read_put_back_and_worked_on_again(stage: Stage) -> None:
    bus, run = stage.fleet.bus, "run-once-dead"
    case = TestCase(
        name="Back again", steps=(Step(action='Run the command "echo back"', expected='The output contains "back"'),)
    )
    number = await buried(bus, "back", codec.encode(RunRequest(id=run, job=case)), run)
    async with visiting(stage.site, "/console/fleet") as (page, _):
        letter = page.get_by_role("listitem").filter(has_text=f"#{number}")
        await expect(letter).to_contain_text("<img src=x onerror=window.harmed=1> red")
        await letter.get_by_text("History and message").click()
        await expect(letter).to_contain_text("orchestrator-1 refused it")
        await expect(letter).to_contain_text('"Back again"')
        await letter.get_by_role("button", name="Put back").click()
        await page.get_by_role("dialog").get_by_role("button", name="Put it back").click()
        await expect(letter).to_be_hidden()
        assert await page.evaluate("window.harmed") is None

    async def passed() -> bool:
        verdict = find_verdict(await read_entries(bus, run))
        return verdict is not None and verdict.status == "pass"

    await eventually(passed, "the run that was put back passes", 60.0)
    assert number not in await left(bus)


async def test_a_dead_letter_is_dropped_only_after_a_yes(stage: Stage) -> None:
    bus = stage.fleet.bus
    number = await buried(bus, "drop", b"no request at all", "run-broken")
    async with visiting(stage.site, "/console/fleet", excused=("409",)) as (page, _):
        letter = page.get_by_role("listitem").filter(has_text=f"#{number}")
        await letter.get_by_role("button", name="Put back").click()
        await page.get_by_role("dialog").get_by_role("button", name="Put it back").click()
        await expect(page.locator(".toast.bad")).to_be_visible()  # it still cannot be read, and stays
        await letter.get_by_role("button", name="Drop").click()
        await page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        assert number in await left(bus)
        await letter.get_by_role("button", name="Drop").click()
        await page.get_by_role("dialog").get_by_role("button", name="Drop it").click()
        await expect(letter).to_be_hidden()
        assert number not in await left(bus)


async def test_who_is_no_admin_reads_dead_letters_but_may_not_settle_them(stage: Stage) -> None:
    number = await buried(stage.fleet.bus, "read", b"no request", "run-read")
    async with visiting(stage.site, "/console/fleet", key=stage.keys["runner"]) as (page, _):
        letter = page.get_by_role("listitem").filter(has_text=f"#{number}")
        for name in ("Put back", "Drop"):
            await expect(letter.get_by_role("button", name=name)).to_have_attribute("title", re.compile("role admin"))
        await letter.get_by_text("History and message").click()
        await expect(letter).to_contain_text("no request")


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_it_fits_both_widths(stage: Stage, theme: Theme) -> None:
    await buried(stage.fleet.bus, f"fits {theme}", b"x" * 5000, f"run-{'long' * 40}")
    for size in (WIDE, NARROW):
        async with visiting(stage.site, "/console/fleet", size, theme) as (page, _):
            await expect(page.get_by_role("region", name="Streams")).to_be_visible()
            await page.get_by_text("History and message").first.click()
            await expect(page.locator(".fleet-data").first).to_contain_text("xxxx")
            assert await overflow(page) == 0
            assert await page.evaluate(
                "document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth"
            )

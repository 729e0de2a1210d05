"""Opening sessions, on one host and on several."""

import asyncio
import json
import time
from typing import Any, cast

import pytest
from counted import counted
from msgspec import Struct
from msgspec.structs import replace
from session_stage import NO_DEVICE, Stage
from structlog.testing import capture_logs
from waiting import eventually

from muster_bus import Rows
from muster_protocol.requests import DeviceSpec
from muster_protocol.session_requests import OpenSession
from muster_protocol.session_responses import Opened, SessionError
from muster_protocol.sessions import SessionRow
from muster_sessionhost.leases import Leases
from muster_sessionhost.session_replies import make_reply_of_other


async def test_opening_again_finds_the_session_that_is_there(stage: Stage) -> None:
    host = stage.host
    opened, here = counted("muster_sessions_opened_total", how="fresh"), counted("muster_sessions_open")
    first, again = await stage.open(), await stage.open()
    assert counted("muster_sessions_opened_total", how="fresh") == opened + 1
    assert counted("muster_sessions_open") == here + 1 <= counted("muster_sessions_limit")
    assert first.session == again.session
    assert (first.fresh, again.fresh, first.session.host) == (True, False, host)
    assert set(first.session.capabilities) - {"sandbox"} == {"shell", "files", "web"}
    row = await Rows(stage.bus, "SESSIONS", SessionRow).get(f"{stage.run}.main")
    assert row is not None
    assert (row.host, row.capabilities) == (host, first.session.capabilities)


async def test_hosts_that_are_asked_at_once_agree_on_one(own: Stage) -> None:
    for _ in range(3):
        await own.start_host()
    for run in ("run-a", "run-b", "run-c"):
        opened = await asyncio.gather(*(own.open(run, device=NO_DEVICE) for _ in range(8)))
        assert len({reply.session.host for reply in opened}) == 1
        assert sum(reply.fresh for reply in opened) == 1


@pytest.mark.slow
async def test_a_full_host_says_so_at_once_and_who_waits_in_line_is_served_by_one_that_has_room(own: Stage) -> None:
    await own.start_host(max_sessions=1)
    await own.open("run-a", device=NO_DEVICE)
    refused = await own.ask(own.bus.names.sessions_open, OpenSession(run="run-b", device=NO_DEVICE))
    assert isinstance(refused, SessionError)
    assert refused.reason == "full"
    assert not (await own.open("run-a", device=NO_DEVICE)).fresh

    other = await own.start_host(max_sessions=50)
    opened = [await own.open(f"run-{number}", device=NO_DEVICE) for number in range(6)]
    assert {reply.session.host for reply in opened} == {other}


async def test_who_waits_in_line_by_a_newer_version_is_left_to_newer_hosts_and_what_nobody_can_read_is_dropped(
    own: Stage,
) -> None:
    await own.start_host()
    faults = counted("muster_faults_total", where="OPENINGS")
    with capture_logs() as logged:
        await own.bus.js.publish("muster.openings.none.normal.run-a.main", b'{"of":"tomorrow"}', headers={"v": "9"})
        await own.bus.js.publish("muster.openings.none.normal.run-b.main", b"\xff nonsense")

        async def seen() -> bool:
            told = {str(line["event"]) for line in logged}
            return {
                "message left to a newer version of Muster; offered again later",
                "unreadable message dropped",
            } <= told

        await eventually(seen, "both were seen")

    async def one_is_left() -> bool:
        return (await own.bus.js.stream_info("OPENINGS")).state.messages == 1

    await eventually(one_is_left, "the newer one waits")
    assert counted("muster_faults_total", where="OPENINGS") == faults + 1


async def test_who_waits_in_line_is_not_passed_by_asking(own: Stage) -> None:
    await own.start_host(max_sessions=1)
    waits = OpenSession(run="run-a", device=NO_DEVICE, in_line=True)
    refused = await own.ask(own.bus.names.sessions_open, waits)
    assert isinstance(refused, SessionError)
    assert refused.reason == "full"
    await own.open("run-a", device=NO_DEVICE)
    assert isinstance(await own.ask(own.bus.names.sessions_open, waits), Opened)


async def test_a_session_that_the_bus_keeps_from_opening_is_refused_for_now_and_counted(own: Stage) -> None:
    await own.start_host()
    failed = counted("muster_sessions_failed_total", reason="busy")
    await own.bus.js.delete_key_value(own.bus.names.bucket("SESSIONS"))
    refused = await own.ask(own.bus.names.sessions_open, OpenSession(run="run-a", device=NO_DEVICE))
    assert isinstance(refused, SessionError)
    assert refused.reason == "busy"
    assert counted("muster_sessions_failed_total", reason="busy") == failed + 1


PHONE = DeviceSpec(kind=cast("Any", "phone"))


class Nonsense(Struct, tag="nonsense"):
    run: str = "run-a"


@pytest.mark.parametrize(
    "request_", [Nonsense(), OpenSession(run="a.b"), OpenSession(run="run-a", device=PHONE), OpenSession(run="")]
)
async def test_a_request_that_makes_no_sense_is_refused(stage: Stage, request_: Struct) -> None:
    for subject in (stage.bus.names.sessions_open, stage.bus.names.session_host(stage.host)):
        reply = await stage.ask(subject, request_)
        assert isinstance(reply, SessionError)
        assert reply.reason == "invalid"


async def test_the_row_of_a_host_that_fell_silent_is_taken_over(own: Stage) -> None:
    rows = Rows(own.bus, "SESSIONS", SessionRow)
    long_ago = time.time() - 60
    await rows.create("run-a.main", SessionRow(run="run-a", name="main", host="host-dead", seen_at=long_ago))
    live = SessionRow(
        run="run-b", name="main", host="host-live", seen_at=time.time() + 60, capabilities=("shell",), instance="s1"
    )
    await rows.create("run-b.main", live)
    host = await own.start_host()
    assert (await own.open("run-a", device=NO_DEVICE)).session.host == host
    assert (await own.open("run-b", device=NO_DEVICE)).session.host == "host-live"
    # whoever lost the session says so, and then the host that should have it is asked whether it is there
    assert (await own.open("run-b", device=NO_DEVICE, checkpoint=True)).session.host == host


async def test_a_session_that_another_host_is_still_opening_is_told_of_once_it_is_open(own: Stage) -> None:
    rows = Rows(own.bus, "SESSIONS", SessionRow)
    opening = SessionRow(run="run-a", name="main", host="host-b", seen_at=time.time() + 60, instance="s1")
    await rows.create("run-a.main", opening)
    await own.start_host()
    asked = asyncio.create_task(own.open("run-a", device=NO_DEVICE))
    await rows.put("run-a.main", replace(opening, capabilities=("shell",), restored="same", after=4))
    opened = await asked
    assert (opened.fresh, opened.session.host, opened.session.instance) == (False, "host-b", "s1")
    assert (opened.session.capabilities, opened.restored, opened.after) == (("shell",), "same", 4)


async def test_a_session_that_its_host_gave_up_is_not_called_open(own: Stage) -> None:
    claimed = SessionRow(run="run-a", name="main", host="host-b", seen_at=time.time() + 60)
    there_no_more = await Leases(own.bus, "host-a", heartbeat=1.0).wait_until_ready(claimed)
    refused = make_reply_of_other(claimed, there_no_more)
    assert isinstance(refused, SessionError)
    assert (refused.reason, refused.text) == ("busy", "session host host-b has not opened the session yet")


async def test_only_the_allowed_domains_can_be_reached(stage: Stage, site: str) -> None:
    await stage.open(domains=("127.0.0.1",))
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(site)
        for other in (site.replace("127.0.0.1", "localhost"), site.replace("127.0.0.1", "127.0.0.2")):
            fetch = "url => fetch(url, {mode: 'no-cors'}).then(() => 'reached', error => `${error}`)"
            assert await page.evaluate(fetch, other) == "TypeError: Failed to fetch"


async def test_the_host_remembers_what_pages_loaded_and_said(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(f"{site}/second?x=1")
        await page.evaluate("console.warn('careful'); setTimeout(() => { throw new Error('broken') })")
        await page.evaluate("fetch('http://127.0.0.1:1/').catch(() => {})")

        async def seen(key: str) -> str:
            return await session.recall(key) or ""

        async def all_seen() -> bool:
            return "broken" in await seen("console") and "127.0.0.1:1/" in await seen("network")

        await eventually(all_seen, "all of it was seen")
        console = [(entry["level"], entry["text"]) for entry in json.loads(await seen("console"))]
        assert console[:2] == [("warning", "careful"), ("error", "Uncaught Error: broken")]
        network = [(entry["url"], entry.get("status", 0)) for entry in json.loads(await seen("network"))]
        assert network == [(f"{site}/second?x=1", 200), ("http://127.0.0.1:1/", 0)]
        document = json.loads(await seen("document"))
        assert (document["url"], document["status"]) == (f"{site}/second?x=1", 200)

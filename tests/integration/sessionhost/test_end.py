"""How sessions end: closed, unused, with their browser, with their host, taken by another host."""

import asyncio
import json
import os
import signal
import sys
import time
from contextlib import suppress

import msgspec
import pytest
from counted import counted
from session_stage import NO_DEVICE, Stage, descendants, processes_with
from waiting import eventually

from muster_bus import Rows
from muster_bus.artifact_store import get_artifact, list_artifacts, put_artifact
from muster_devices.web.page_state import WebState
from muster_protocol import codec
from muster_protocol.errors import Refused
from muster_protocol.requests import DeviceSpec
from muster_protocol.session_requests import Attach, CloseSession, Exec
from muster_protocol.session_responses import Closed, Opened, SessionError
from muster_protocol.sessions import Holder, SessionRow
from muster_sessionhost.checkpoint import SavedSession, artifact_name
from muster_sessionhost.process_reaper import find_processes
from muster_subagent.tool_context import SessionLost

LATE = Holder(dispatch=9, delivery=1, worker="late")


async def test_closing_stores_what_was_recorded_and_is_answered_the_same_again(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        page = await session.page()
        await page.goto(site)
    together = await asyncio.gather(*(stage.close() for _ in range(3)))
    closed = await stage.close()
    assert all(reply == closed for reply in together)
    names = [ref.name for ref in closed.artifacts]
    assert names == [f"{stage.run}/session/main-{what}" for what in ("trace.zip", "network.har")]
    for ref in closed.artifacts:
        assert len(await get_artifact(stage.bus, ref.name) or b"") == ref.size
    assert await list_artifacts(stage.bus, f"{stage.run}/checkpoint") == []  # it holds cookies
    assert await Rows(stage.bus, "SESSIONS", SessionRow).get(f"{stage.run}.main") is None
    assert not list(stage.folder.glob(f"host-*/{stage.run}*"))
    gone = await stage.of(Attach, LATE)
    assert isinstance(gone, SessionError)
    assert gone.reason == "no_session"
    assert await stage.close("run-never") == Closed()


async def test_closing_removes_the_checkpoint_of_a_session_that_is_not_there_any_more(stage: Stage) -> None:
    name = artifact_name(stage.run, "main")
    await put_artifact(stage.bus, name, b"{}", "application/json")
    await stage.close()
    assert await get_artifact(stage.bus, name) is None


@pytest.mark.slow
async def test_a_checkpoint_that_is_just_being_stored_does_not_outlive_the_session(stage: Stage, site: str) -> None:
    for _ in range(5):
        await stage.open()
        async with stage.attach() as session:
            await (await session.page()).goto(site)
        await stage.close()  # as the checkpoint asked for on leaving is on its way
        assert await list_artifacts(stage.bus, f"{stage.run}/checkpoint") == []


@pytest.mark.slow
async def test_a_quick_end_leaves_no_browser_that_does_not_answer(own: Stage, site: str) -> None:
    await own.start_host()
    await own.open()
    async with own.attach() as session:
        await (await session.page()).goto(site)
    browser = find_processes(folder.name for folder in own.folder.glob(f"host-*/{own.run}.*"))
    assert browser
    for pid in browser:
        os.kill(pid, signal.SIGSTOP)
    began = time.monotonic()
    await own.ask(own.bus.names.session_host(own.host), CloseSession(run=own.run, quick=True))
    assert time.monotonic() - began < 6.0  # three at most, on a machine that is not busy
    await eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in browser), "no process left")


async def test_a_command_that_is_just_starting_does_not_outlive_its_session(own: Stage) -> None:
    await own.start_host(sandbox="none")
    marker = f"52{time.time_ns() % 10**9}"
    for milliseconds in range(0, 20, 2):
        own.run = f"run-starting-{milliseconds}"
        await own.open(device=NO_DEVICE)
        await own.of(Attach, LATE)
        await own.of(Exec, LATE, call="t:1", command="true")  # the shell is there
        starting = asyncio.create_task(own.of(Exec, LATE, call="t:2", command=f"sleep {marker}"))
        await asyncio.wait({starting}, timeout=milliseconds / 1000)
        await own.ask(own.bus.names.session_host(own.host), CloseSession(run=own.run, quick=True))
        assert isinstance(await starting, SessionError)
        assert not processes_with(marker)


async def test_a_session_nobody_uses_is_closed(own: Stage) -> None:
    await own.start_host(session_idle_seconds=0.6, session_heartbeat_seconds=0.1)
    ended = counted("muster_sessions_ended_total", reason="idle")
    await own.open(device=NO_DEVICE)
    rows = Rows(own.bus, "SESSIONS", SessionRow)
    async with own.attach() as session:
        done = await session.execute("sleep 1; echo used", call="t:1", timeout_seconds=5, secrets={})
        assert done.stdout == "used\n"  # a request under way is use

    async def closed() -> bool:
        return await rows.get(f"{own.run}.main") is None

    await eventually(closed, "the row is gone")
    assert "nobody used it" in (await own.of(Attach, LATE)).text
    assert counted("muster_sessions_ended_total", reason="idle") == ended + 1


async def test_a_host_whose_session_was_opened_elsewhere_gives_it_up(own: Stage) -> None:
    await own.start_host(session_heartbeat_seconds=0.2)
    await own.open(device=NO_DEVICE)
    events = await own.bus.nc.subscribe(own.bus.names.session_events(own.run, "main"))
    key, rows = f"{own.run}.main", Rows(own.bus, "SESSIONS", SessionRow)
    theirs = SessionRow(run=own.run, name="main", host="host-other", opened_at=1.0, seen_at=time.time())
    await rows.put(key, theirs)
    assert b"another host" in (await events.next_msg(timeout=10)).data
    assert (await own.of(Attach, LATE)).reason == "no_session"
    assert await rows.get(key) == theirs


async def test_the_end_of_the_browser_is_the_end_of_the_session_and_is_told(own: Stage) -> None:
    await own.start_host()
    await own.open()
    before = descendants(os.getpid())
    await own.open("run-victim", device=DeviceSpec(kind="web"))
    with pytest.raises(SessionLost, match="the browser ended by itself"):
        async with own.attach(run="run-victim") as session:
            waiting = asyncio.create_task(session.dialog_opened())
            await asyncio.sleep(0)
            for pid in descendants(os.getpid()) & set(processes_with("--disable-sync")) - before:
                with suppress(ProcessLookupError):  # it ended with the one before
                    os.kill(pid, signal.SIGKILL)
            await asyncio.wait_for(waiting, 10)
    with pytest.raises(SessionLost, match="the browser ended by itself"):
        async with own.attach(run="run-victim", dispatch=2):
            pass
    assert (await own.open("run-victim")).fresh
    assert not (await own.open()).fresh


@pytest.mark.slow
async def test_a_host_that_is_told_to_stop_stores_what_its_sessions_left_and_leaves_nothing_behind(
    own: Stage, site: str
) -> None:
    settings = {"NATS_URL": own.server.url, "HOST_ID": "host-1", "SESSIONS_DIR": str(own.folder), "LOG_LEVEL": "error"}
    settings |= {"RECORD_PICTURE": "off", "UNSANDBOXED_MODEL_COMMANDS": "allow", "SESSION_DRAIN_SECONDS": "0"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_sessionhost"), env=os.environ | settings, stderr=asyncio.subprocess.PIPE
    )
    assert (await open_when_ready(own)).session.host == "host-1"
    events = await own.bus.nc.subscribe(own.bus.names.session_events(own.run, "main"))
    children: set[int] = set()
    async with own.attach() as session:
        await (await session.page()).goto(site)
    with pytest.raises(SessionLost, match="its host is stopping"):
        async with own.attach(dispatch=2) as session:
            await (await session.page()).goto(f"{site}/second")
            await session.execute("sleep 1000", call="t:1", timeout_seconds=5, background=True, secrets={})
            children = descendants(process.pid)
            assert len(children) > 3
            process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(session.dialog_opened(), 15)
    _, errors = await asyncio.wait_for(process.communicate(), 15)
    assert (process.returncode, errors.decode()) == (0, "")
    assert json.loads((await events.next_msg(timeout=5)).data)["type"] == "session_gone"
    assert sorted(await list_artifacts(own.bus, f"{own.run}/")) == [
        f"{own.run}/checkpoint/main.json",
        f"{own.run}/session/main-network.har",
        f"{own.run}/session/main-trace.zip",
    ]
    saved = codec.decode(await get_artifact(own.bus, f"{own.run}/checkpoint/main.json") or b"", SavedSession)
    assert (saved.after, [page.url for page in msgspec.json.decode(saved.device, type=WebState).pages]) == (
        1,
        [f"{site}/"],
    )  # as the one before had left it
    assert await Rows(own.bus, "SESSIONS", SessionRow).get(f"{own.run}.main") is None
    assert not list(own.folder.glob("host-*"))
    await eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children), "no process left")


async def open_when_ready(stage: Stage) -> Opened:
    async with asyncio.timeout(20):
        while True:
            try:
                return await stage.open()
            except Refused:
                await asyncio.sleep(0.05)


async def test_folders_of_hosts_that_died_are_removed_by_the_next_and_those_of_live_ones_stay(own: Stage) -> None:
    (own.folder / "host-left-behind" / "run-1").mkdir(parents=True)
    await own.start_host(sandbox="none")
    await own.start_host(sandbox="none")
    names = [folder.name for folder in own.folder.iterdir()]
    assert len(names) == 2
    assert "host-left-behind" not in names

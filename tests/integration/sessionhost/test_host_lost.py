"""A session host is killed or stopped: nothing of its sessions runs on, and it does nothing that is no longer its own."""

import asyncio
import json
import os
import signal
import time

import pytest
from msgspec.structs import replace
from nats.aio.msg import Msg
from needed import needs_sandbox
from session_stage import NO_DEVICE, MakeStage, Stage, descendants, processes_with
from waiting import eventually

from muster_bus import Rows
from muster_bus.artifact_store import get_artifact, put_artifact
from muster_bus.server_clock import read_server_clock
from muster_protocol import codec
from muster_protocol.session_requests import Attach, CloseSession, Exec, OpenSession
from muster_protocol.session_responses import Closed, Elsewhere, ExecDone, Opened
from muster_protocol.sessions import Holder, SessionRow
from muster_sessionhost.checkpoint import artifact_name
from muster_sessionhost.leases import Leases
from muster_subagent.held_sessions import Attachments
from muster_subagent.tool_context import SessionLost

FIRST = Holder(dispatch=1, delivery=1, worker="worker-a")


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", [pytest.param("bwrap", marks=needs_sandbox()), "none"])
async def test_nothing_of_a_killed_hosts_sessions_runs_on_and_the_next_host_removes_its_folder(
    own: Stage, site: str, sandbox: str
) -> None:
    marker = f"51{time.time_ns() % 10**9}"
    host = await own.start_host_process("host-1", SANDBOX=sandbox)
    await own.open()
    async with own.attach() as session:
        page = await session.page()
        await page.goto(site)
        command = f"setsid sleep {marker} & sleep {marker}1"
        await session.execute(command, call="t:1", timeout_seconds=5, background=True, secrets={})
        await eventually(lambda: len(processes_with(marker)) >= 2, "the command's children run")
        children = descendants(host.pid)
        spinning = asyncio.create_task(page.evaluate("() => { while (true) {} }"))
        host.kill()
        await host.wait()
        await eventually(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children), "no process left")
        assert not processes_with(marker)
        await asyncio.wait({spinning}, timeout=10)
        assert spinning.exception() is not None
        with pytest.raises(SessionLost, match="is gone"):
            await session.recall("page")
    left = [folder.name for folder in own.folder.glob("host-*")]
    assert len(left) == 1
    await own.start_host(sandbox="none")
    assert left[0] not in [folder.name for folder in own.folder.glob("host-*")]


async def forgotten_and_back(own: Stage) -> tuple[Leases, Leases, SessionRow]:
    """Return the leases of a host that was cut off, those of one that has forgotten it, and the row."""
    cut_off, other = (Leases(own.bus, host, heartbeat=0.05) for host in ("host-a", "host-b"))
    row = SessionRow(run="r", name="main", host="host-a", opened_at=1.0, seen_at=time.time(), instance="s-1")
    assert await cut_off.claim("r.main", row, lost=False) == row

    async def forgets() -> bool:
        return await other.remove_dead_rows() == 1

    await eventually(forgets, "the row is forgotten")
    return cut_off, other, row


async def test_a_row_that_was_forgotten_while_its_host_was_cut_off_is_made_again(own: Stage) -> None:
    cut_off, other, row = await forgotten_and_back(own)
    assert await cut_off.renew("r.main")
    assert (await other.find("r.main") or row).instance == "s-1"
    assert await cut_off.renew("r.main")
    await cut_off.release("r.main")
    assert await Rows(own.bus, "SESSIONS", SessionRow).get("r.main") is None


async def test_a_row_that_another_host_has_claimed_meanwhile_is_that_ones(own: Stage) -> None:
    cut_off, other, row = await forgotten_and_back(own)
    theirs = replace(row, host="host-b", opened_at=2.0, seen_at=time.time(), instance="s-2")
    assert await other.claim("r.main", theirs, lost=True) == theirs
    assert not await cut_off.renew("r.main")
    await cut_off.release("r.main")
    assert await Rows(own.bus, "SESSIONS", SessionRow).get("r.main") == theirs


async def test_a_host_whose_clock_is_wrong_takes_no_session_for_lost(
    own: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read_server_clock(own.bus)
    first, other = (Leases(own.bus, host, heartbeat=5.0) for host in ("host-a", "host-b"))
    row = SessionRow(run="r", name="main", host="host-a", opened_at=1.0, seen_at=own.bus.clock.now())
    await first.claim("r.main", row, lost=False)
    right = time.time()
    monkeypatch.setattr(time, "time", lambda: right + 900)
    assert await other.find("r.main") == row
    assert await first.renew("r.main")
    monkeypatch.setattr(time, "time", lambda: right - 900)
    assert (await other.find("r.main") or row).seen_at < right + 60


@pytest.mark.slow
async def test_a_row_that_was_just_removed_was_not_forgotten_and_is_not_made_again(own: Stage) -> None:
    leases, rows = Leases(own.bus, "host-a", heartbeat=5.0), Rows(own.bus, "SESSIONS", SessionRow)
    row = SessionRow(run="r", name="main", host="host-a", opened_at=1.0, seen_at=time.time())
    await leases.claim("r.main", row, lost=False)
    await rows.delete("r.main")
    assert not await leases.renew("r.main")
    assert await rows.get("r.main") is None


@pytest.mark.slow
async def test_the_late_word_of_a_host_that_was_cut_off_is_not_taken_for_the_one_that_has_the_session_now(
    own: Stage, make_stage: MakeStage
) -> None:
    async with make_stage() as elsewhere:
        elsewhere.server = own.server
        first = await elsewhere.start_host(session_heartbeat_seconds=60)
        await own.open(device=NO_DEVICE)
        async with own.attach() as session:
            await session.keep("k", "1")
        key, rows = f"{own.run}.main", Rows(own.bus, "SESSIONS", SessionRow)
        await rows.delete(key)  # it is cut off for so long that its row is gone, and it does not know yet
        second = await own.start_host()
        async with asyncio.timeout(20):
            while (await own.open(device=NO_DEVICE, checkpoint=True)).session.host != second:
                pass  # the first one is asked as well, by turns
        events = await own.bus.nc.subscribe(own.bus.names.session_events(own.run, "main"))
        async with own.attach(dispatch=2) as session:
            await elsewhere.end()
            told = json.loads((await events.next_msg(timeout=15)).data)
            assert (told["type"], told["host"]) == ("session_gone", first)
            heard = list[str]()
            done = await session.execute(
                "echo here", call="t:1", timeout_seconds=5, secrets={}, on_output=lambda _, text: heard.append(text)
            )
            assert done.stdout == "here\n"
            await eventually(lambda: heard == ["here\n"], "what the host of the session tells is heard")


@pytest.mark.slow
async def test_the_row_of_a_dead_hosts_session_is_removed_by_another_host(own: Stage) -> None:
    dead = await own.start_host_process("host-1", SANDBOX="none")
    await own.open(device=NO_DEVICE)
    dead.kill()
    await dead.wait()
    await own.start_host(session_heartbeat_seconds=0.2, sandbox="none")
    await own.open(device=NO_DEVICE, run="other")
    rows = Rows(own.bus, "SESSIONS", SessionRow)

    async def forgotten() -> bool:
        return [row.run for row in await rows.all()] == ["other"]

    await eventually(forgotten, "only the live host's session is listed")


async def test_what_bears_the_mark_of_a_dead_hosts_session_is_ended_by_the_next_host(own: Stage) -> None:
    (own.folder / "host-dead" / "run-1.main-s1").mkdir(parents=True)
    marked = await asyncio.create_subprocess_exec("sleep", "1000", env={"MUSTER_SESSION": "run-1.main-s1"})
    other = await asyncio.create_subprocess_exec("sleep", "1000", env={"MUSTER_SESSION": "run-1.main-s2"})
    try:
        await own.start_host(sandbox="none")
        assert await asyncio.wait_for(marked.wait(), 10) == -signal.SIGKILL
        assert other.returncode is None
    finally:
        for process in (marked, other):
            if process.returncode is None:
                process.kill()
            await process.wait()


@pytest.mark.slow
async def test_a_host_that_was_stopped_for_longer_than_requests_wait_runs_a_command_once(own: Stage) -> None:
    host = await own.start_host_process("host-1", SANDBOX="none")
    await own.open(device=NO_DEVICE)
    own.workers["impatient"] = Attachments(own.bus, exec_try_seconds=0.2)
    async with own.attach(worker="impatient") as session:
        host.send_signal(signal.SIGSTOP)
        asked = asyncio.create_task(
            session.execute("echo once >> count; cat count", call="t:1", timeout_seconds=10, secrets={})
        )
        requests = await own.bus.nc.subscribe(own.bus.names.session_host("host-1"))
        for _ in range(5):  # it was asked again and again meanwhile
            await requests.next_msg(timeout=10)
        host.send_signal(signal.SIGCONT)
        assert (await asked).stdout == "once\n"
        again = await own.of(Exec, Holder(dispatch=1, delivery=1, worker="impatient"), call="t:1", command="echo more")
        assert isinstance(again, ExecDone)
        assert again.stdout == "once\n"


@pytest.mark.slow
async def test_a_host_that_was_stopped_until_another_took_its_session_does_not_do_what_waited_in_its_socket(
    own: Stage,
) -> None:
    marker = own.folder / "touched"
    host = await own.start_host_process("host-1", SANDBOX="none", SESSION_HEARTBEAT_SECONDS="0.3")
    await own.open(device=NO_DEVICE)
    await own.of(Attach, FIRST)
    host.send_signal(signal.SIGSTOP)
    late = Exec(run=own.run, name="main", holder=FIRST, call="t:1", command=f"touch {marker}")
    inbox = own.bus.nc.new_inbox()
    answers = await own.bus.nc.subscribe(inbox)
    await own.bus.nc.publish(own.bus.names.session_host("host-1"), codec.encode(late), reply=inbox)
    await own.start_host(sandbox="none", session_heartbeat_seconds=0.3)

    async def taken_over() -> bool:
        wanted = OpenSession(run=own.run, device=NO_DEVICE, checkpoint=True)
        try:  # the one that is stopped is asked as well, by turns
            opened = await own.bus.request(own.bus.names.sessions_open, wanted, Opened, 1.0)
        except TimeoutError:
            return False
        return opened.session.host != "host-1"

    await eventually(taken_over, "another host has the session")
    host.send_signal(signal.SIGCONT)
    answer = await answers.next_msg(timeout=15)
    assert b"no_session" in answer.data
    assert not marker.exists()


async def close_wherever(own: Stage) -> Closed:
    """Close the test's session as one who does not know its host."""
    reply = await own.ask(own.bus.names.sessions_open, CloseSession(run=own.run))
    if isinstance(reply, Elsewhere):
        reply = await own.ask(own.bus.names.session_host(reply.host), CloseSession(run=own.run))
    assert isinstance(reply, Closed), reply
    return reply


@pytest.mark.slow
async def test_a_session_is_closed_by_its_host_whichever_host_is_asked(own: Stage) -> None:
    await own.start_host(sandbox="none", host_id="host-1")
    await own.open(device=NO_DEVICE)
    await own.start_host(sandbox="none", host_id="host-2")
    rows = Rows(own.bus, "SESSIONS", SessionRow)
    for number in range(8):  # either host is asked sooner or later
        own.run = f"run-wherever-{number}"
        await own.open(device=NO_DEVICE)
        assert await rows.get(f"{own.run}.main") is not None
        closed = await close_wherever(own)
        assert await rows.get(f"{own.run}.main") is None
        assert not list(own.folder.glob(f"host-*/{own.run}*"))
        assert await own.close() == closed


@pytest.mark.slow
async def test_a_session_that_is_just_being_opened_is_closed_whichever_host_is_asked(own: Stage) -> None:
    await own.start_host(sandbox="none", host_id="host-1")
    opening = asyncio.create_task(own.open())
    rows = Rows(own.bus, "SESSIONS", SessionRow)

    async def claimed() -> bool:
        return await rows.get(f"{own.run}.main") is not None

    await eventually(claimed, "a host has begun to open it")
    await own.start_host(sandbox="none", host_id="host-2")
    await close_wherever(own)
    await opening
    assert await rows.all() == []
    assert not list(own.folder.glob(f"host-*/{own.run}*"))


@pytest.mark.slow
async def test_what_is_left_of_a_session_whose_host_is_gone_is_removed_when_it_is_to_be_closed(own: Stage) -> None:
    dead = await own.start_host_process("host-1", SANDBOX="none")
    await own.open(device=NO_DEVICE)
    dead.kill()
    await dead.wait()
    name = artifact_name(own.run, "main")
    await put_artifact(own.bus, name, b"{}", "application/json")
    await own.start_host(sandbox="none", host_id="host-2")

    assert await close_wherever(own) == Closed()
    assert await Rows(own.bus, "SESSIONS", SessionRow).all() == []
    assert await get_artifact(own.bus, name) is None
    assert await close_wherever(own) == Closed()


async def test_a_host_waits_until_it_knows_whether_another_one_has_its_id(own: Stage) -> None:
    asked = asyncio.Event()

    async def silent(_: Msg) -> None:
        asked.set()

    twin = await own.bus.nc.subscribe(own.bus.names.session_host("host-x"), cb=silent)
    await own.bus.nc.flush()
    starting = asyncio.ensure_future(own.start_host(sandbox="none", host_id="host-x"))
    await asyncio.wait_for(asked.wait(), 10)
    await twin.unsubscribe()
    assert await asyncio.wait_for(starting, 20) == "host-x"

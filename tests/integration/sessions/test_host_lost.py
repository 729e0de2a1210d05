"""A session host is killed or stopped: nothing of its sessions runs on, and it does nothing that is no longer its own."""

import asyncio
import os
import signal
import time

import pytest
from session_stage import Stage, descendants, eventually, processes_with

from muster_protocol import codec
from muster_protocol.bus import Rows
from muster_protocol.sessions import Attach, Exec, ExecDone, Holder, Opened, OpenSession, SessionRow
from muster_subagent.attachment import Attachments
from muster_subagent.context import SessionLost

FIRST = Holder(dispatch=1, delivery=1, worker="worker-a")


@pytest.mark.parametrize("sandbox", ["bwrap", "none"])
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


async def test_the_row_of_a_dead_hosts_session_is_removed_by_another_host(own: Stage) -> None:
    dead = await own.start_host_process("host-1", SANDBOX="none")
    await own.open(kind="shell")
    dead.kill()
    await dead.wait()
    await own.start_host(session_heartbeat_seconds=0.2, sandbox="none")
    await own.open(kind="shell", run="other")
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


async def test_a_host_that_was_stopped_for_longer_than_requests_wait_runs_a_command_once(own: Stage) -> None:
    host = await own.start_host_process("host-1", SANDBOX="none")
    await own.open(kind="shell")
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


async def test_a_host_that_was_stopped_until_another_took_its_session_does_not_do_what_waited_in_its_socket(
    own: Stage,
) -> None:
    marker = own.folder / "touched"
    host = await own.start_host_process("host-1", SANDBOX="none", SESSION_HEARTBEAT_SECONDS="0.3")
    await own.open(kind="shell")
    await own.of(Attach, FIRST)
    host.send_signal(signal.SIGSTOP)
    late = Exec(run=own.run, name="main", holder=FIRST, call="t:1", command=f"touch {marker}")
    inbox = own.bus.nc.new_inbox()
    answers = await own.bus.nc.subscribe(inbox)
    await own.bus.nc.publish(own.bus.names.session_host("host-1"), codec.encode(late), reply=inbox)
    await own.start_host(sandbox="none", session_heartbeat_seconds=0.3)

    async def taken_over() -> bool:
        wanted = OpenSession(run=own.run, kind="shell", checkpoint=True)
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

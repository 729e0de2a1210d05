"""Commands of a session: run once, in one lasting environment, confined."""

import asyncio
import signal
import time
from collections.abc import AsyncGenerator, Coroutine
from typing import Any

import pytest
import pytest_asyncio
from needed import needs_sandbox
from session_stage import NO_DEVICE, MakeStage, Stage, processes_with
from waiting import eventually

from muster_protocol import codec
from muster_protocol.session_requests import Attach, Exec
from muster_protocol.session_responses import ExecDone
from muster_protocol.sessions import SANDBOX, Holder
from muster_subagent.attachment import Attachment
from muster_subagent.held_sessions import Attachments
from muster_subagent.session_client import SessionRefused


@pytest_asyncio.fixture(loop_scope="session")
async def shell(stage: Stage) -> Stage:
    """A session without a browser on the shared host."""
    await stage.open(device=NO_DEVICE)
    return stage


@pytest_asyncio.fixture(
    loop_scope="session", scope="module", params=[pytest.param("bwrap", marks=needs_sandbox()), "none"]
)
async def confined(request: pytest.FixtureRequest, make_stage: MakeStage) -> AsyncGenerator[Stage]:
    """A host whose commands run in bubblewrap, and one whose commands are plain processes."""
    async with make_stage() as stage:
        await stage.start_host(sandbox=request.param, exec_memory_mb=200, exec_output_limit=2000)
        yield stage


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def sandboxed_host(make_stage: MakeStage) -> AsyncGenerator[Stage]:
    """A host that has a sandbox; tests that use it say `@needs_sandbox()`."""
    async with make_stage() as stage:
        await stage.start_host(sandbox="bwrap")
        yield stage


@pytest_asyncio.fixture(loop_scope="session")
async def sandboxed(sandboxed_host: Stage) -> AsyncGenerator[Stage]:
    """A session on it, without a browser."""
    sandboxed_host.run = f"run-{time.monotonic_ns()}"
    await sandboxed_host.open(device=NO_DEVICE)
    yield sandboxed_host
    await sandboxed_host.close()


@pytest_asyncio.fixture(loop_scope="session")
async def each(confined: Stage) -> AsyncGenerator[Stage]:
    """A session on each of them."""
    confined.run = f"run-{time.monotonic_ns()}"
    await confined.open(device=NO_DEVICE)
    yield confined
    await confined.close()


def run(session: Attachment, command: str, call: str, **more: Any) -> Coroutine[Any, Any, ExecDone]:
    more.setdefault("secrets", {})
    more.setdefault("timeout_seconds", 15)
    return session.execute(command, call=call, **more)


async def test_directory_and_exported_variables_last_across_commands_and_workers(each: Stage) -> None:
    async with each.attach() as session:
        done = await run(session, "mkdir deep; cd deep; export GREETING='hello  there'; local=1; exit 3", "t:1")
        assert done.exit_code == 3
    async with each.attach(dispatch=2, worker="worker-b") as session:
        done = await run(session, 'echo "$GREETING|$local|$(basename "$PWD")"; nosuch', "t:2")
        assert done.stdout == "hello  there||deep\n"
        assert done.stderr == "bash: line 1: nosuch: command not found\n"
        assert done.exit_code == 127


async def test_a_tool_installed_into_home_is_found(each: Stage) -> None:
    async with each.attach() as session:
        install = "mkdir -p ~/.local/bin && printf '#!/bin/sh\\necho installed\\n' > ~/.local/bin/tool && chmod +x ~/.local/bin/tool"
        assert (await run(session, install, "t:1")).exit_code == 0
        assert (await run(session, "tool", "t:2")).stdout == "installed\n"


async def test_a_command_gets_a_clean_environment_and_no_input(each: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOST_ONLY", "host value")
    async with each.attach() as session:
        names = (await run(session, "compgen -e | sort | tr '\\n' ' '", "t:1")).stdout
        assert names == "HOME LANG MUSTER_SESSION PATH PWD SHLVL TERM TMPDIR "
        assert (await run(session, 'echo "$HOME"; cat; echo end', "t:2")).stdout == f"{session.directory}/home\nend\n"


@needs_sandbox()
async def test_a_sandboxed_command_cannot_read_the_hosts_environment_from_its_process(
    sandboxed: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOST_ONLY", "host value")
    async with sandboxed.attach() as session:
        everything = await run(session, "cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'", "t:1")
        assert "TMPDIR=/tmp" in everything.stdout
        assert "HOST_ONLY" not in everything.stdout


@needs_sandbox()
async def test_the_sandbox_hides_homes_other_sessions_and_processes_and_keeps_the_system_read_only(
    sandboxed: Stage,
) -> None:
    other_run = f"{sandboxed.run}-other"
    await sandboxed.open(other_run, device=NO_DEVICE)
    async with sandboxed.attach(run=other_run) as session:
        other = session.directory
        await session.write_file("mine", b"private")
    async with sandboxed.attach() as session:
        assert (await run(session, f"cat {other}/mine", "t:1")).exit_code != 0
        assert (await run(session, 'ls -A ~root /home "$(dirname $HOME)/../.." 2>/dev/null', "t:2")).stdout.count(
            "other"
        ) == 0
        assert (await run(session, "touch /usr/acted", "t:3")).stderr.strip().endswith("Read-only file system")
        assert (await run(session, "echo kept > /tmp/x", "t:4")).exit_code == 0
        assert (await run(session, "cat /tmp/x; ps -e | wc -l", "t:5")).stdout.startswith("kept\n")
        assert int((await run(session, "ls -d /proc/[0-9]* | wc -l", "t:6")).stdout) < 10


async def test_a_command_that_takes_too_long_is_ended_with_its_children(each: Stage) -> None:
    marker = f"31{time.time_ns() % 10**9}"
    async with each.attach() as session:
        done = await run(session, f"echo begun; sleep {marker} & sleep {marker}", "t:1", timeout_seconds=0.5)
        assert (done.timed_out, done.exit_code, done.stdout) == (True, None, "begun\n")
        await eventually(lambda: not processes_with(f"sleep\0{marker}"), "no process left")
        assert (await run(session, "echo next", "t:2")).stdout == "next\n"


async def test_a_background_command_runs_until_the_session_ends_and_then_no_longer(each: Stage) -> None:
    marker = f"32{time.time_ns() % 10**9}"
    async with each.attach() as session:
        done = await run(session, f"setsid sleep {marker} & exec sleep {marker}1", "t:1", background=True)
        assert done.exit_code is None
        assert (await run(session, f"kill -0 {done.pid} && echo alive", "t:2")).stdout == "alive\n"
        await eventually(lambda: len(processes_with(f"sleep\0{marker}")) == 2, "both run")
    await each.close()
    await eventually(lambda: not processes_with(f"sleep\0{marker}"), "no process left")


async def test_a_process_left_running_may_go_on_writing_to_the_output_of_its_command(shell: Stage) -> None:
    async with shell.attach() as session:
        done = await run(session, "(while echo tick; do echo >> ticks; sleep 0.02; done) & echo started", "t:1")
        assert "started\n" in done.stdout
        grows = "begun=$(wc -l < ticks); until [ $(wc -l < ticks) -gt $((begun + 5)) ]; do sleep 0.02; done; echo grows"
        assert (await run(session, grows, "t:2")).stdout == "grows\n"


async def test_a_call_is_run_once_however_often_it_is_asked(shell: Stage) -> None:
    holder = Holder(dispatch=1, delivery=1, worker="worker-a")
    await shell.of(Attach, holder)
    wanted = {"call": "t:1", "command": "echo once >> count; cat count", "timeout_seconds": 10}
    together = await asyncio.gather(*(shell.of(Exec, holder, **wanted) for _ in range(5)))
    later = await shell.of(Exec, holder, **wanted)
    assert all(isinstance(done, ExecDone) and done.stdout == "once\n" for done in (*together, later))


async def test_a_lost_reply_does_not_run_a_command_twice(shell: Stage) -> None:
    holder = Holder(dispatch=1, delivery=1, worker="worker-a")
    await shell.of(Attach, holder)
    wanted = {"call": "t:1", "command": "echo once >> count; sleep 0.3; cat count", "timeout_seconds": 10}
    request = Exec(run=shell.run, name="main", holder=holder, call="t:1", command=str(wanted["command"]))
    await shell.bus.publish(shell.bus.names.session_host(shell.host), request)  # its reply reaches nobody
    done = await shell.of(Exec, holder, **wanted)
    assert done.stdout == "once\n"


async def test_a_new_worker_joins_the_command_of_one_that_died(shell: Stage) -> None:
    events = await shell.bus.nc.subscribe(shell.bus.names.session_events(shell.run, "main"))
    worker = await shell.start_worker()
    command = "echo ran >> count; echo begun; until [ -e go ]; do sleep 0.02; done; cat count"
    worker.begin("exec", "t:1", command)
    assert b"begun" in (await events.next_msg(timeout=10)).data
    worker.signal(signal.SIGKILL)

    async with shell.attach(delivery=2, worker="worker-b") as session:
        joined = asyncio.create_task(run(session, command, "t:1"))
        await session.write_file("go", b"")
        assert (await joined).stdout == "begun\nran\n"
        assert codec.decode(await session.recall("exec") or "", ExecDone).stdout == "begun\nran\n"


async def test_a_client_asks_again_for_a_result_that_does_not_come(shell: Stage) -> None:
    shell.workers["impatient"] = Attachments(shell.bus, exec_try_seconds=0.1)
    async with shell.attach(worker="impatient") as session:
        done = await run(session, "echo x >> count; sleep 0.5; cat count", "t:1")
        assert done.stdout == "x\n"


async def test_output_is_told_while_the_command_runs_in_order_and_masked(shell: Stage) -> None:
    told: list[tuple[str, str]] = []

    def tell(stream: str, text: str) -> None:
        told.append((stream, text))

    async with shell.attach(secrets={"TOKEN": "s3cret value"}) as session:
        command = 'printf "a s3cr"; sleep 0.15; printf "et value b\\n"; echo err >&2; until [ -e go ]; do sleep 0.02; done; echo "$TOKEN"'
        running = asyncio.create_task(
            run(
                session,
                command,
                "t:1",
                secrets={"TOKEN": "s3cret value"},
                on_output=tell,
            )
        )
        async with asyncio.timeout(10):
            while ("stderr", "err\n") not in told:
                await asyncio.sleep(0.01)
        assert not running.done()
        await session.write_file("go", b"")
        done = await running
    assert done.stdout == "a •••••• b\n••••••\n"
    assert "".join(text for stream, text in told if stream == "stdout") == done.stdout


async def test_a_secret_is_there_for_its_command_alone(shell: Stage) -> None:
    async with shell.attach() as session:
        done = await run(session, 'test "$TOKEN" = "it\'s \\$5" && echo right', "t:1", secrets={"TOKEN": "it's $5"})
        assert done.stdout == "right\n"
        assert (await run(session, 'echo "[$TOKEN]"; env | grep -c MUSTER_SECRET', "t:2")).stdout == "[]\n0\n"


async def test_long_output_keeps_its_beginning_and_its_end(each: Stage) -> None:
    async with each.attach() as session:
        done = await run(session, "seq 1 100000", "t:1")
        assert done.truncated
        assert done.stdout.startswith("1\n2\n")
        assert done.stdout.endswith("99999\n100000\n")
        assert "characters left out" in done.stdout
        assert len(done.stdout) < 2100


async def test_output_that_grows_when_encoded_still_fits_a_reply(shell: Stage) -> None:
    async with shell.attach() as session:
        done = await run(session, "head -c 300000 /dev/zero; echo end", "t:1")
        assert done.truncated
        assert done.stdout.endswith("end\n")


async def test_a_command_that_takes_too_much_memory_fails(each: Stage) -> None:
    async with each.attach() as session:
        done = await run(session, "head -c 400m /dev/zero | tail -c 300m | tail -n 1 | wc -c", "t:1")
        assert done.exit_code == 0  # of wc
        assert "memory" in done.stderr.lower()


@needs_sandbox()
async def test_a_command_that_kills_the_shell_ends_and_the_next_one_works(sandboxed: Stage) -> None:
    async with sandboxed.attach() as session:
        assert (await run(session, "export LEFT=1", "t:1")).exit_code == 0
        with pytest.raises(SessionRefused) as raised:
            await run(session, "kill -9 -1", "t:2")
        assert raised.value.reason == "fault"
        assert (await run(session, "echo $LEFT", "t:3")).stdout == "1\n"


async def test_a_command_that_reaches_beyond_its_test_is_refused_where_nothing_confines_it(own: Stage) -> None:
    await own.start_host(sandbox="none")
    await own.open(device=NO_DEVICE)
    async with own.attach() as session:
        for number, command in enumerate(("kill -9 -1", "rm -rf ~/x", "pkill sleep", "kill -TERM -- -4711")):
            with pytest.raises(SessionRefused, match="in a sandbox only"):
                await run(session, command, f"t:{number}")


@pytest.mark.parametrize("policy", ["refuse", "ask"])
async def test_a_models_command_is_not_run_where_nothing_confines_it(own: Stage, policy: str) -> None:
    await own.start_host(sandbox="none", unsandboxed_model_commands=policy)
    opened = await own.open(device=NO_DEVICE)
    assert SANDBOX not in opened.session.capabilities
    async with own.attach() as session:
        with pytest.raises(SessionRefused, match="bubblewrap") as raised:
            await run(session, "touch acted", "t:1")
        assert raised.value.reason == {"refuse": "no_sandbox", "ask": "needs_approval"}[policy]
        assert (await run(session, "ls", "t:2", author="case")).stdout == "home\n"
        if policy == "ask":
            assert (await run(session, "touch acted; ls", "t:1", approved=True)).stdout == "acted\nhome\n"


async def test_a_command_that_cannot_be_run_is_refused_with_the_reason(shell: Stage) -> None:
    async with shell.attach() as session:
        with pytest.raises(SessionRefused, match="longer than"):
            await run(session, "echo " + "x" * 120_000, "t:1")
        with pytest.raises(SessionRefused, match="NUL"):
            await run(session, "echo \0", "t:2")
        with pytest.raises(SessionRefused, match="name of an environment variable"):
            await run(session, "echo", "t:3", secrets={"not a name": "v"})

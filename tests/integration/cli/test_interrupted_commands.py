"""Services in the command's own process, and commands that are interrupted."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from muster_bus import Bus, Rows
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import find_verdict, read_entries
from muster_protocol.logs import WorkerRow

Write = Callable[..., Path]


async def start(*arguments: object, env: dict[str, str] | None = None, stdin: int | None = None) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_cli", *map(str, arguments)),
        env={**os.environ, **(env or {})},
        stdin=stdin,
        stdout=PIPE,
        stderr=PIPE,
    )


@pytest.mark.slow
async def test_a_service_runs_in_the_commands_own_process(server: NatsServer, bus: Bus):
    process = await start("orchestrator", "--nats", server.url)
    rows = Rows(bus, "WORKERS", WorkerRow)
    async with asyncio.timeout(30):
        while process.pid not in {row.pid for row in await rows.all()}:
            assert process.returncode is None
            await asyncio.sleep(0.05)
        process.send_signal(signal.SIGHUP)  # its terminal is closed
        assert await process.wait() == 0


@pytest.mark.slow
@pytest.mark.usefixtures("player")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGHUP])
async def test_an_interrupted_run_is_cancelled_and_exits_130(
    server: NatsServer, bus: Bus, write_cases: Write, how: signal.Signals, tmp_path: Path
):
    junit = tmp_path / "junit.xml"
    process = await start("run", write_cases(a="hang"), "--nats", server.url, "--json", "--junit", junit)
    assert process.stderr is not None and process.stdout is not None
    async with asyncio.timeout(30):
        while b"Sub-task 1/2" not in await process.stderr.readline():
            continue
        process.send_signal(how)
        document = json.loads(await process.stdout.read())
        assert await process.wait() == 130
    assert (document["stopped"], document["totals"]["cancelled"]) == ("interrupted", 1)
    verdict = find_verdict(await read_entries(bus, document["runs"][0]["run"]))
    assert verdict is not None and verdict.cause == "cancelled"
    assert next(ET.fromstring(junit.read_bytes()).iter("skipped")) is not None


@pytest.mark.usefixtures("player")
async def test_an_output_that_nobody_reads_ends_the_command_without_a_traceback(server: NatsServer, write_cases: Write):
    process = await start("run", write_cases(a="pass"), "--nats", server.url)
    assert process.stdout is not None and process.stderr is not None
    process.stdout._transport.close()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportPrivateUsage]
    async with asyncio.timeout(30):
        err = await process.stderr.read()
        assert await process.wait() == 3
    assert b"Traceback" not in err


# A single read could miss the signal, if that comes just before it; and a suite in the background passes it on as ignored.
STOP_AT_CLICK = """
import select
import signal
import sys

signal.signal(signal.SIGINT, signal.default_int_handler)

class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            print("loading", file=sys.stderr, flush=True)
            while not select.select([sys.stdin], [], [], 0.1)[0]:
                pass

sys.meta_path.insert(0, Stop())
"""


async def test_an_interruption_while_the_command_loads_is_no_traceback(tmp_path: Path):
    (tmp_path / "sitecustomize.py").write_text(STOP_AT_CLICK)
    process = await start("--version", env={"PYTHONPATH": str(tmp_path)}, stdin=PIPE)
    assert process.stderr is not None
    async with asyncio.timeout(30):
        assert b"loading" in await process.stderr.readline()
        process.send_signal(signal.SIGINT)
        rest = await process.stderr.read()
        assert await process.wait() == 130
    assert b"Traceback" not in rest


LINE = """
import asyncio
from muster_cli.typed_lines import typed_lines

async def main():
    async for line in typed_lines("", lambda: ()):
        break

asyncio.run(main())
"""
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


async def test_a_command_that_waits_for_input_ends_though_its_input_stays_open():
    hello = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode()
    for name, message in (("mcp", hello + b"\n"), ("lsp", b"Content-Length: %d\r\n\r\n%s" % (len(hello), hello))):
        process = await start(name, stdin=PIPE)
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(message)
        async with asyncio.timeout(60):
            await process.stdout.readuntil(b'"jsonrpc"')  # it answers, and waits for the next message
            process.send_signal(signal.SIGINT)
            await process.stdout.read()
            assert await process.wait() == 0, name


async def test_lines_that_nobody_wants_any_more_leave_no_thread_that_aborts_the_command():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", LINE, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    assert process.stdin is not None and process.stderr is not None
    process.stdin.write(b"enough\n")
    async with asyncio.timeout(60):
        assert (await process.stderr.read()).decode() == ""
        assert await process.wait() == 0

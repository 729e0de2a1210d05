"""The API does what its description says: schemathesis asks for all of it, with what fits and what does not."""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from muster_bus import Log, Rows
from muster_bus.artifact_store import put_artifact
from muster_bus.dead_letter_store import DeadLetter, bury, settle_letter
from muster_protocol import codec
from muster_protocol.dead_letter_requests import SettleDead
from muster_protocol.journal import CallFinished, CallStarted, JournalBatch, Taken
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.sessions import SessionRow
from muster_protocol.tool_calls import ToolCall, ToolOutcome

if TYPE_CHECKING:
    from nats.aio.msg import Msg

    from muster_bus import Bus

    from .conftest import Desk, OpenRun, Web

Serve = Callable[..., "AbstractAsyncContextManager[Web]"]
CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance"),
    "response_schema_conformance",
)
ENDLESS = ("followRuns", "followLog", "relayLogs")
"""Streams of events, that end when the client goes: test_stream_parameters.py asks for them."""
KNOWN = """\
[parameters]
"path.run" = "r1"
"path.node" = "n0"
"path.name" = "n0.1/page.png"
"path.suite" = "shop"
"path.number" = 1
"""
MOST_SECONDS = 270
"""Until schemathesis has to be done with everything; a machine that is too slow for that shows nothing."""
REPORT = "report.json"
PHASES = {"coverage", "fuzzing"}
"""In which every operation is asked; in that of examples only those that have some."""


class Operations(msgspec.Struct):
    """How many operations there are, were to be asked, and were asked."""

    total: int
    selected: int
    tested: int
    errored: int
    skipped: int


class Told(msgspec.Struct):
    """What schemathesis tells of what it did; `valid_rates` by operation and phase."""

    stop_reason: str | None
    operations: Operations
    valid_rates: dict[str, dict[str, msgspec.Raw]]


@pytest.fixture
async def stored(bus: Bus, desk: Desk, open_run: OpenRun) -> None:
    """Store a run that is over, one under way, what belongs to them, a fleet, and dead letters that can be settled."""
    over, under_way = await open_run("r1", "a", "b"), await open_run("r2")
    for node in ("n0", "n1"):
        await over.dispatch(node)
        await over.passed(node)
    await over.end()
    await over.say("orchestrator", 3)
    await under_way.dispatch("n0")
    journal = Log(bus, "JOURNAL", bus.names.journal("r1.n0.1"))
    started = CallStarted(index=0, call=ToolCall(tool="click", arguments={"name": "Buy"}), effect="act")
    await journal.append(JournalBatch(entries=(Taken(worker="w", message=1, delivery=1), started)))
    await journal.append(JournalBatch(entries=(CallFinished(index=0, outcome=ToolOutcome(status="ok")),)))
    await put_artifact(bus, "r1/n0.1/page.png", b"\x89PNG" * 100, "image/png")
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("r1", RunRow(run="r1", name="one", status="pass", suite="shop", tags=("smoke",), requested_at=1.0))
    await rows.put("r2", RunRow(run="r2", name="two", status="running", suite="shop", requested_at=2.0))
    worker = WorkerRow(id="w", service="subagent", host="h", pid=1, version="0", slots={"act": 1}, seen_at=time.time())
    await Rows(bus, "WORKERS", WorkerRow).put("w", worker)
    await Rows(bus, "SESSIONS", SessionRow).put("r2.main", SessionRow(run="r2", name="main", host="h"))
    for number in range(3):
        data = b"{}" if number else codec.encode({"x": 1})
        letter = DeadLetter(
            stream="REQUESTS", subject=f"muster.requests.q{number}", reason="r", key=str(number), data=data
        )
        await bury(bus, letter)

    async def answer(message: Msg) -> None:
        await bus.respond(message, await settle_letter(bus, codec.decode(message.data, SettleDead)))

    await bus.nc.subscribe(bus.names.dead_letters, cb=answer)
    await bus.nc.flush()


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("config", ["", KNOWN], ids=["whatever", "known"])
async def test_every_answer_is_one_that_the_description_names_and_none_is_a_fault(
    stored: None, serve: Serve, tmp_path: Path, config: str
):
    (tmp_path / "schemathesis.toml").write_text(config)
    excluded = [part for name in ENDLESS for part in ("--exclude-operation-id", name)]
    async with serve(rate_limit="0") as web:
        told, code = await _asked(web.port, tmp_path, excluded)
        assert code == 0, told[-12_000:]
        assert (await web.http.get("/readyz")).status_code == 200
    report = msgspec.json.decode((tmp_path / REPORT).read_bytes(), type=Told)
    asked, those = report.operations, report.operations.total - len(ENDLESS)
    assert (asked.selected, asked.tested, asked.errored, asked.skipped) == (those, those, 0, 0), report.stop_reason
    assert len(report.valid_rates) == those
    assert {name: PHASES - phases.keys() for name, phases in report.valid_rates.items() if PHASES - phases.keys()} == {}


async def _asked(port: int, folder: Path, excluded: list[str]) -> tuple[str, int | None]:
    """Run schemathesis, and return what it told and its exit code."""
    asking = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(folder / "schemathesis.toml"), "run"),
        *(f"http://127.0.0.1:{port}/schema/openapi.json", "--checks", ",".join(CHECKS), *excluded),
        *("--max-examples", "8", "--seed", "5", "--generation-database", "none", "--no-color", "--workers", "1"),
        *("--phases", "examples,coverage,fuzzing", "--request-timeout", "20", "--suppress-health-check", "all"),
        *("--report", "json", "--report-json-path", str(folder / REPORT), "--continue-on-failure", "--warnings", "off"),
        stdout=PIPE,
        stderr=STDOUT,
        cwd=folder,
    )
    try:
        async with asyncio.timeout(MOST_SECONDS):
            told, _ = await asking.communicate()
    finally:
        if asking.returncode is None:
            asking.kill()
    return told.decode(errors="replace"), asking.returncode

"""What is recorded of a session, when it is kept, and that it is kept however the session ends."""

import io
import json
import os
import signal
import zipfile
from typing import Any

import pytest
from session_stage import Stage
from waiting import eventually

from muster_bus import replay
from muster_bus.artifact_store import get_artifact, list_artifacts
from muster_devices.web.console_log import ConsoleLine
from muster_protocol import codec
from muster_protocol.logs import LogRecord
from muster_protocol.session_requests import CloseSession
from muster_protocol.session_responses import Closed
from muster_sessionhost.process_reaper import find_processes
from muster_subagent.attachment import Attachment

PAGE = """<title>Shop</title><script>console.log('hello', 7); console.error('oh no \\ud83d')</script>
<a id=dl download="../../etc/Ünïcode  list<1>.csv" href="data:text/csv,a;b">List</a>
<button id=err onclick="null.x">Fail</button>"""


async def use(session: Attachment, site: str, *, download: bool = False) -> None:
    page = await session.page()
    await page.goto(f"{site}/second")
    await page.evaluate("html => { document.open(); document.write(html); document.close(); }", PAGE)
    await page.click("#err")
    if download:
        async with page.expect_download() as waiting:
            await page.click("#dl")
        assert await (await waiting.value).failure() is None


async def left(stage: Stage) -> dict[str, bytes]:
    """Return what the test's run has in the store, by name without the run."""
    names = await list_artifacts(stage.bus, f"{stage.run}/")
    return {name.partition("/")[2]: await get_artifact(stage.bus, name) or b"" for name in names}


async def told(stage: Stage) -> list[LogRecord]:
    """Return the lines of the log, without those of pictures taken meanwhile."""
    lines = replay(stage.bus, "LOGS", stage.bus.names.log(stage.run, "*"))
    records = [codec.decode(line.data, LogRecord) async for line in lines]
    return [record for record in records if record.level != "debug"]


async def close(stage: Stage, **more: Any) -> Closed:
    reply = await stage.ask(stage.bus.names.session_host(stage.host), CloseSession(run=stage.run, **more))
    assert isinstance(reply, Closed)
    return reply


async def test_a_session_leaves_trace_har_console_and_downloads_and_tells_of_them(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        await use(session, site, download=True)
    closed = await close(stage)
    kept = await left(stage)
    download = next(name for name in kept if name.startswith("downloads/"))
    assert download.endswith("-etc_Ünïcode-list_1_.csv")
    assert kept[download] == b"a;b"
    with zipfile.ZipFile(io.BytesIO(kept["session/main-trace.zip"])) as trace:
        names = trace.namelist()
        assert names[:2] == ["trace.trace", "trace.network"]
        events = [json.loads(line) for line in trace.read("trace.trace").splitlines()]
        assert events[0]["type"] == "context-options"
        assert {"goto", "click"} <= {event.get("method") for event in events}
        pictures = {event["file"] for event in events if event["type"] == "screencast-frame"}
        assert pictures
        assert pictures <= set(names)
    har = json.loads(kept["session/main-network.har"])["log"]
    assert har["version"] == "1.2"
    assert [entry["request"]["url"] for entry in har["entries"]] == [f"{site}/second"]
    assert "Second page" in har["entries"][0]["response"]["content"]["text"]
    lines = [codec.decode(line, ConsoleLine) for line in kept["session/main-console.jsonl"].splitlines()]
    assert [(line.level, line.text[:6].strip()) for line in lines][:2] == [("log", "hello"), ("error", "oh no")]
    assert "TypeError" in lines[2].text
    assert {ref.name for ref in closed.artifacts} == {f"{stage.run}/{name}" for name in kept}
    (line,) = [record for record in await told(stage) if record.source == stage.host]
    assert line.text.startswith("[Session] main: kept main-console.jsonl (")
    assert set(line.artifacts) == {ref.name for ref in closed.artifacts}


@pytest.mark.slow
async def test_of_a_run_that_passed_only_downloads_are_kept_unless_all_is_asked_for(stage: Stage, site: str) -> None:
    wanted = {"": {"downloads"}, "off": set[str](), "on": {"downloads", "session"}}
    for record, parts in wanted.items():
        stage.run = f"{stage.run}-{record or 'default'}"
        await stage.open(record=record)
        async with stage.attach() as session:
            await use(session, site, download=True)
        await close(stage, passed=True)
        assert {name.partition("/")[0] for name in await left(stage)} == parts, record
        assert len(await told(stage)) == bool(parts)


async def test_what_a_cancelled_run_recorded_is_stored_without_keeping_its_end_waiting(stage: Stage, site: str) -> None:
    await stage.open()
    async with stage.attach() as session:
        await use(session, site)
    assert await close(stage, quick=True) == Closed()

    async def stored() -> bool:
        return len(await left(stage)) == 3

    await eventually(stored, "trace, HAR and console")
    with zipfile.ZipFile(io.BytesIO((await left(stage))["session/main-trace.zip"])) as trace:
        assert b'"method":"goto"' in trace.read("trace.trace")


@pytest.mark.slow
async def test_a_browser_that_is_killed_leaves_what_it_recorded_until_then(own: Stage, site: str) -> None:
    await own.start_host()
    await own.open()
    async with own.attach() as session:
        await use(session, site)
    for pid in find_processes(folder.name for folder in own.folder.glob(f"host-*/{own.run}.*")):
        os.kill(pid, signal.SIGKILL)

    async def stored() -> bool:
        return len(await left(own)) >= 3

    await eventually(stored, "trace, HAR and console")
    kept = await left(own)
    with zipfile.ZipFile(io.BytesIO(kept["session/main-trace.zip"])) as trace:
        assert b'"method":"goto"' in trace.read("trace.trace")
    assert json.loads(kept["session/main-network.har"])["log"]["entries"]


@pytest.mark.slow
async def test_nothing_larger_than_the_limits_is_stored_and_the_log_says_what_is_missing(own: Stage, site: str) -> None:
    await own.start_host(artifact_max_mb=0.01, run_artifacts_max_mb=0.02, record_console="on")
    await own.open()
    async with own.attach() as session:
        page = await session.page()
        await page.goto(f"{site}/second")
        await page.evaluate("for (let i = 0; i < 1000; i++) console.log('line ' + i + ' of a page that talks a lot')")
        await page.evaluate(
            "document.body.innerHTML = `<a id=dl download=big.bin href=${url}>x</a>`".replace(
                "${url}", "${URL.createObjectURL(new Blob(['x'.repeat(20000)]))}"
            )
        )
        async with page.expect_download():
            await page.click("#dl")
    await close(own)
    kept = await left(own)
    assert all(len(data) <= 10_000 for data in kept.values())
    assert sum(map(len, kept.values())) <= 20_000
    lines = kept["session/main-console.jsonl"].splitlines()
    assert codec.decode(lines[-1], ConsoleLine).text.startswith("(the rest was not recorded")
    (line,) = await told(own)
    assert line.level == "warning"
    assert "download big.bin (too large: 20000 bytes)" in line.text

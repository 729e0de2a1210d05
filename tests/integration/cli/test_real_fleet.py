"""The command with the real services as processes: what it starts, it ends."""

import asyncio
import json
import os
import signal
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from command_line import started

from muster_cli import processes
from muster_cli.shop import ShopFailed, demo_shop
from muster_cli.subcommands.demo import PASS, demo_jobs, describe_verdict, find_examples, is_expected
from muster_protocol.causes import Cause
from muster_protocol.verdicts import Verdict
from muster_views.outcome import CaseOutcome

ROOT = Path(__file__).parents[3]
SERVICES = ("muster_orchestrator", "muster_subagent", "muster_sessionhost", "muster_gateway", "nats-server")
QUICK = """\
name: A command runs
secrets: [PIN]
steps:
  - action: Run the command "echo hello"
    expected: The output contains "hello" and the exit code is 0
"""
LONG = """\
name: A command takes long
steps:
  - action: Run the command "echo begun; sleep 50"
    expected: The exit code is 0
"""


def case(folder: Path, text: str) -> Path:
    path = folder / "case.yaml"
    path.write_text(text)
    return path


async def said(stream: asyncio.StreamReader | None, text: str) -> str:
    """Read lines until one holds the text, and return it."""
    assert stream is not None
    while text not in (line := (await stream.readline()).decode()):
        assert line, f"the output ended without {text!r}"
    return line


async def whole_fleet(process: Process) -> list[psutil.Process]:
    """Return all processes below the command once its services are there."""
    while True:
        found = processes.descendants([process.pid])
        commands = " ".join(processes.command_line(one) for one in found)
        if all(name in commands for name in SERVICES):
            return found
        assert process.returncode is None
        await asyncio.sleep(0.05)


async def gone(found: list[psutil.Process], seconds: float) -> bool:
    return await asyncio.to_thread(processes.wait_until_gone, found, seconds) == []


@pytest.mark.slow
async def test_a_case_runs_in_embedded_mode_and_nothing_is_left(tmp_path: Path):
    report = tmp_path / "report"
    secrets = tmp_path / "secrets.env"
    secrets.write_text("PIN=1234\n")
    options = ("--json", "--workers", "1", "--report", report, "--env-file", secrets)
    own = "nats://127.0.0.1:9"
    async with started(tmp_path, "run", case(tmp_path, QUICK), *options, SECRET_PIN="4321", NATS_URL=own) as process:
        assert "add --nats $NATS_URL" in await said(process.stderr, "NATS_URL is not used")
        found = await whole_fleet(process)
        assert process.stdout is not None
        document = json.loads(await process.stdout.read())
        assert await process.wait() == 0
    assert await gone(found, 0.0)
    assert document["totals"] == {**document["totals"], "runs": 1, "passed": 1}
    assert {path.name for path in (report / "services").iterdir()} == {
        *("orchestrator.log", "subagent-1.log", "sessions.log", "gateway.log")
    }
    (lines,) = report.glob("*/log.txt")
    assert "RESULT: PASS" in lines.read_text()


@pytest.mark.slow
async def test_ctrl_c_in_the_middle_of_a_command_stops_everything(tmp_path: Path):
    async with started(tmp_path, "run", case(tmp_path, LONG), "--workers", "1") as process:
        found = await whole_fleet(process)
        await said(process.stdout, "execute_command")
        found += processes.descendants([process.pid])
        process.send_signal(signal.SIGINT)
        assert await process.wait() == 130
        assert await gone(found, 0.0)


@pytest.mark.slow
async def test_a_second_ctrl_c_ends_everything_at_once(tmp_path: Path):
    async with started(tmp_path, "run", case(tmp_path, LONG), "--workers", "1") as process:
        found = await whole_fleet(process)
        await said(process.stdout, "execute_command")
        found += processes.descendants([process.pid])
        process.send_signal(signal.SIGINT)
        await asyncio.sleep(0)
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 130
        assert await gone(found, 10.0)  # the guard goes last, when it has removed the folder


@pytest.mark.slow
async def test_when_the_command_itself_is_killed_its_fleet_ends_too(tmp_path: Path):
    async with started(tmp_path, "run", case(tmp_path, LONG), "--workers", "1") as process:
        found = await whole_fleet(process)
        await said(process.stdout, "execute_command")
        found += processes.descendants([process.pid])
        process.kill()
        await process.wait()
        assert await gone(found, 40.0)


async def only_the_link_opens(http: httpx.AsyncClient, link: str, fleet: list[psutil.Process], logs: Path) -> None:
    """Check that the key of the console's link logs in, nothing else does, and that it stands in no command line and no log."""
    gateway, _, key = link.partition("/console/#key=")
    assert (await http.get(f"{gateway}/runs")).status_code == 401
    assert (await http.post(f"{gateway}/login", json={"key": key})).status_code == 200
    assert (await http.get(f"{gateway}/whoami")).json()["role"] == "admin"
    assert len(key) == 43
    lines = [processes.command_line(one) for one in processes.drop_ended(fleet)]
    texts = [file.read_text() for file in logs.glob("*.log")]
    assert len(texts) == 4
    assert not [text for text in (*lines, *texts) if key in text]


@pytest.mark.slow
async def test_a_fleet_stays_up_takes_runs_and_keeps_its_data(
    tmp_path: Path, muster_command: Callable[..., Awaitable[Any]]
):
    data = tmp_path / "data"
    options = ("--data", data, "--port", "0", "--workers", "1")
    async with started(tmp_path, "up", *options, SECRET_PIN="1234") as process:
        found = await whole_fleet(process)
        link = (await said(process.stdout, "Console")).split()[1]
        nats = (await said(process.stdout, "NATS")).split()[1]
        logs = Path((await said(process.stdout, "Logs")).split()[1])
        async with httpx.AsyncClient() as http:
            await only_the_link_opens(http, link, found, logs)
        ended = await muster_command("submit", case(tmp_path, QUICK), "--wait", "--nats", nats)
        assert ended.code == 0, ended.err
        refused = await muster_command("up", *options)
        assert (refused.code, "another `muster up` uses this folder" in refused.err) == (2, True)
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        assert await gone(found, 0.0)
    (tmp_path / "tmp").rmdir()
    async with started(tmp_path, "up", *options) as process:
        nats = (await said(process.stdout, "NATS")).split()[1]
        listed = await muster_command("list", "--nats", nats)
        assert "A command runs" in listed.out
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


@pytest.mark.slow
async def test_what_its_services_lack_is_told_when_a_fleet_is_up(tmp_path: Path):
    options = ("--port", "0", "--workers", "1")
    async with started(tmp_path, "up", *options, BROWSER_EXECUTABLE="/nowhere/chromium") as process:
        told = await said(process.stderr, "Warning  sessions: cases that need a browser")
        assert "/nowhere/chromium" in told
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0


@pytest.fixture
def muster_command(muster: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """The command to its end; in this file `muster` is the one that is left running."""
    return muster


async def test_the_demo_shop_is_served_and_ended():
    script = ROOT / "examples/shop/server.py"
    async with demo_shop(script, dict(os.environ), "total") as url, httpx.AsyncClient() as http:
        assert (await http.get(f"{url}/login")).status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/login")


async def test_a_shop_that_does_not_start_is_an_error(tmp_path: Path):
    (tmp_path / "shop.py").write_text("print('no')")
    with pytest.raises(ShopFailed, match="it said 'no'"):
        async with demo_shop(tmp_path / "shop.py", dict(os.environ)):
            pass


def test_the_demo_runs_all_cases_on_the_healthy_shop_and_one_on_the_other():
    jobs, wanted = demo_jobs(ROOT / "examples", "http://good", "http://bad")
    by_label = {job.label: (job.case.request, wanted[job.case.request.id]) for job in jobs}
    assert [end for label, (_, end) in by_label.items() if "bug" not in label] == [PASS] * (len(jobs) - 1)
    request, end = by_label["03-cart-total (bug)"]
    assert end == "fail (product)"
    assert request.job.variables["base_url"] == "http://bad"  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


def test_without_the_repository_the_demo_says_where_its_examples_are(tmp_path: Path):
    assert find_examples([tmp_path, ROOT]).resolve() == ROOT / "examples"
    with pytest.raises(Exception, match="they come with the repository"):
        find_examples([tmp_path])


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict(run="r", name="n", status="pass"), "pass"),
        (Verdict(run="r", name="n", status="fail", cause=Cause.PRODUCT), "fail (product)"),
        (Verdict(run="r", name="n", status="fail"), "fail (agent)"),
        (None, "none"),
    ],
)
def test_a_verdict_is_compared_with_its_cause(verdict: Verdict | None, words: str):
    outcome = CaseOutcome(label="x", name="n", run="r", verdict=verdict)
    assert describe_verdict(outcome) == words
    assert is_expected(outcome, {"r": words})
    assert not is_expected(outcome, {"r": "fail (environment)"})

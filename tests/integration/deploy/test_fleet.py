"""The services at work, each as its own user of deploy/nats.conf: what they need is allowed."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, TypeVar, cast

import httpx
import pytest
from deployed import ROOT, Deployed, identity
from fleet import Fleet
from waiting import eventually

from muster_bus import Bus, provision
from muster_bus.artifact_store import list_artifacts, put_artifact
from muster_bus.run_store import read_entries
from muster_cli.display import Silent
from muster_cli.runner import Options, run_jobs
from muster_cli.shop import demo_shop
from muster_cli.subcommands.demo import BUG, PASSWORD, demo_jobs, describe_verdict
from muster_protocol import codec
from muster_protocol.events import Parked
from muster_protocol.requests import DeviceSpec, Drill, RunRequest, Step, TestCase
from muster_protocol.session_requests import Attach, Checkpoint, OpenSession, SessionRequest
from muster_protocol.session_responses import Attached, Done, Opened, SessionReply
from muster_protocol.sessions import Holder
from muster_protocol.verdicts import Verdict

Reply = TypeVar("Reply")
CASE = """\
name: A greeting
steps:
  - action: Open "{url}"
    expected: The page title is "Greeting"
  - action: Run the command "echo hello > note.txt && cat note.txt"
    expected: The output contains "hello"
"""


def refusals(fleet: Fleet) -> list[str]:
    """Return the lines in which services say that the server refused them something."""
    logs = fleet.folder.glob("*-*.log")
    return [line for log in logs for line in log.read_text().splitlines() if "denied permission" in line]


@asynccontextmanager
async def gateway(fleet: Fleet) -> AsyncGenerator[httpx.AsyncClient]:
    """Start a gateway and give a client of it."""
    told = fleet.folder / "port"
    await fleet.start("gateway", **identity("gateway"), HTTP_PORT="0", PORT_FILE=str(told))
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{told.read_text().strip()}", timeout=60) as client:
        yield client


@pytest.mark.slow
async def test_the_provisioner_makes_everything_and_finds_it_unchanged_the_second_time(server: Deployed) -> None:
    environment = {**os.environ, **identity("provisioner"), "NATS_URL": server.url}
    command = (sys.executable, "-m", "muster_cli", "provision")
    for _ in range(2):
        process = await asyncio.create_subprocess_exec(*command, env=environment)
        assert await asyncio.wait_for(process.wait(), 60) == 0

    async with server.bus("provisioner") as bus:
        assert await provision(bus) == ()


async def test_a_drill_from_outside_runs_to_its_verdict_submitted_or_published(fleet: Fleet, server: Deployed) -> None:
    await fleet.start("orchestrator", **identity("orchestrator"))
    await fleet.start("subagent", **identity("subagent"))
    request = {"job": {"type": "drill", "count": 5}, "reply_to": "muster.replies.publisher.drill"}

    async with server.trial("publisher") as outside:
        verdicts = await outside.client.subscribe("muster.replies.publisher.drill")
        answer = json.loads((await outside.client.request("muster.submit", json.dumps(request).encode(), 10)).data)
        told = codec.decode((await verdicts.next_msg(timeout=30)).data, Verdict)
        await outside.client.publish("muster.requests.nightly", codec.encode(RunRequest(job=Drill(count=1))))
        nightly = await fleet.verdict("nightly")

    assert (answer["type"], told.run) == ("accepted", answer["run"])
    assert (told.status, told.summary) == ("pass", "5 of 5 sub-tasks passed")
    assert nightly.status == "pass"
    assert outside.refused + refusals(fleet) == []


@pytest.mark.slow
async def test_a_case_sent_to_the_gateway_runs_in_a_browser_and_leaves_lines_and_files(
    fleet: Fleet, greeting_page: str
) -> None:
    more = {"SANDBOX": "none", "RECORD_TRACE": "on", "SWEEP_SECONDS": "0.2", "ARTIFACT_SWEEP_SECONDS": "0.2"}
    for service in ("orchestrator", "sessions", "subagent"):
        await fleet.start(service, **identity(service), **more)
    await put_artifact(fleet.bus, "run-gone/session/main-trace.zip", b"x", "application/zip")
    async with gateway(fleet) as http:
        yaml = {"Content-Type": "application/yaml"}
        run = (await http.post("/runs", content=CASE.format(url=greeting_page), headers=yaml)).json()["run"]
        lines = (await http.get(f"/runs/{run}/logs")).text  # ends when the run does
        shown = (await http.get(f"/runs/{run}")).json()
        listed = (await http.get("/runs")).json()["runs"]
        files = (await http.get(f"/runs/{run}/artifacts")).json()["artifacts"]
        file = await http.get(f"/runs/{run}/artifacts/{files[0]['name']}")

    assert shown["verdict"]["status"] == "pass", shown["verdict"]["summary"]
    assert "[Orchestrator]" in lines
    assert "[Sub-agent]" in lines
    assert "[Session] main: kept main-trace.zip" in lines
    assert [row["run"] for row in listed] == [run]
    assert len(file.content) == files[0]["size"] > 0
    await eventually(lambda: cleared(fleet.bus, "run-gone/"), "artifacts of a run without a log are removed")
    assert refusals(fleet) == []


@pytest.mark.slow
async def test_a_run_is_cancelled_through_the_gateway_queued_or_at_work(fleet: Fleet) -> None:
    drill = {"job": {"type": "drill", "count": 1, "wait_seconds": 300}}
    await fleet.start("orchestrator", **identity("orchestrator"), ORCHESTRATOR_RUNS="1")
    await fleet.start("subagent", **identity("subagent"))
    async with gateway(fleet) as http:
        runs = [(await http.post("/runs", json=drill)).json()["run"] for _ in range(2)]
        for run in reversed(runs):  # the second one is still queued: there is one slot
            assert (await http.post(f"/runs/{run}/cancel")).is_success
        verdicts = [await fleet.verdict(run) for run in runs]

    assert [verdict.cause for verdict in verdicts] == ["cancelled", "cancelled"]
    assert refusals(fleet) == []


@pytest.mark.slow
async def test_a_session_is_opened_anew_from_its_checkpoint_on_another_host(fleet: Fleet, server: Deployed) -> None:
    first = await fleet.start("sessions", **identity("sessions"), SANDBOX="none", HOST_ID="first")
    async with server.bus("orchestrator") as owner, server.bus("subagent") as worker:
        await ask(owner, "muster.sessions.open", OpenSession(run="run-1"), Opened)
        holder = Holder(dispatch=1, delivery=1, worker="worker-1")
        await ask(worker, "muster.sessions.host.first", Attach(run="run-1", name="main", holder=holder), Attached)
        await ask(worker, "muster.sessions.host.first", Checkpoint(run="run-1", name="main", holder=holder), Done)
        await eventually(lambda: stored(fleet.bus, "run-1/"), "the checkpoint is stored")
        first.kill()
        await first.wait()
        await fleet.start("sessions", **identity("sessions"), SANDBOX="none", HOST_ID="second")
        opened = await ask(owner, "muster.sessions.open", OpenSession(run="run-1", checkpoint=True), Opened)

    assert opened.session.host == "second"
    assert '"restored": "same"' in (fleet.folder / "sessions-1.log").read_text()
    assert refusals(fleet) == []


@pytest.mark.slow
async def test_full_hosts_refuse_at_once_and_runs_in_line_end_with_nobody_refused_anything(fleet: Fleet) -> None:
    for number in range(2):
        await fleet.start(
            "sessions", **identity("sessions"), SANDBOX="none", MAX_SESSIONS="1", HOST_ID=f"host-{number}"
        )
    for service in ("orchestrator", "subagent"):
        await fleet.start(service, **identity(service), SWEEP_SECONDS="1")
    step = Step(action='Run the command "sleep 4; echo done"', expected='The output contains "done"')
    job = TestCase(name="Commands", steps=(step,), device=DeviceSpec(kind="none"))
    async with gateway(fleet) as http:
        asked = [codec.encode(RunRequest(job=job)) for _ in range(5)]
        headers = {"Content-Type": "application/json"}
        runs = [(await http.post("/runs", content=one, headers=headers)).json()["run"] for one in asked]
        verdicts = [await fleet.verdict(run) for run in runs]
        for run in runs:
            await fleet.closed(run)
        parked = [event for run in runs for entry in await read_entries(fleet.bus, run) for event in entry.events]
        left = (await http.get("/sessions")).json()["sessions"]

    assert [verdict.status for verdict in verdicts] == ["pass"] * 5
    assert any(isinstance(event, Parked) for event in parked)
    assert left == []
    assert refusals(fleet) == []


@pytest.mark.slow
async def test_the_whole_demo_runs_with_nobody_refused_anything(fleet: Fleet, server: Deployed) -> None:
    env = {**os.environ, "SHOP_PASSWORD": PASSWORD}
    shop = ROOT / "examples/shop/server.py"
    for service in ("orchestrator", "sessions", "subagent"):
        await fleet.start(service, **identity(service), SANDBOX="none", SECRET_SHOP_PASSWORD=PASSWORD)
    async with gateway(fleet), demo_shop(shop, env) as healthy, demo_shop(shop, env, BUG) as buggy:
        jobs, wanted = demo_jobs(ROOT / "examples", healthy, buggy)
        report = await run_jobs(fleet.bus, jobs, Silent(), Options(240))

    assert {outcome.run: describe_verdict(outcome) for outcome in report.runs} == wanted
    assert refusals(fleet) == []


async def stored(bus: Bus, prefix: str) -> list[str]:
    """Return the names of stored files."""
    return await list_artifacts(bus, prefix)


async def cleared(bus: Bus, prefix: str) -> bool:
    """Return whether no file is stored under the prefix."""
    return not await stored(bus, prefix)


async def ask(bus: Bus, subject: str, request: SessionRequest, wanted: type[Reply]) -> Reply:
    """Ask a session host and return the reply, which must be of the wanted kind."""
    reply = await bus.request(subject, request, cast("Any", SessionReply), timeout=60)
    assert isinstance(reply, wanted), reply
    return reply

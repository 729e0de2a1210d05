"""Pausing, resuming, answering and running again by command line, HTTP and plain NATS: each asked twice, done once."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from controlled_page import controlled_page
from fleet import Fleet, fleet
from waiting import eventually

from muster_bus import Rows
from muster_bus.run_store import find_request, read_entries
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.events import Answered, Asked, ControlApplied, Event, Parked, SubTaskDispatched
from muster_protocol.ids import run_id_for
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, Job, RunRequest, Step, TestCase

SECONDS = 60.0


class Desk:
    """A fleet with a gateway, and the three ways to ask something of its runs."""

    def __init__(self, group: Fleet, http: httpx.AsyncClient) -> None:
        self.group, self.http = group, http

    async def cli(self, *arguments: str) -> str:
        """Call the command, which has to succeed, and return its output."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "muster_cli", *arguments, "--nats", self.group.server.url),
            env={**os.environ},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        async with asyncio.timeout(SECONDS):
            out, err = await process.communicate()
        assert process.returncode == 0, err.decode()
        return out.decode()

    async def post(self, address: str, body: Any = None, **headers: str) -> Any:
        """Post to the gateway, which has to accept it, and return what it says."""
        answer = await self.http.post(address, json=body, headers=headers)
        assert answer.status_code == 202, answer.text
        return answer.json()

    async def publish(self, run: str, text: str) -> None:
        """Publish JSON on the run's control subject, as a program without any library of ours does."""
        await self.group.bus.nc.publish(f"muster.control.{run}", text.encode())
        await self.group.bus.nc.flush()

    async def run(self, job: Job, suite: str = "") -> str:
        """Submit a job and return its run."""
        return (await submit(self.group.bus, RunRequest(job=job, suite=suite))).run

    async def events(self, run: str) -> list[Event]:
        """Return what is in a run's log."""
        return [event for entry in await read_entries(self.group.bus, run) for event in entry.events]

    async def status(self, run: str, wanted: str) -> RunRow:
        """Return the row of a run once it has that status."""

        async def look() -> RunRow | None:
            row = await Rows(self.group.bus, "RUN_LIST", RunRow).get(run)
            return row if row is not None and row.status == wanted else None

        return await eventually(look, f"{run} is {wanted}", SECONDS)


@asynccontextmanager
async def desk(folder: Path) -> AsyncGenerator[Desk]:
    """Run a fleet with a gateway."""
    async with fleet(folder) as group:
        for service in ("orchestrator", "sessions", "subagent"):
            await group.start(service)
        await group.start("gateway", HTTP_PORT="0", PORT_FILE=str(folder / "port"))
        address = f"http://127.0.0.1:{int((folder / 'port').read_text())}"
        async with httpx.AsyncClient(base_url=address, timeout=SECONDS) as http:
            yield Desk(group, http)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["http", "cli", "nats"])
async def test_a_run_is_paused_and_goes_on_with_nobody_holding_it_meanwhile(tmp_path: Path, way: str) -> None:
    async with desk(tmp_path) as made:

        async def ask(word: str, run: str) -> None:
            if way == "cli":
                await made.cli(word, run)
            elif way == "http":
                await made.post(f"/runs/{run}/{word}")
            else:
                await made.publish(run, f'{{"type":"{word}","id":"my-{word}"}}')

        run = await made.run(Drill(count=60, wait_seconds=1.0))  # it is not to end while the command starts
        await made.status(run, "running")
        for _ in range(2):
            await ask("pause", run)
        await made.status(run, "paused")

        async def let_go() -> bool:
            info = await made.group.bus.js.stream_info("REQUESTS")
            return isinstance((await made.events(run))[-1], Parked) and info.state.messages == 0

        await eventually(let_go, "nobody holds the run", SECONDS)
        before = await made.events(run)
        shown = (await made.http.get(f"/runs/{run}")).json()
        assert (shown["run"]["status"], bool(shown["waits_for"])) == ("paused", True)
        assert f"goes on with: muster resume {run}" in await made.cli("show", run)
        assert await made.events(run) == before  # nothing was done meanwhile

        for _ in range(2):
            await ask("resume", run)

        async def goes_on() -> list[Event] | None:
            after = await made.events(run)
            return after if any(isinstance(event, SubTaskDispatched) for event in after[len(before) :]) else None

        after = await eventually(goes_on, "the run goes on", SECONDS)
        asked = [type(event.control).__name__ for event in after if isinstance(event, ControlApplied)]
        assert asked == ["Pause", "Resume"]
        await made.publish(run, '{"type":"cancel","id":"enough"}')
        assert (await made.group.verdict(run)).cause == "cancelled"
        dispatched = [event.sub_task.id for event in await made.events(run) if isinstance(event, SubTaskDispatched)]
        assert len(dispatched) == len(set(dispatched)) < 60


@pytest.mark.slow
async def test_a_queued_run_that_is_paused_begins_nothing_until_it_is_resumed(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await group.start("gateway", HTTP_PORT="0", PORT_FILE=str(tmp_path / "port"))
        address = f"http://127.0.0.1:{int((tmp_path / 'port').read_text())}"
        async with httpx.AsyncClient(base_url=address, timeout=SECONDS) as http:
            made = Desk(group, http)
            request = RunRequest(id="early", job=Drill(count=2))
            await group.bus.store(group.bus.names.request("early"), codec.encode(request))
            assert await made.post("/runs/early/pause") == {"run": "early", "changed": True}
            for service in ("orchestrator", "subagent"):
                await group.start(service)
            await made.status("early", "paused")
            assert not any(isinstance(event, SubTaskDispatched) for event in await made.events("early"))
            await made.cli("resume", "early")
            assert (await group.verdict("early")).status == "pass"


ASKING = TestCase(
    name="Asking",
    steps=(
        Step(action='Ask "Which code is in the mail?" and remember the answer as ${code}'),
        Step(action='Run the command "echo got ${code}"', expected='The output contains "got 4711"'),
    ),
)


@pytest.mark.slow
async def test_a_question_is_answered_by_each_way_once_however_often_it_is_answered(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        runs = [await made.run(ASKING) for _ in range(3)]
        for run in runs:
            await made.status(run, "parked")
        by_cli, by_http, by_nats = runs
        assert "asks: Which code is in the mail? — answer with: muster answer" in await made.cli("show", by_cli)
        shown = (await made.http.get(f"/runs/{by_nats}")).json()
        (question,) = shown["questions"]
        assert question["text"] == "Which code is in the mail?"

        for _ in range(2):
            await made.cli("answer", by_cli, "4711")
            await made.post(f"/runs/{by_http}/answer", {"text": "4711"})
            text = f'{{"type":"answer","id":"mine","question":"{question["id"]}","text":"4711"}}'
            await made.publish(by_nats, text)

        for run in runs:
            assert (await made.group.verdict(run)).status == "pass"
            events = await made.events(run)
            assert sum(isinstance(event, Asked) for event in events) == 1
            assert [event.text for event in events if isinstance(event, Answered)] == ["4711"]
        late = await made.http.post(f"/runs/{by_http}/answer", json={"text": "4712"})
        assert (late.status_code, "over" in late.json()["reasons"][0]) == (409, True)


@pytest.mark.slow
async def test_a_run_is_run_again_by_each_way_once_for_each_key(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        first = await made.run(Drill(count=1), suite="s")
        await made.group.verdict(first)
        cli = [await made.cli("rerun", first, "--key", "a") for _ in range(2)]
        http = [await made.post(f"/runs/{first}/rerun", **{"Idempotency-Key": "b"}) for _ in range(2)]
        for _ in range(2):
            await made.publish(first, '{"type":"rerun","id":"c"}')
        again = [run_id_for(f"{first}.{key}") for key in "abc"]
        assert [line.strip() for line in cli] == [again[0]] * 2
        assert [(one["run"], one["duplicate"]) for one in http] == [(again[1], False), (again[1], True)]
        for run in again:
            assert (await made.group.verdict(run)).status == "pass"
            assert (await made.status(run, "pass")).rerun_of == first
        assert {row.run for row in await Rows(made.group.bus, "RUN_LIST", RunRow).all()} == {first, *again}


@pytest.mark.slow
async def test_what_failed_in_a_suite_is_run_again_until_it_passes(tmp_path: Path) -> None:
    async with desk(tmp_path) as made:
        with controlled_page() as page:
            passing = TestCase(
                name="Good", steps=(Step(action='Run the command "true"', expected="The exit code is 0"),)
            )
            look = Step(action=f'Send a GET request to "{page.url}/state"', expected='The response contains "true"')
            runs = [await made.run(job, "s") for job in (passing, TestCase(name="Bad", steps=(look,)))]
            await made.status(runs[0], "pass")
            await made.status(runs[1], "fail")

            again = [await made.post("/suites/s/rerun-failed", **{"Idempotency-Key": "one"}) for _ in range(2)]
            assert [(one["rerun_of"], one["duplicate"]) for one in again[0]["runs"]] == [(runs[1], False)]
            assert [(one["run"], one["duplicate"]) for one in again[1]["runs"]] == [(again[0]["runs"][0]["run"], True)]
            second = again[0]["runs"][0]["run"]
            await made.status(second, "fail")
            page.open.set()
            third = (await made.cli("rerun", "--failed", "--suite", "s")).strip()
            await made.status(third, "pass")
            request = await find_request(made.group.bus, third)
            assert request is not None and request.rerun_of == second
            assert await made.cli("rerun", "--failed", "--suite", "s") == ""
            assert await made.post("/suites/s/rerun-failed") == {"runs": []}

"""The commands that ask something of runs, as people call them, against a played fleet."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from terminals import read_until, terminal

from muster_bus import Bus, Rows
from muster_bus.nats_server import NatsServer
from muster_bus.run_store import find_request, read_entries
from muster_client.steering import read_controls
from muster_protocol.control import Answer, Pause, Resume
from muster_protocol.events import Asked
from muster_protocol.logs import RunRow

Muster = Callable[..., Awaitable[Any]]
Write = Callable[..., Path]
QUESTION = "Which code is in the mail?"
pytestmark = pytest.mark.usefixtures("player")


async def asks(bus: Bus, run: str) -> None:
    """Return when the run asks something."""
    async with asyncio.timeout(60):
        while not any(isinstance(e, Asked) for entry in await read_entries(bus, run) for e in entry.events):
            await asyncio.sleep(0.02)


@pytest.mark.slow
async def test_pause_and_resume_are_asked_once_and_say_how_the_run_stands(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    run = (await muster("submit", write_cases(a="hang"), "--nats", server.url)).out.strip()
    for word, told in (
        ("resume", ("is not paused", "is not paused")),
        ("pause", ("asked to pause", "is asked to pause already")),
    ):
        ended = await muster(word, run, run, "--nats", server.url)
        assert (ended.code, ended.out) == (0, "".join(f"{run}: {line}\n" for line in told))
    assert [type(one.control) for one in await read_controls(bus, run)] == [Pause]
    shown = await muster("show", run, "--nats", server.url)
    assert f"goes on with: muster resume {run}" in shown.out
    assert (await muster("resume", run, "--nats", server.url)).out == f"{run}: asked to go on\n"
    assert [type(one.control) for one in await read_controls(bus, run)] == [Pause, Resume]


@pytest.mark.slow
async def test_a_run_that_is_over_cannot_be_paused(muster: Muster, server: NatsServer, write_cases: Write):
    run = (await muster("submit", write_cases(a="pass"), "--wait", "--json", "--nats", server.url)).out
    run = json.loads(run)["runs"][0]["run"]
    over = await muster("pause", run, "run-none", "--nats", server.url)
    assert (over.code, over.out) == (2, "")
    assert f"run '{run}' is over (pass); there is nothing to pause" in over.err
    assert "there is no run 'run-none' here" in over.err


@pytest.mark.slow
async def test_an_answer_lets_a_run_go_on_and_stands(muster: Muster, server: NatsServer, bus: Bus, write_cases: Write):
    run = (await muster("submit", write_cases(a="ask"), "--nats", server.url)).out.strip()
    await asks(bus, run)
    shown = await muster("show", run, "--nats", server.url)
    assert f'asks: {QUESTION} — answer with: muster answer {run} "…"' in shown.out
    assert json.loads((await muster("show", run, "--json", "--nats", server.url)).out)["questions"][0]["node"] == "s0"
    assert "is not paused; it waits for an answer" in (await muster("resume", run, "--nats", server.url)).out
    empty = await muster("answer", run, " ", "--nats", server.url)
    assert (empty.code, "the answer is empty" in empty.err) == (2, True)
    assert (await muster("answer", run, "4711", "--nats", server.url)).out == f"{run}: answered\n"
    assert (await muster("watch", run, "--nats", server.url)).code == 0
    again = await muster("answer", run, "4711", "--nats", server.url)
    assert (again.code, again.out) == (0, f"{run}: has that answer already\n")
    assert (await muster("answer", run, "4712", "--nats", server.url)).code == 2


@pytest.mark.slow
async def test_without_a_person_at_the_terminal_a_run_says_how_to_answer_it(server: NatsServer, write_cases: Write):
    async with started("run", write_cases(a="ask"), "--nats", server.url) as process:
        assert process.stderr is not None and process.stdout is not None
        assert (await process.stderr.readline()).decode() == f"muster: a asks: {QUESTION}\n"
        command = (await process.stderr.readline()).decode().strip().removeprefix("answer with: ")
        assert command.endswith(f' "…" --nats {server.url}')
        async with started(*command.replace('"…"', "-").split()[1:], given=True) as answering:
            await answering.communicate(b"4711\n")
            assert answering.returncode == 0
        assert "Answered: 4711" in (await process.stdout.read()).decode()
        assert await process.wait() == 0


async def test_a_person_at_the_terminal_is_asked_at_once(server: NatsServer, bus: Bus, write_cases: Write):
    with terminal() as (person, theirs):
        async with started("run", write_cases(a="ask"), "--nats", server.url, terminal=theirs) as process:
            screen = await read_until(person, b"answer> ")
            assert f"a asks: {QUESTION}".encode() in screen
            os.write(person, b"\n")
            await read_until(person, b"answer> ")
            os.write(person, b"  4711 \n")
            await read_until(person, b"1 passed")
            assert await process.wait() == 0
        (run,) = await taken_runs(bus)
        (asked,) = await read_controls(bus, run)
        assert isinstance(asked.control, Answer)
        assert (asked.control.text, asked.control.by) == ("4711", "muster")


@pytest.mark.slow
async def test_a_prompt_is_taken_back_when_somebody_else_answers(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    with terminal() as (person, theirs):
        async with started("run", write_cases(a="ask"), "--nats", server.url, terminal=theirs) as process:
            await read_until(person, b"answer> ")
            (run,) = await taken_runs(bus)
            assert (await muster("answer", run, "4711", "--nats", server.url)).code == 0
            await read_until(person, b"1 passed")
            assert await process.wait() == 0


@pytest.mark.slow
async def test_a_person_who_wants_no_prompt_is_told_how_to_answer_later(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    with terminal() as (person, theirs):
        async with started("run", write_cases(a="ask"), "--nats", server.url, terminal=theirs) as process:
            await read_until(person, b"answer> ")
            os.write(person, b"\x04")
            (run,) = await taken_runs(bus)
            await read_until(person, f"answer with: muster answer {run}".encode())
            assert (await muster("answer", run, "4711", "--nats", server.url)).code == 0
            await read_until(person, b"1 passed")
            assert await process.wait() == 0


async def taken_runs(bus: Bus) -> list[str]:
    """Return the runs that the played fleet has taken."""
    info = await bus.js.stream_info("RUNS", subjects_filter="muster.runs.*.events")
    return [subject.split(".")[2] for subject in info.state.subjects or {}]


@asynccontextmanager
async def started(*arguments: object, terminal: int | None = None, given: bool = False) -> AsyncGenerator[Process]:
    """Run the command for as long as the test looks at it, on a terminal or on pipes; it has to end by itself."""
    command = (sys.executable, "-m", "muster_cli", *map(str, arguments))
    if terminal is None:
        stdin = PIPE if given else DEVNULL
        process = await asyncio.create_subprocess_exec(*command, stdin=stdin, stdout=PIPE, stderr=PIPE)
    else:
        process = await asyncio.create_subprocess_exec(*command, preexec_fn=partial(os.login_tty, terminal))
    try:
        async with asyncio.timeout(90):
            yield process
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.slow
async def test_rerun_makes_a_new_run_and_with_a_key_only_one(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    run = (await muster("submit", write_cases(a="pass"), "--suite", "s", "--nats", server.url)).out.strip()
    keyed = [(await muster("rerun", run, "--key", "k", "--nats", server.url)).out for _ in range(2)]
    waited = await muster("rerun", run, "--wait", "--nats", server.url)
    assert keyed[0] == keyed[1] != f"{run}\n"
    assert (waited.code, "1 passed" in waited.out) == (0, True)
    again = await find_request(bus, keyed[0].strip())
    assert again is not None
    assert (again.rerun_of, again.suite, again.job.name) == (run, "s", "a")
    none = await muster("rerun", "run-none", "--nats", server.url)
    assert (none.code, none.out, "there is no run 'run-none' here" in none.err) == (2, "", True)
    assert "name runs, or a suite" in (await muster("rerun", "--failed", "--nats", server.url)).err


@pytest.mark.slow
async def test_rerun_failed_takes_the_tests_whose_newest_run_failed(
    muster: Muster, server: NatsServer, bus: Bus, write_cases: Write
):
    ended = await muster("submit", write_cases(a="pass", b="product"), "--suite", "s", "--json", "--nats", server.url)
    runs = {row["name"]: row["run"] for row in json.loads(ended.out)}
    for name, run in runs.items():
        row = RunRow(run=run, name=name, suite="s", status="pass" if name == "a" else "fail", requested_at=1.0)
        await Rows(bus, "RUN_LIST", RunRow).put(run, row)
    again = json.loads((await muster("rerun", "--failed", "--suite", "s", "--json", "--nats", server.url)).out)
    assert [row["name"] for row in again] == ["b"]
    twice = await muster("rerun", "--failed", "--suite", "s", "--nats", server.url)
    assert (twice.code, twice.out, twice.err) == (0, "", "muster: nothing to run again\n")
    assert (await muster("rerun", runs["a"], "--failed", "--nats", server.url)).out == ""
    nowhere = await muster("rerun", "--suite", "t", "--nats", server.url)
    assert (nowhere.code, "suite 't' has no runs here" in nowhere.err) == (2, True)

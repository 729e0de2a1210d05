"""The 20-step purchase by phrases and by a model, beside the same purchase written by hand with Playwright, in turn.

Both record a trace and a HAR, have their browser up, and act in a fresh context. Of Muster the time counts from the
first step's dispatch to the verdict, as its log says; of the script from the first action to the last expectation.
Planning, and storing what was recorded, are outside on both sides. Quote the ratio: times depend on the machine.
The model is scripted behind real HTTP and answers at once: every step is worded so that no phrase knows its action, and
takes at least one act and one finish call. Four characters of a request count as a token.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import msgspec
from oracle import Asked, ModelServer, freely, model_server, oracle
from playwright.async_api import Browser, async_playwright
from purchase import purchase, recorded_page

from muster_bus import Bus, Rows
from muster_bus.run_store import read_entries
from muster_bus.testing import connected, provisioned_server
from muster_cases.case_loader import load_paths
from muster_client.runs import submit
from muster_devices.web.chromium import find_browser
from muster_protocol.events import Entry, RunClosed, SubTaskDispatched, VerdictReached
from muster_protocol.logs import WorkerRow
from muster_protocol.requests import RunRequest, TestCase

ROOT = Path(__file__).parents[1]
PASSWORD = "swordfish"
MODULES = ("muster_orchestrator", "muster_subagent", "muster_sessionhost")


class Round(NamedTuple):
    """Seconds of one round."""

    script: float
    muster: float
    model: float

    @property
    def ratio(self) -> float:
        """How many times the script's time Muster took by phrases."""
        return self.muster / self.script

    @property
    def model_ratio(self) -> float:
        """How many times the script's time it took with a model."""
        return self.model / self.script


class Spent(NamedTuple):
    """What the model was sent in one run."""

    calls: int
    tokens: int
    largest: int
    tools: int

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> "Spent":
        """Count the questions of the executors; planning is one more, told apart."""
        sizes = [len(json.dumps(it.body, separators=(",", ":"))) // 4 for it in asked]
        return cls(len(sizes), sum(sizes), max(sizes), sum(len(it.tools) for it in asked) // len(asked))


@asynccontextmanager
async def process(*arguments: str, **environment: str) -> AsyncGenerator[Process]:
    """Run a Python process until left."""
    env = {**os.environ, **environment}
    running = await asyncio.create_subprocess_exec(sys.executable, *arguments, env=env, stdout=PIPE)
    try:
        yield running
    finally:
        running.terminate()
        await asyncio.wait_for(running.wait(), 30)


@asynccontextmanager
async def shop() -> AsyncGenerator[str]:
    """Serve the demo shop and give its address."""
    async with process(str(ROOT / "examples/shop/server.py"), "--port", "0", SHOP_PASSWORD=PASSWORD) as serving:
        assert serving.stdout is not None
        yield (await serving.stdout.readline()).decode().split()[-1]


@asynccontextmanager
async def fleet(**environment: str) -> AsyncGenerator[Bus]:
    """Run a private nats-server, an orchestrator, a worker and a session host."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(provisioned_server())
        bus = await stack.enter_async_context(connected(server))
        for module in MODULES:
            settings = {"NATS_URL": server.url, "LOG_LEVEL": "error", "SECRET_SHOP_PASSWORD": PASSWORD, **environment}
            await stack.enter_async_context(process("-m", module, **settings))
        async with asyncio.timeout(60):
            while len(await Rows(bus, "WORKERS", WorkerRow).all()) < len(MODULES):
                await asyncio.sleep(0.05)
        yield bus


def case(base_url: str) -> RunRequest:
    """Return the purchase as a request against the shop at an address."""
    request = load_paths([ROOT / "examples/cases/01-buy-a-backpack.yaml"])[0].request
    assert isinstance(request.job, TestCase)
    variables = {**request.job.variables, "base_url": base_url}
    return msgspec.structs.replace(request, job=msgspec.structs.replace(request.job, variables=variables))


def by_model(base_url: str) -> RunRequest:
    """Return the purchase with actions that no phrase knows."""
    request = case(base_url)
    assert isinstance(request.job, TestCase)
    return msgspec.structs.replace(request, job=freely(request.job))


async def on_fleet(bus: Bus, request: RunRequest) -> float:
    """Run a case on a fleet and return its seconds by the run's log."""
    run = (await submit(bus, request)).run
    async with asyncio.timeout(120):
        while not _closed(log := await read_entries(bus, run)):
            await asyncio.sleep(0.1)
    return seconds_of(log)


def _closed(log: list[Entry]) -> bool:
    return any(isinstance(event, RunClosed) for entry in log for event in entry.events)


def seconds_of(log: list[Entry]) -> float:
    """Return the seconds from the first step's dispatch to the verdict, which is a pass."""
    began = ended = 0.0
    for entry in log:
        for event in entry.events:
            if isinstance(event, SubTaskDispatched) and event.sub_task.pool == "act":
                began = began or entry.at
            if isinstance(event, VerdictReached):
                assert event.verdict.status == "pass", event.verdict.summary
                ended = entry.at
    return ended - began


async def by_hand(browser: Browser, base_url: str) -> float:
    """Run the hand-written script in a fresh recording context and return its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        async with recorded_page(browser, Path(folder)) as page:
            began = perf_counter()
            await purchase(page, base_url, PASSWORD)
            return perf_counter() - began


async def measure(rounds: int, model: ModelServer) -> list[Round]:
    """Run all three in turn, once to warm up and then `rounds` times."""
    settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "oracle", "RECORDINGS": "off"}
    async with async_playwright() as playwright, shop() as base_url, fleet() as bus, fleet(**settings) as thinking:
        executable = find_browser(playwright.chromium.executable_path, "", os.environ)
        root = os.geteuid() == 0
        browser = await playwright.chromium.launch(executable_path=executable, chromium_sandbox=not root)
        found: list[Round] = []
        for number in range(rounds + 1):
            script = await by_hand(browser, base_url)
            phrases = await on_fleet(bus, case(base_url))
            model.asked.clear()
            done = Round(script, phrases, await on_fleet(thinking, by_model(base_url)))
            print("warm-up" if not number else f"round {number}", _row(done), sep="  ", file=sys.stderr)
            found += [done] if number else []
        await browser.close()
        return found


def _row(done: Round) -> str:
    phrases = f"phrases {done.muster:6.2f} s {done.ratio:5.2f}x"
    return f"script {done.script:6.2f} s   {phrases}   model {done.model:6.2f} s {done.model_ratio:5.2f}x"


def main() -> None:
    """Measure and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count (default 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    with model_server(oracle) as model:
        rounds = asyncio.run(measure(options.rounds, model))
        spent = Spent.of([asked for asked in model.asked if asked.role == "executor"])
    median = Round(*(statistics.median(column) for column in zip(*rounds, strict=True)))
    ratio = statistics.median(done.ratio for done in rounds)
    thinking = statistics.median(done.model_ratio for done in rounds)
    if options.json:
        found = {"rounds": [done._asdict() for done in rounds], "median": median._asdict(), "model": spent._asdict()}
        print(json.dumps({**found, "median_ratio": ratio, "median_model_ratio": thinking}))
    else:
        print("medians", _row(median), sep="  ")
        print(f"median ratio of a round: phrases {ratio:.2f} (goal 1.5), model {thinking:.2f} (goal 2)")
        print(
            f"model: {spent.calls} calls, {spent.tokens} prompt tokens, {spent.largest} in the largest (goal 3500), "
            f"{spent.tools} tools in a call on average"
        )


if __name__ == "__main__":
    main()

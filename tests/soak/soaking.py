"""The fleet, the steady load on it, and what is read meanwhile."""

import asyncio
import itertools
import os
import time
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx
from fleet import Fleet
from waiting import eventually

from chaos.jobs import ledger_case, order_case
from muster_bus.run_store import find_verdict, read_entries
from muster_bus.store_answers import BUS_ERRORS
from muster_bus.testing import connected, provisioned_server
from muster_cli.shop import demo_shop
from muster_client.runs import submit
from muster_protocol.requests import Drill, Job, RunRequest
from soak.growth import Reading
from soak.readings import reading

SHOP = Path(__file__).parents[2] / "examples/shop/server.py"
SERVICES = ("orchestrator", "orchestrator", "subagent", "subagent", "sessions", "gateway")
ACK_WAIT = 15.0
DRAIN_SECONDS = 240.0
DRIVER = 1
"""Processes that a session host keeps from its first browser on."""
REST_SECONDS = 30.0


class Plan(NamedTuple):
    """What a soak is made of."""

    minutes: float = 30.0
    rate: float = 0.5
    """Runs begun a second, unless as many as may be are in flight."""
    most: int = 8
    """Runs in flight at once."""
    every: float = 0.0
    """Seconds between two readings; 0: a hundredth of the time, at least two."""


class Outcome(NamedTuple):
    """What came of it."""

    readings: tuple[Reading, ...]
    verdicts: Counter[str]
    at_rest: tuple[str, ...]
    """What was left when nothing was asked for any more, and should not have been."""


@asynccontextmanager
async def stage(folder: Path) -> AsyncGenerator[tuple[Fleet, str, httpx.AsyncClient]]:
    """Run the fleet and the shop until left; also yield the shop's address and a client of the gateway."""
    shape, port_file = {"ack_wait_seconds": ACK_WAIT}, folder / "port"
    settings = {
        "ACK_WAIT_SECONDS": str(ACK_WAIT),
        "HTTP_PORT": "0",
        "PORT_FILE": str(port_file),
        "SESSIONS_DIR": str(folder / "sessions"),
        "LOG_LEVEL": "warning",
        "SHUTDOWN_SECONDS": "5",
        "SESSION_DRAIN_SECONDS": "0",
    }
    async with AsyncExitStack() as stack:
        shop = await stack.enter_async_context(demo_shop(SHOP, {"PATH": "/usr/bin:/bin"}))
        server = await stack.enter_async_context(provisioned_server(folder / "nats", **shape))
        bus = await stack.enter_async_context(connected(server, **shape))
        group = Fleet(server, bus, folder, {**os.environ, "NATS_URL": server.url, **settings}, forked=False)
        stack.push_async_callback(group.stop)
        for service in SERVICES:
            await group.start(service, METRICS_PORT="0")
        address = f"http://127.0.0.1:{port_file.read_text().strip()}"
        yield group, shop, await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=10))


def job(number: int, shop: str) -> Job:
    """Return the job of a run: drills, commands and orders in a browser, in turn."""
    match number % 4:
        case 0 | 2:
            return Drill(count=8, wait_seconds=0.2)
        case 1:
            return ledger_case("commands", 3, good=True)
        case _:
            return order_case("order", shop, f"soak-{number}", good=True)


class Load:
    """Begins runs at a steady rate, reads their lists as people do, and follows some of them."""

    def __init__(self, group: Fleet, shop: str, gateway: httpx.AsyncClient, plan: Plan) -> None:
        self.runs: list[str] = []
        self._group, self._shop, self._gateway, self._plan = group, shop, gateway, plan

    async def run(self) -> None:
        """Go on for ever."""
        async with asyncio.TaskGroup() as following:
            for number in itertools.count():
                await asyncio.sleep(1 / self._plan.rate)
                if await self._in_flight() >= self._plan.most:
                    continue
                with suppress(*BUS_ERRORS):
                    request = RunRequest(job=job(number, self._shop), suite="soak")
                    self.runs.append((await submit(self._group.bus, request)).run)
                    following.create_task(self._look(self.runs[-1]))

    async def _in_flight(self) -> int:
        return (await self._group.bus.js.stream_info("REQUESTS")).state.messages

    async def _look(self, run: str) -> None:
        with suppress(httpx.HTTPError):
            await self._gateway.get("/runs", params={"limit": 20})
            await self._gateway.get(f"/runs/{run}/logs", headers={"Accept": "text/event-stream"}, timeout=60)
            await self._gateway.get(f"/runs/{run}")


async def soak(plan: Plan, folder: Path) -> Outcome:
    """Put a fleet under load for the time asked for, let it come to rest, and return what was seen."""
    async with stage(folder) as (group, shop, gateway):
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{group.server.monitor_port}", timeout=10) as server:
            before = await _warmed_up(group, shop, server)
            began, load = time.monotonic(), Load(group, shop, gateway, plan)
            working = asyncio.create_task(load.run())
            readings = await _read(group, server, began, plan)
            working.cancel()
            await asyncio.wait({working})
            await _drained(group)
            left = await _left(group, server, before)
        verdicts = [find_verdict(await read_entries(group.bus, run)) for run in load.runs]
        return Outcome(readings, Counter(it.status if it else "none" for it in verdicts), left)


async def _warmed_up(group: Fleet, shop: str, server: httpx.AsyncClient) -> Reading:
    """Have everybody work once, and return how the fleet is at rest afterwards: all keep the driver of browsers."""
    idle = (await reading(group, server, 0.0)).values["sessions-1 children"]
    for number in range(12):
        await submit(group.bus, RunRequest(job=job(number, shop), suite="warm-up"))
    await _drained(group)

    async def at_rest() -> Reading | None:
        now = await reading(group, server, 0.0)
        return now if now.values["sessions-1 children"] <= idle + DRIVER else None

    return await eventually(at_rest, "no browser is left of the runs that have ended", REST_SECONDS)


async def _read(group: Fleet, server: httpx.AsyncClient, began: float, plan: Plan) -> tuple[Reading, ...]:
    every, found = plan.every or max(2.0, plan.minutes * 60 / 100), list[Reading]()
    while time.monotonic() - began < plan.minutes * 60:
        await asyncio.sleep(every)
        found.append(await reading(group, server, began))
    return tuple(found)


async def _drained(group: Fleet) -> None:
    async def over() -> bool:
        return (await group.bus.js.stream_info("REQUESTS")).state.messages == 0

    await eventually(over, "all runs have ended", DRAIN_SECONDS)


async def _left(group: Fleet, server: httpx.AsyncClient, before: Reading) -> tuple[str, ...]:
    """Wait until all is as it was before the load, and return what is not."""
    counted = ("processes", "children", "consumers", "streams", "connections", "waiting")
    left: list[str] = []

    async def none_left() -> bool:
        now = (await reading(group, server, 0.0)).values
        names = [name for name in now if name.endswith(counted)]
        left[:] = [
            f"{name}: {now[name]:.0f}, was {before.values[name]:.0f}"
            for name in names
            if now[name] > before.values[name]
        ]
        return not left

    with suppress(AssertionError):
        await eventually(none_left, "everything is as before", REST_SECONDS)
    return tuple(left)

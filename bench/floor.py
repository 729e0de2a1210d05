"""What both floors have in common: raw nats-py, one driver process, one worker process, uvloop."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import NamedTuple

import nats
import uvloop
from msgspec import json as wire_json
from nats.aio.client import Client
from nats.aio.msg import Msg
from wire import GO, Go, Timing

SLOTS = 32
"""Sub-tasks at once in a worker, as in the product."""
TASKS = "muster.tasks.think.normal"
NEXT = "$JS.API.CONSUMER.MSG.NEXT.TASKS.think-normal"


class Beat(NamedTuple):
    """One chain: its id, how long it is, and when each of its sub-tasks was dispatched and the last one ended."""

    run: str
    chain: int
    moments: list[float]


async def pull(nc: Client, work: Callable[[Msg], Awaitable[None]]) -> None:
    """Hand each message of the queue to `work`, at most `SLOTS` at once, for ever."""
    inbox, tasks = nc.new_inbox(), set[asyncio.Task[None]]()

    async def ask(count: int) -> None:
        await nc.publish(NEXT, json.dumps({"batch": count, "expires": 600_000_000_000}).encode(), reply=inbox)

    async def done(message: Msg) -> None:
        await work(message)
        await ask(1)

    async def arrived(message: Msg) -> None:
        task = asyncio.create_task(done(message))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    await nc.subscribe(inbox, cb=arrived)
    await ask(SLOTS)
    await asyncio.Event().wait()


async def drive(nc: Client, one_chain: Callable[[Go, Beat], Awaitable[None]]) -> None:
    """Answer each `Go` with what `one_chain` took, all chains at once, for ever."""

    async def told(message: Msg) -> None:
        go = wire_json.decode(message.data, type=Go)
        beats = [Beat(f"{nc.new_inbox()[-12:]}-{number}", go.chain, []) for number in range(go.runs)]
        begun = time.perf_counter()
        await asyncio.gather(*(one_chain(go, beat) for beat in beats))
        seconds = max(beat.moments[-1] for beat in beats) - begun
        gaps = [(after - before) * 1e3 for beat in beats for before, after in pairwise(beat.moments)]
        await message.respond(wire_json.encode(Timing(seconds, gaps)))

    await nc.subscribe(GO, cb=told)
    await asyncio.Event().wait()


def start(process: Callable[[Client], Awaitable[None]], url: str) -> None:
    """Connect, and run a driver or a worker until it is told to stop."""

    async def connected() -> None:
        await process(await nats.connect(url))

    uvloop.run(connected())

"""Floor A: publish to the work queue, pull, ack, result by core publish. `python floor_a.py driver|worker URL`."""

import asyncio
import sys
import time

from floor import TASKS, Beat, drive, pull, start
from nats.aio.client import Client
from nats.aio.msg import Msg
from wire import Go

RESULTS = "bench.results."


async def worker(nc: Client) -> None:
    """Answer each sub-task with a result, and take it out of the queue."""

    async def work(message: Msg) -> None:
        headers = message.headers or {}
        await nc.publish(RESULTS + headers["Run"], b"pass")
        await nc.publish(message.reply, b"+ACK")

    await pull(nc, work)


async def driver(nc: Client) -> None:
    """Publish the sub-tasks of each chain one after another."""
    js, results = nc.jetstream(), dict[str, asyncio.Queue[None]]()

    async def ended(message: Msg) -> None:
        results[message.subject.removeprefix(RESULTS)].put_nowait(None)

    async def one_chain(go: Go, beat: Beat) -> None:
        mine = results[beat.run] = asyncio.Queue()
        task = b"x" * go.sizes.task
        for _ in range(beat.chain):
            beat.moments.append(time.perf_counter())
            await js.publish(TASKS, task, headers={"Run": beat.run})
            await mine.get()
        beat.moments.append(time.perf_counter())

    await nc.subscribe(RESULTS + "*", cb=ended)
    await drive(nc, one_chain)


if __name__ == "__main__":
    start({"driver": driver, "worker": worker}[sys.argv[1]], sys.argv[2])

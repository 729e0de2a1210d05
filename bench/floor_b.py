"""Floor B: the very same stored writes as the product's, in raw nats-py. `python floor_b.py driver|worker URL`.

A run: its request in the work queue (pulled, acked at the end), its row, an entry when it opens and one when it closes.
A sub-task: an entry in the run log and two in the journal by compare-and-set, a queue message with an id, an ack, a
log line that nobody waits for. As often as the product, and at the end: a snapshot, and the row by revision.
"""

import asyncio
import sys
import time

from floor import TASKS, Beat, drive, pull, start
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from wire import Go

JOURNAL = "muster.journal."
LIVE = "muster.live.journal."


async def append(js: JetStreamContext, subject: str, id: str, last: int, size: int, **more: str) -> int:
    """Append to a subject nobody else may have written to since `last`; return the new sequence."""
    headers = {"v": "1", "Nats-Msg-Id": id, "Nats-Expected-Last-Subject-Sequence": str(last), **more}
    return (await js.publish(subject, b"x" * size, headers=headers)).seq


async def worker(nc: Client) -> None:
    """Take each sub-task in its journal, finish it there, ack."""
    js = nc.jetstream()

    async def work(message: Msg) -> None:
        headers = message.headers or {}
        task, taken, finished = headers["Nats-Msg-Id"], int(headers["Taken"]), int(headers["Finished"])
        last = await append(js, JOURNAL + task, f"{task}.taken", 0, taken)
        await append(js, JOURNAL + task, f"{task}.finished", last, finished, Finished="1")
        await nc.publish(message.reply, b"+ACK")

    await pull(nc, work)


class Chain:
    """One run as the driver sees it."""

    def __init__(self, nc: Client, go: Go, beat: Beat) -> None:
        self.nc, self.js, self.go, self.beat = nc, nc.jetstream(), go, beat
        self.ended: asyncio.Queue[None] = asyncio.Queue()
        self.sizes = go.sizes
        self.over = asyncio.Event()
        self.last = self.row = 0

    async def drive(self) -> None:
        """See the run through."""
        run, js = self.beat.run, self.js
        await js.publish(f"muster.requests.{run}", b"x" * self.sizes.request)
        await self.store_row()
        requests = await js.pull_subscribe_bind("runs", "REQUESTS")
        [claim] = await requests.fetch(1)
        caches = asyncio.create_task(self.keep_caches())
        for number in range(self.beat.chain):
            await self.dispatch(number)
            await self.ended.get()
        await self.close()
        self.over.set()
        await caches
        await claim.ack()
        await requests.unsubscribe()

    async def dispatch(self, number: int) -> None:
        """Append the dispatch, tell it, and hand the sub-task to the queue."""
        task, sizes = f"{self.beat.run}.drill-{number}.1", self.sizes
        headers = {"v": "1", "Nats-Msg-Id": task, "Taken": str(sizes.taken), "Finished": str(sizes.finished)}
        self.beat.moments.append(time.perf_counter())
        await self.entry()
        await self.line()
        await self.js.publish(TASKS, b"x" * sizes.task, headers=headers)

    async def close(self) -> None:
        """Append the verdict, tell what a run tells apart from its sub-tasks, and append the end."""
        await self.entry()
        self.beat.moments.append(time.perf_counter())
        for _ in ("opened", "planned", "verdict"):
            await self.line()
        await self.entry()

    async def entry(self) -> None:
        run = self.beat.run
        id = f"{run}.{self.last}"
        self.last = await append(self.js, f"muster.runs.{run}.events", id, self.last, self.sizes.entry)

    async def line(self) -> None:
        await self.nc.publish(f"muster.logs.{self.beat.run}.bench", b"x" * self.sizes.line, headers={"v": "1"})

    async def keep_caches(self) -> None:
        while not self.over.is_set():
            await self.store_caches()
            await asyncio.wait({asyncio.create_task(self.over.wait())}, timeout=self.go.cache_seconds)
        await self.store_caches()

    async def store_caches(self) -> None:
        await self.js.publish(f"$KV.SNAPSHOTS.{self.beat.run}", b"x" * self.sizes.snapshot)
        await self.store_row()

    async def store_row(self) -> None:
        headers = {"Nats-Expected-Last-Subject-Sequence": str(self.row)}
        ack = await self.js.publish(f"$KV.RUN_LIST.{self.beat.run}", b"x" * self.sizes.row, headers=headers)
        self.row = ack.seq


async def driver(nc: Client) -> None:
    """Drive each chain by its log; the next sub-task is due when the journal's last entry is seen as stored."""
    chains: dict[str, Chain] = {}

    async def stored(message: Msg) -> None:
        if "Finished" in (message.headers or {}):
            chains[message.subject.split(".")[3]].ended.put_nowait(None)

    async def one_chain(go: Go, beat: Beat) -> None:
        chains[beat.run] = Chain(nc, go, beat)
        await chains[beat.run].drive()

    await nc.subscribe(LIVE + ">", cb=stored)
    await drive(nc, one_chain)


if __name__ == "__main__":
    start({"driver": driver, "worker": worker}[sys.argv[1]], sys.argv[2])

"""Workers that make tours through an app in memory: all else of their fleet is real, and a tour takes no time."""

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from driven import passes
from imagined_app import ImaginedApp, LinkedPages

from muster_bus import Bus, Claim, Intake, Log
from muster_protocol import codec
from muster_protocol.journal import FINISHED_HEADER, Finished, JournalBatch, Taken
from muster_protocol.kinds import ExploreInput
from muster_protocol.requests import PRIORITIES
from muster_protocol.tasks import SubTask


def linked_pages(pages: int, links: int, seed: int = 1) -> LinkedPages:
    """Return an app of so many pages, all of which can be reached, each with so many links."""
    dice = random.Random(seed)

    def onward(page: int) -> list[str]:
        below = [one for one in range(3 * page + 1, 3 * page + 4) if one < pages]
        across = [one for one in dice.sample(range(pages), links + 3) if one not in below]
        return [f"/p/{one}" for one in (*below, *across)][:links]

    return LinkedPages({f"/p/{page}": onward(page) for page in range(pages)}, "/p/0")


class Gate:
    """Holds workers up once the app has seen so many moves, until it is opened."""

    def __init__(self, moves: int) -> None:
        self.moves, self.reached, self.opened = moves, asyncio.Event(), asyncio.Event()

    async def pass_by(self, app: ImaginedApp) -> None:
        """Wait if the app has seen enough for now."""
        if app.moves >= self.moves:
            self.reached.set()
            await self.opened.wait()


@asynccontextmanager
async def imagined_workers(bus: Bus, app: ImaginedApp, slots: int, gate: Gate) -> AsyncGenerator[None]:
    """Make the tours of the fleet, so many at a time."""

    async def work(claim: Claim) -> None:
        task = codec.decode(claim.data, SubTask)
        assert isinstance(task.input, ExploreInput)
        journal = Log(bus, "JOURNAL", bus.names.journal(task.id))
        if not await journal.read():
            taken = Taken(worker="imagined", message=claim.message, delivery=claim.delivery)
            await journal.append(JournalBatch(entries=(taken,)))
            await gate.pass_by(app)
            output = await asyncio.to_thread(app.answer, task.input)
            ended = passes(task, evidence=(), unverified=True, output=output)
            await journal.append(JournalBatch(entries=(Finished(outcome=ended),)), {FINISHED_HEADER: "1"})
        await claim.ack()

    consumers = [bus.names.tasks_consumer("act", priority) for priority in PRIORITIES]
    intake = Intake(bus, "TASKS", consumers, slots=slots, handler=work)
    await intake.start()
    try:
        yield
    finally:
        await intake.stop(5.0)

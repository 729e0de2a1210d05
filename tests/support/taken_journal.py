"""The journal of a sub-task that was just taken from its queue."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from muster_bus import Bus, Claim
from muster_bus.queue import Intake
from muster_subagent.task_journal import Journal


@asynccontextmanager
async def taken_journal(bus: Bus, task: str) -> AsyncGenerator[Journal]:
    """Take a sub-task, and give its claim up at the end."""
    claims: asyncio.Queue[Claim] = asyncio.Queue()
    done = asyncio.Event()

    async def hold(claim: Claim) -> None:
        claims.put_nowait(claim)
        await done.wait()

    intake = Intake(bus, "TASKS", ["act-normal"], slots=1, handler=hold)
    await intake.start()
    await bus.store("muster.tasks.act.normal", b"{}")
    journal = Journal(bus, task, await asyncio.wait_for(claims.get(), 10.0), "worker-1")
    await journal.take()
    yield journal
    done.set()
    await intake.stop(grace=5.0)

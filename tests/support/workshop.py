"""Whoever takes messages out of a queue in tests: handles them one way or another, and remembers what it saw."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

from muster_bus import Bus, Claim, Intake

QUEUE, SUBJECT = "act-normal", "muster.tasks.act.normal"


class Workshop:
    """Handles each message by `work`, or holds it until the gate is opened and then acks it."""

    def __init__(self, work: Callable[[Claim], Awaitable[None]] | None = None) -> None:
        self.claims: list[Claim] = []
        self.seen: list[tuple[str, int]] = []
        """(message, delivery), in the order handlers began."""
        self.done: list[str] = []
        self.busy = self.most = 0
        self.gate = asyncio.Event()
        self._work = work or self._through_the_gate

    async def handle(self, claim: Claim) -> None:
        self.claims.append(claim)
        self.seen.append((claim.data.decode(), claim.delivery))
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            await self._work(claim)
            self.done.append(claim.data.decode())
        finally:
            self.busy -= 1

    async def _through_the_gate(self, claim: Claim) -> None:
        await self.gate.wait()
        await claim.ack()


@asynccontextmanager
async def at_work(
    bus: Bus, workshop: Workshop, slots: int = 1, consumers: Sequence[str] = (QUEUE,)
) -> AsyncGenerator[Intake]:
    """Have messages of these queues handled until left."""
    intake = Intake(bus, "TASKS", consumers, slots=slots, handler=workshop.handle)
    await intake.start()
    try:
        yield intake
    finally:
        workshop.gate.set()
        await intake.stop(grace=5.0)


async def acks(claim: Claim) -> None:
    """Work that is done at once."""
    await claim.ack()


async def put(bus: Bus, *messages: str) -> None:
    """Store messages in the queue."""
    for message in messages:
        await bus.store(SUBJECT, message.encode())

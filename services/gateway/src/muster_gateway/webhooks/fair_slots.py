"""Shares the attempts that one gateway makes at once among receivers: one that does not answer holds up no other."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

SLOW_SECONDS = 1.0
"""A host whose last attempt took longer counts as slow until one is quicker."""
MOST_SLOW = 10_000
"""The most slow hosts to remember: requests may name any number of hosts."""


class FairSlots:
    """Slots for attempts: a host may use at most as many as it leaves free, and all slow hosts together count as one.

    One host gets at most half of them, two get a third each, and so on: the next host always finds a slot, however many
    others do not answer, once each of these has kept an attempt waiting.
    """

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._used: Counter[str] = Counter()
        self._slow: set[str] = set()
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def use(self, host: str, patience: float) -> AsyncGenerator[bool]:
        """Hold a slot for an attempt at a host; False if it got none within `patience` seconds."""
        granted, loop = await self._take(host, patience), asyncio.get_running_loop()
        began = loop.time()
        try:
            yield granted
        finally:
            if granted:
                await self._give_back(host, slow=loop.time() - began > SLOW_SECONDS)

    async def _take(self, host: str, patience: float) -> bool:
        try:
            async with asyncio.timeout(patience), self._freed:
                await self._freed.wait_for(lambda: self._count_alike(host) < self._slots - self._used.total())
                self._used[host] += 1
                return True
        except TimeoutError:
            return False

    def _count_alike(self, host: str) -> int:
        """Return how many slots a host uses. Slow hosts count as one host."""
        return sum(self._used[it] for it in self._slow) if host in self._slow else self._used[host]

    async def _give_back(self, host: str, *, slow: bool) -> None:
        self._slow.discard(host)
        if slow and len(self._slow) < MOST_SLOW:
            self._slow.add(host)
        self._used[host] -= 1
        if not self._used[host]:
            del self._used[host]
        async with self._freed:
            self._freed.notify_all()

"""Shares the attempts that one gateway makes at once among receivers: one that does not answer holds up no other."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class FairSlots:
    """Slots for attempts: a host may use at most as many as it leaves free.

    One host gets at most half of them, two get a third each, and so on: the next host always finds a slot, as long as
    there are fewer hosts than slots.
    """

    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._used: Counter[str] = Counter()
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def use(self, host: str, patience: float) -> AsyncGenerator[bool]:
        """Hold a slot for an attempt at a host; False if it got none within `patience` seconds."""
        granted = await self._take(host, patience)
        try:
            yield granted
        finally:
            if granted:
                await self._give_back(host)

    async def _take(self, host: str, patience: float) -> bool:
        try:
            async with asyncio.timeout(patience), self._freed:
                await self._freed.wait_for(lambda: self._used[host] < self._slots - self._used.total())
                self._used[host] += 1
                return True
        except TimeoutError:
            return False

    async def _give_back(self, host: str) -> None:
        self._used[host] -= 1
        if not self._used[host]:
            del self._used[host]
        async with self._freed:
            self._freed.notify_all()

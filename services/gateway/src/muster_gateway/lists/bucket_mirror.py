"""A bucket's rows kept in memory: brought up to date by reading what was written since, so nothing can be missed."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from muster_bus import Bus, Rows
from muster_bus.rows import WrittenRow

R = TypeVar("R", bound=Struct)

CHECK_SECONDS = 10.0
"""How often it is looked whether rows ran out, or the bucket was made anew: neither shows in what was written."""


class Mirror(Generic[R]):
    """What a bucket holds, by key. It needs no watcher on the server, and a lost connection costs it nothing."""

    def __init__(self, bus: Bus, bucket: str, kind: type[R]) -> None:
        self._rows = Rows(bus, bucket, kind)
        self._known: dict[str, WrittenRow[R]] = {}
        self._checked_at = time.monotonic()
        self._lock = asyncio.Lock()
        self.sequence = 0
        """Everything written up to here is in it."""
        bus.on_reconnect(self._doubt)

    async def read(self) -> Mapping[str, WrittenRow[R]]:
        """Return what is there now, what was removed with no row; it is not a copy.

        Raises:
            BusError, NatsError, TimeoutError: it cannot be read now.
        """
        async with self._lock:
            await self._read()
            if time.monotonic() - self._checked_at > CHECK_SECONDS:
                await self._check()
        return self._known

    async def _read(self) -> None:
        async for written in self._rows.written_after(self.sequence):
            self._known[written.key] = written
            self.sequence = written.sequence

    def _doubt(self) -> None:
        """Check at the next look: another server may have taken the place of the one that was lost."""
        self._checked_at = -CHECK_SECONDS

    async def _check(self) -> None:
        """Read all of it again if it holds anything else than was read."""
        kept = await self._rows.state()
        if kept.last < self.sequence or (kept.last == self.sequence and kept.keys != len(self._known)):
            found = [written async for written in self._rows.written_after(0)]
            self._known = reuse_equal(self._known, found)
            self.sequence = found[-1].sequence if found else 0
        self._checked_at = time.monotonic()


def reuse_equal(before: Mapping[str, WrittenRow[R]], now: Iterable[WrittenRow[R]]) -> dict[str, WrittenRow[R]]:
    """Return what there is now by key; what was there before as the same object, so that it does not count as changed.

    Pure.
    """
    return {one.key: before[one.key] if before.get(one.key) == one else one for one in now}

"""Mirrors a bucket's rows in memory by reading everything written since the last read, so no change is missed."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Generic, TypeVar

from msgspec import Struct

from muster_bus import Bus, Rows
from muster_bus.rows import WrittenRow

R = TypeVar("R", bound=Struct)

CHECK_SECONDS = 10.0
"""Interval of checks for expired rows and a recreated bucket, which new writes do not show."""


class Mirror(Generic[R]):
    """The rows of a bucket by key. Needs no watcher on the server and survives lost connections."""

    def __init__(self, bus: Bus, bucket: str, kind: type[R]) -> None:
        self._rows = Rows(bus, bucket, kind)
        self._known: dict[str, WrittenRow[R]] = {}
        self._checked_at = time.monotonic()
        self._created: datetime | None = None
        self._lock = asyncio.Lock()
        self.sequence = 0
        """Sequence up to which writes were read."""
        bus.on_reconnect(self._force_check)

    async def read(self) -> Mapping[str, WrittenRow[R]]:
        """Return the current rows, not a copy; a removed key has no row.

        Raises:
            BusError, NatsError, TimeoutError: the bucket cannot be read now.
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

    def _force_check(self) -> None:
        """Check at the next read, since another server may have replaced the lost one."""
        self._checked_at = -CHECK_SECONDS

    async def _check(self) -> None:
        """Read the whole bucket again if its state differs from what was read."""
        kept = await self._rows.state()
        before, self._created = self._created, kept.created
        made_again = before not in (None, kept.created)
        if made_again or kept.last < self.sequence or (kept.last == self.sequence and kept.keys != len(self._known)):
            found = [written async for written in self._rows.written_after(0)]
            self._known = _reuse_equal(self._known, found)
            self.sequence = found[-1].sequence if found else 0
        self._checked_at = time.monotonic()


def _reuse_equal(before: Mapping[str, WrittenRow[R]], now: Iterable[WrittenRow[R]]) -> dict[str, WrittenRow[R]]:
    """Return the rows by key, with the earlier object for each unchanged row, so that it does not count as changed.

    Pure.
    """
    return {one.key: before[one.key] if before.get(one.key) == one else one for one in now}

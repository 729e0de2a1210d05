"""Which host has which session: rows in the SESSIONS bucket, claimed and kept by compare-and-set."""

import asyncio
import contextlib
import time
from typing import NamedTuple

import structlog
from msgspec.structs import replace
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from muster_bus import Bus, Rows
from muster_protocol.errors import BusError
from muster_protocol.sessions import SessionRow

log = structlog.get_logger("muster.sessions")

ATTEMPTS = 5
PING_SECONDS = 1.0
PING_TRIES = 3
PING_PAUSE_SECONDS = 0.2
READY_SECONDS = 5.0
READY_LOOK_SECONDS = 0.1
SILENT_BEATS = 12
"""Heartbeats without a word after which a session of a host that is not there is forgotten."""


class _Lease(NamedTuple):
    row: SessionRow
    revision: int
    at: float
    """When it was stored at the latest, by this process's clock, which goes on while it is stopped."""


def is_live(row: SessionRow, now: float, heartbeat: float) -> bool:
    """Return whether a session's host has said lately (three heartbeats) that it is there; times in Unix seconds."""
    return now - row.seen_at < 3 * heartbeat


class Leases:
    """The sessions this host may run: it is the only one as long as its row is the one in the bucket."""

    def __init__(self, bus: Bus, host: str, heartbeat: float) -> None:
        self._bus, self._host, self._heartbeat = bus, host, heartbeat
        self._rows = Rows(bus, "SESSIONS", SessionRow)
        self._held: dict[str, _Lease] = {}
        self._swept = time.monotonic()

    async def look(self) -> None:
        """Look whether the bucket is there: one that is missing is told by /readyz before a session is asked for.

        Raises:
            TimeoutError, nats.errors.Error: NATS did not answer, or it is missing.
        """
        await self._rows.state()

    async def find(self, key: str) -> SessionRow | None:
        """Return the row of a session that another host keeps alive."""
        row = await self._rows.get(key)
        return row if row is not None and self._is_others(row) else None

    async def home(self, key: str) -> str:
        """Return the other host that has a session, or ""; the row of a session that nobody has is removed."""
        found = await self._rows.entry(key)
        if found is None:
            return ""
        if found[0].host != self._host and not await self.is_gone(found[0].host):
            return found[0].host
        await self._rows.remove(key, found[1])
        return ""

    async def claim(self, key: str, row: SessionRow, *, lost: bool) -> SessionRow:
        """Make the session this host's, unless another live host has it; return the row that counts.

        With `lost` the asker could not reach the other host, so it is asked whether it is there.

        Raises:
            BusError: others kept changing the row.
        """
        for _ in range(ATTEMPTS):
            found = await self._rows.entry(key)
            asked = time.monotonic()
            if found is None:
                stored = await self._create(key, row)
            elif self._is_others(found[0]) and not (lost and await self.is_gone(found[0].host)):
                return found[0]
            else:
                stored = await self._rows.update(key, row, found[1])
            if stored is not None:
                self._held[key] = _Lease(row, stored, asked)
                return row
        raise BusError(f"the row of session {key} kept changing")

    async def ready(self, row: SessionRow) -> SessionRow:
        """Return the row of a session that another host has just begun to open, once it is open; a bounded wait."""
        found: SessionRow | None = row
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                while found is not None and not found.capabilities and self._is_others(found):
                    await asyncio.sleep(READY_LOOK_SECONDS)
                    found = await self._rows.get(f"{row.run}.{row.name}")
        return found or row

    def doubtful(self, key: str) -> bool:
        """Return whether this host has not said for so long that the session lives that others may soon open it."""
        lease = self._held.get(key)
        return lease is None or time.monotonic() - lease.at > 2 * self._heartbeat

    async def renew(self, key: str, ready: SessionRow | None = None) -> bool:
        """Say that the session lives, and what is known of it now; False if it is another host's by now.

        Raises:
            TimeoutError, nats.errors.Error: NATS did not answer; it may be tried again.
        """
        lease = self._held.get(key)
        if lease is None:
            return False
        row, asked = replace(ready or lease.row, seen_at=self._bus.clock.now()), time.monotonic()
        revision = await self._rows.update(key, row, lease.revision)
        if revision is None:
            revision = await self._found_again(key, row)
        if revision is None:
            self._held.pop(key, None)
            return False
        if key in self._held:  # or it was released meanwhile
            self._held[key] = _Lease(row, revision, asked)
        return True

    async def release(self, key: str) -> None:
        """Take the session's row away, if it is still this host's."""
        lease = self._held.pop(key, None)
        stored = await self._rows.entry(key) if lease else None
        if lease and stored and _is_same(stored[0], lease.row):
            await self._rows.remove(key, stored[1])

    async def forget_the_dead(self) -> int:
        """Remove the rows of sessions whose host is gone, at most every twelve heartbeats; return how many.

        A session that is still wanted is opened anew with or without its row.

        Raises:
            BusError, TimeoutError, nats.errors.Error: NATS did not answer; it may be tried again.
        """
        if time.monotonic() - self._swept < SILENT_BEATS * self._heartbeat:
            return 0
        self._swept = time.monotonic()
        since = self._bus.clock.now() - SILENT_BEATS * self._heartbeat
        silent = [row for row in await self._rows.all() if row.seen_at < since and _key(row) not in self._held]
        hosts = {row.host for row in silent}  # this one's own id: from an earlier life
        gone = {host for host in hosts if host == self._host or await self.is_gone(host)}
        return sum([await self._forget(row) for row in silent if row.host in gone])

    async def _found_again(self, key: str, row: SessionRow) -> int | None:
        """Return the revision of a row that is not as this host left it, if the session is still this host's.

        The row of a host that was cut off for long may have been forgotten: it is made again if nobody has claimed it.
        """
        stored = await self._rows.entry(key)
        if stored is not None:  # perhaps an earlier renewal was stored, and only its answer was lost
            return stored[1] if _is_same(stored[0], row) else None
        lease = self._held.get(key)
        if lease is None or time.monotonic() - lease.at < SILENT_BEATS * self._heartbeat:
            return None  # it was not forgotten: somebody has closed the session
        return await self._create(key, row)

    async def _forget(self, row: SessionRow) -> bool:
        found = await self._rows.entry(_key(row))
        return found is not None and found[0] == row and await self._rows.remove(_key(row), found[1])

    async def _create(self, key: str, row: SessionRow) -> int | None:
        if not await self._rows.create(key, row):
            return None
        stored = await self._rows.entry(key)
        return stored[1] if stored and _is_same(stored[0], row) else None

    def _is_others(self, row: SessionRow) -> bool:
        return row.host != self._host and is_live(row, self._bus.clock.now(), self._heartbeat)

    async def is_gone(self, host: str) -> bool:
        """Return whether it is certain that nobody listens under a host's name."""
        return await self.is_there(host) is False

    async def is_there(self, host: str) -> bool | None:
        """Return whether somebody answers under a host's name; None: that cannot be told, as NATS or it is silent.

        Where nobody listens, it is asked for again after a moment: it may be reconnecting.
        """
        for _ in range(PING_TRIES):
            try:
                await self._bus.nc.request(self._bus.names.session_host(host), b"", timeout=PING_SECONDS)
            except NoRespondersError:
                await asyncio.sleep(PING_PAUSE_SECONDS)
            except (NatsError, TimeoutError):
                return None
            else:
                return True
        return False


def _key(row: SessionRow) -> str:
    return f"{row.run}.{row.name}"


def _is_same(one: SessionRow, other: SessionRow) -> bool:
    return (one.host, one.opened_at) == (other.host, other.opened_at)

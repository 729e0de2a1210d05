"""Which host has which session: rows in the SESSIONS bucket, claimed and renewed by compare-and-set."""

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
READY_POLL_SECONDS = 0.1
SILENT_BEATS = 12
"""Missed heartbeats after which the row of a session is removed if its host is gone."""


class _Lease(NamedTuple):
    row: SessionRow
    revision: int
    at: float
    """When the last renewal was sent, in monotonic seconds; this clock also runs while the process is stopped."""


def is_live(row: SessionRow, now: float, heartbeat: float) -> bool:
    """Return whether the session's lease was renewed within three heartbeats; `now` in Unix seconds."""
    return now - row.seen_at < 3 * heartbeat


class Leases:
    """The leases of this host's sessions. A host may run a session as long as the row in the bucket is its own."""

    def __init__(self, bus: Bus, host: str, heartbeat: float) -> None:
        self._bus, self._host, self._heartbeat = bus, host, heartbeat
        self._rows = Rows(bus, "SESSIONS", SessionRow)
        self._held: dict[str, _Lease] = {}
        self._swept = time.monotonic()

    async def check_bucket(self) -> None:
        """Check that the bucket exists, so that /readyz reports a missing one before a session is requested.

        Raises:
            TimeoutError, nats.errors.Error: NATS did not answer, or the bucket is missing.
        """
        await self._rows.state()

    async def find(self, key: str) -> SessionRow | None:
        """Return the row of a session that another live host has; None if there is none."""
        row = await self._rows.get(key)
        return row if row is not None and self._is_held_elsewhere(row) else None

    async def find_host(self, key: str) -> str:
        """Return the other host that has a session, or ""; remove the row if its host is gone or is this one."""
        found = await self._rows.entry(key)
        if found is None:
            return ""
        if found[0].host != self._host and not await self.is_gone(found[0].host):
            return found[0].host
        await self._rows.remove(key, found[1])
        return ""

    async def claim(self, key: str, row: SessionRow, *, lost: bool) -> SessionRow:
        """Claim a session for this host, unless another live host has it; return the row of the host that has it now.

        With `lost`, the caller could not reach the other host: its claim is overridden if no host answers a ping there.

        Raises:
            BusError: other hosts kept changing the row.
        """
        for _ in range(ATTEMPTS):
            found = await self._rows.entry(key)
            asked = time.monotonic()
            if found is None:
                stored = await self._create(key, row)
            elif self._is_held_elsewhere(found[0]) and not (lost and await self.is_gone(found[0].host)):
                return found[0]
            else:
                stored = await self._rows.update(key, row, found[1])
            if stored is not None:
                self._held[key] = _Lease(row, stored, asked)
                return row
        raise BusError(f"the row of session {key} kept changing")

    async def wait_until_ready(self, row: SessionRow) -> SessionRow | None:
        """Wait up to 5 s until another host has opened a session, and return its row; None if it has not by then."""
        found: SessionRow | None = row
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                while found is not None and not found.capabilities and self._is_held_elsewhere(found):
                    await asyncio.sleep(READY_POLL_SECONDS)
                    found = await self._rows.get(f"{row.run}.{row.name}")
        return found if found is not None and found.capabilities else None

    def is_in_doubt(self, key: str) -> bool:
        """Return whether the last renewal is so old (two heartbeats) that another host may soon claim the session."""
        lease = self._held.get(key)
        return lease is None or time.monotonic() - lease.at > 2 * self._heartbeat

    async def renew(self, key: str, ready: SessionRow | None = None) -> bool:
        """Renew a lease, with the row `ready` if it changed; return False if this host has lost the session.

        Raises:
            TimeoutError, nats.errors.Error: NATS did not answer; the call can be repeated.
        """
        lease = self._held.get(key)
        if lease is None:
            return False
        row, asked = replace(ready or lease.row, seen_at=self._bus.clock.now()), time.monotonic()
        revision = await self._rows.update(key, row, lease.revision)
        if revision is None:
            revision = await self._recover_row(key, row)
        if revision is None:
            self._held.pop(key, None)
            return False
        if key in self._held:  # or it was released meanwhile
            self._held[key] = _Lease(row, revision, asked)
        return True

    async def release(self, key: str) -> None:
        """Remove the session's row if it is still this host's."""
        lease = self._held.pop(key, None)
        stored = await self._rows.entry(key) if lease else None
        if lease and stored and _is_same(stored[0], lease.row):
            await self._rows.remove(key, stored[1])

    async def remove_dead_rows(self) -> int:
        """Remove the rows of sessions whose host is gone, at most every twelve heartbeats; return how many.

        This loses nothing: a run reopens a lost session with or without its row.

        Raises:
            BusError, TimeoutError, nats.errors.Error: NATS did not answer; the call can be repeated.
        """
        if time.monotonic() - self._swept < SILENT_BEATS * self._heartbeat:
            return 0
        self._swept = time.monotonic()
        since = self._bus.clock.now() - SILENT_BEATS * self._heartbeat
        silent = [row for row in await self._rows.all() if row.seen_at < since and _key(row) not in self._held]
        hosts = {row.host for row in silent}  # rows with this host's own id are from before its restart
        gone = {host for host in hosts if host == self._host or await self.is_gone(host)}
        return sum([await self._remove_unchanged(row) for row in silent if row.host in gone])

    async def _recover_row(self, key: str, row: SessionRow) -> int | None:
        """Return the revision of this host's row after a failed renewal; None if the session is no longer this host's.

        While this host was cut off, another one may have removed the row: create it again if nobody has claimed it.
        """
        stored = await self._rows.entry(key)
        if stored is not None:  # an earlier renewal may have been stored although its reply was lost
            return stored[1] if _is_same(stored[0], row) else None
        lease = self._held.get(key)
        if lease is None or time.monotonic() - lease.at < SILENT_BEATS * self._heartbeat:
            return None  # too early for the removal of silent rows, so the session was closed
        return await self._create(key, row)

    async def _remove_unchanged(self, row: SessionRow) -> bool:
        found = await self._rows.entry(_key(row))
        return found is not None and found[0] == row and await self._rows.remove(_key(row), found[1])

    async def _create(self, key: str, row: SessionRow) -> int | None:
        if not await self._rows.create(key, row):
            return None
        stored = await self._rows.entry(key)
        return stored[1] if stored and _is_same(stored[0], row) else None

    def _is_held_elsewhere(self, row: SessionRow) -> bool:
        return row.host != self._host and is_live(row, self._bus.clock.now(), self._heartbeat)

    async def is_gone(self, host: str) -> bool:
        """Return whether it is certain that no host answers under this id."""
        return await self.is_answering(host) is False

    async def is_answering(self, host: str) -> bool | None:
        """Return whether a host answers a ping under this id; None if that is unknown, as NATS or the host is silent.

        If nobody listens, try again a few times: the host may be reconnecting.
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

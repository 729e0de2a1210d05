"""The rows of the list as they change, for live lists: one look at the bus every half second, shared by all clients."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import structlog
from nats.errors import Error as NatsError

from muster_gateway.lists.run_list import Listing
from muster_protocol import codec
from muster_protocol.errors import BusError
from muster_protocol.logs import RunRow

log = structlog.get_logger("muster.gateway")

PAUSE_SECONDS = 0.5
"""Between two looks; so a run has at most two changes a second."""


class Client:
    """One client: holds the newest row of each run that was not sent yet, so that a slow client costs no memory."""

    def __init__(self, sequence: int = 0) -> None:
        self.sequence = sequence
        """How far the bucket of rows was read for what is waiting."""
        self._waiting: dict[str, bytes] = {}
        self._there = asyncio.Event()

    def offer(self, frames: dict[str, bytes], sequence: int) -> None:
        """Have these sent next, each in place of one of the same run."""
        self._waiting |= frames
        self.sequence = sequence
        self._there.set()

    async def next(self, seconds: float) -> list[bytes]:
        """Return what is to be sent now, waiting for it a while; empty if there is nothing."""
        try:
            async with asyncio.timeout(seconds):
                await self._there.wait()
        except TimeoutError:
            return []
        self._there.clear()
        frames, self._waiting = self._waiting, {}
        return list(frames.values())


class Changes:
    """Reads the list while there are clients, and gives all of them the changed rows."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._clients: set[Client] = set()
        self._known: dict[str, RunRow] | None = None
        self._looking: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def client(self, after: int = 0) -> AsyncGenerator[Client]:
        """Tell the client of the block what changes from now on, or what was written after a sequence of the bucket.

        Raises:
            BusError, NatsError, TimeoutError: the list cannot be read now.
        """
        await self._look()  # what has changed before is none of its business
        client = Client(self._listing.sequence)
        if after:
            missed = await self._listing.written_after(after)
            client.offer({row.run: frame(row) for row in missed}, client.sequence)
        self._clients.add(client)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._keep_looking())
        try:
            yield client
        finally:
            self._clients.discard(client)

    async def _keep_looking(self) -> None:
        while self._clients:
            await asyncio.sleep(PAUSE_SECONDS)
            try:
                await self._look()
            except (BusError, NatsError, TimeoutError) as error:
                log.warning("cannot read the run list; trying again", error=repr(error))

    async def _look(self) -> None:
        rows = {row.run: row for row in await self._listing.all()}
        before, self._known = self._known, rows
        changed = {} if before is None else changed_rows(before.get, rows)
        if changed:
            frames, sequence = {run: frame(row) for run, row in changed.items()}, self._listing.sequence
            for client in self._clients:
                client.offer(frames, sequence)


def changed_rows(before: Callable[[str], RunRow | None], rows: dict[str, RunRow]) -> dict[str, RunRow]:
    """Return the rows that are new or not the same object as before. Pure."""
    return {run: row for run, row in rows.items() if before(run) is not row}


def frame(row: RunRow) -> bytes:
    """Return a row as the event that clients get. Pure."""
    return b"event: row\ndata: " + codec.encode(row) + b"\n"

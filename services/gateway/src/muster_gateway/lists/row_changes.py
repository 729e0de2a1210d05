"""Sends changed rows of the run list to live clients; one poll of the bus every half second serves all of them."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import structlog

from muster_bus.faults import Rounds
from muster_gateway.lists.run_list import Listing
from muster_protocol import codec
from muster_protocol.logs import RunRow

log = structlog.get_logger("muster.gateway")

PAUSE_SECONDS = 0.5
"""Seconds between polls; limits each run to two changes a second."""


class Client:
    """One client: keeps only the newest unsent row of each run, so that a slow client costs no memory."""

    def __init__(self, sequence: int = 0) -> None:
        self.sequence = sequence
        """Sequence in the bucket up to which changes were offered."""
        self._waiting: dict[str, bytes] = {}
        self._there = asyncio.Event()

    def offer(self, frames: dict[str, bytes], sequence: int) -> None:
        """Queue events, each replacing an unsent one of the same run."""
        self._waiting |= frames
        self.sequence = sequence
        self._there.set()

    async def next(self, seconds: float) -> list[bytes]:
        """Wait up to `seconds` for events; return them, or an empty list."""
        try:
            async with asyncio.timeout(seconds):
                await self._there.wait()
        except TimeoutError:
            return []
        self._there.clear()
        frames, self._waiting = self._waiting, {}
        return list(frames.values())


class Changes:
    """Polls the list while there are clients, and sends them the changed rows."""

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._clients: set[Client] = set()
        self._known: dict[str, RunRow] | None = None
        self._polling: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def client(self, after: int = 0) -> AsyncGenerator[Client]:
        """Send changes from now on, or since sequence `after` of the bucket, to the client in the block.

        A sequence that the bucket has not reached is of an earlier one: the client gets all rows.

        Raises:
            BusError, NatsError, TimeoutError: the list cannot be read now.
        """
        await self._poll()  # earlier changes are not for this client
        client = Client(self._listing.sequence)
        if after:
            missed = await self._listing.written_after(after if after <= client.sequence else 0)
            client.offer({row.run: frame(row) for row in missed}, client.sequence)
        self._clients.add(client)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.create_task(self._keep_polling())
        try:
            yield client
        finally:
            self._clients.discard(client)

    async def _keep_polling(self) -> None:
        rounds = Rounds("run list")
        while self._clients:
            await asyncio.sleep(PAUSE_SECONDS)
            with rounds.outlast():
                await self._poll()

    async def _poll(self) -> None:
        rows = {row.run: row for row in await self._listing.all()}
        before, self._known = self._known, rows
        changed = {} if before is None else _changed_rows(before.get, rows)
        if changed:
            frames, sequence = {run: frame(row) for run, row in changed.items()}, self._listing.sequence
            for client in self._clients:
                client.offer(frames, sequence)


def _changed_rows(before: Callable[[str], RunRow | None], rows: dict[str, RunRow]) -> dict[str, RunRow]:
    """Return the rows that are new or another object than before. Pure."""
    return {run: row for run, row in rows.items() if before(run) is not row}


def frame(row: RunRow) -> bytes:
    """Return a row as a server-sent event. Pure."""
    return b"event: row\ndata: " + codec.encode(row) + b"\n"

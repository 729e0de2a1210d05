"""Rows: key-value buckets that hold one type each."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Generic, NamedTuple, TypeVar

import msgspec
import structlog
from msgspec import Struct
from nats.js.errors import BadRequestError, KeyNotFoundError, KeyWrongLastSequenceError
from nats.js.kv import KeyValue

from muster_bus.bus import Bus
from muster_bus.stored_messages import replay, replay_bucket
from muster_protocol import codec

log = structlog.get_logger("muster.bus")
R = TypeVar("R", bound=Struct)


class WrittenRow(NamedTuple, Generic[R]):
    """The newest version of a key; no row if it was removed or cannot be read."""

    sequence: int
    key: str
    row: R | None


class BucketState(NamedTuple):
    """When a bucket was made, the sequence of its last write, and its number of keys."""

    created: datetime | None
    last: int
    keys: int


class Rows(Generic[R]):
    """The rows of one type in a bucket: all of it, or the keys that begin with `under`, which callers leave out."""

    def __init__(self, bus: Bus, bucket: str, kind: type[R], under: str = "") -> None:
        self._bus, self._kind, self._under = bus, kind, under
        self._bucket = bus.names.bucket(bucket)
        self._kv: KeyValue | None = None
        self._lock = asyncio.Lock()

    async def get(self, key: str) -> R | None:
        """Return the row, or None."""
        found = await self.entry(key)
        return found[0] if found else None

    async def entry(self, key: str) -> tuple[R, int] | None:
        """Return the row and its revision, or None if there is none that can be read."""
        async with self._open() as bucket:
            try:
                found = await bucket.get(self._under + key)
            except KeyNotFoundError:
                return None
        row = self._decode(key, found.value or b"")
        return (row, found.revision or 0) if row is not None else None

    async def create(self, key: str, row: R) -> bool:
        """Create the row; False if it exists."""
        try:
            async with self._open() as bucket:
                await bucket.create(self._under + key, codec.encode(row))
        except KeyWrongLastSequenceError:
            return False
        return True

    async def put(self, key: str, row: R) -> int:
        """Write the row, replacing any; return its revision."""
        async with self._open() as bucket:
            return await bucket.put(self._under + key, codec.encode(row))

    async def update(self, key: str, row: R, revision: int) -> int | None:
        """Write the row if its revision is still `revision` (0: no row yet); return the new one, else None."""
        try:
            async with self._open() as bucket:
                return await bucket.update(self._under + key, codec.encode(row), last=revision)
        except (KeyWrongLastSequenceError, BadRequestError):
            return None

    async def delete(self, key: str) -> None:
        """Remove the row; no error if there is none."""
        async with self._open() as bucket:
            await bucket.delete(self._under + key)

    async def remove(self, key: str, revision: int) -> bool:
        """Remove the row if its revision is still `revision`; return whether it was removed."""
        try:
            async with self._open() as bucket:
                return await bucket.delete(self._under + key, last=revision)
        except (KeyWrongLastSequenceError, BadRequestError):
            return False

    async def all(self) -> list[R]:
        """Return every readable row, in the order they were last written."""
        subject = f"$KV.{self._bucket}.{self._under}>"
        with self._bus.track_bucket(self._bucket):
            stored = [message async for message in replay(self._bus, f"KV_{self._bucket}", subject)]
        rows = (self._decode(message.subject, message.data) for message in stored)
        return [row for row in rows if row is not None]

    async def written_after(self, after: int) -> AsyncGenerator[WrittenRow[R]]:
        """Yield the newest version of each key written above sequence `after`, in order, including removals."""
        with self._bus.track_bucket(self._bucket):
            async for message in replay_bucket(self._bus, self._bucket, after):
                key = message.subject.removeprefix(f"$KV.{self._bucket}.")
                if not key.startswith(self._under):
                    continue
                key = key.removeprefix(self._under)
                yield WrittenRow(message.seq, key, self._decode(key, message.data) if message.data else None)

    async def state(self) -> BucketState:
        """Return when the bucket was made, its last write, and its number of keys, including removed ones."""
        with self._bus.track_bucket(self._bucket):
            found = await self._bus.js.stream_info(f"KV_{self._bucket}")
        state = found.state
        return BucketState(found.created, state.last_seq, state.messages)

    @asynccontextmanager
    async def _open(self) -> AsyncGenerator[KeyValue]:
        with self._bus.track_bucket(self._bucket):
            async with self._lock:
                if self._kv is None:
                    self._kv = await self._bus.js.key_value(self._bucket)
            yield self._kv

    def _decode(self, key: str, data: bytes) -> R | None:
        try:
            return codec.decode(data, self._kind)
        except msgspec.DecodeError as error:
            log.warning("unreadable row ignored", bucket=self._bucket, key=key, error=str(error))
            return None

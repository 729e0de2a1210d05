"""Snapshots of runs in their bucket: a small one is one message, a large one is compressed and lies in parts."""

import asyncio
import hashlib
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Literal

import msgspec
import structlog
from msgspec import Raw, Struct

from muster_bus import Bus, Rows
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_orchestrator.machine import EVENTS_VERSION, Run
from muster_protocol import codec

log = structlog.get_logger("muster.orchestrator")

WHOLE_BYTES = 100_000
"""A run of at most so many bytes is stored as it is."""
MARGIN_BYTES = 4096
"""Of a message, for its subject, its headers and what stands around the data."""
Slot = Literal["a", "b"]


class Snapshot(Struct, frozen=True, kw_only=True):
    """The fold of a run's log up to a sequence; `shape` is the `run_schema_digest` of the version that wrote it."""

    sequence: int
    shape: str
    run: Run
    size: int = 0
    """Bytes of the log up to that sequence."""


class _Head(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lies under the run's id: a snapshot whose run is not decoded yet, or where its parts are."""

    sequence: int
    shape: str = ""
    run: Raw = Raw(b"null")
    size: int = 0
    slot: Slot | None = None
    """Where the parts lie; None: `run` is all of it."""
    parts: int = 0
    sha256: str = ""
    """Of the parts together."""


class _Part(Struct, frozen=True):
    data: bytes


@cache
def run_schema_digest() -> str:
    """Return a digest of the schema of `Run` and of EVENTS_VERSION; snapshots with another digest are ignored."""
    schema = msgspec.json.encode(msgspec.json.schema(Run), order="sorted")
    return hashlib.sha256(b"%d %s" % (EVENTS_VERSION, schema)).hexdigest()[:16]


def build_snapshot(run: Run, sequence: int, size: int = 0) -> Snapshot:
    """Return the snapshot of a run whose newest entry has the sequence. Pure."""
    return Snapshot(sequence=sequence, shape=run_schema_digest(), run=run, size=size)


class SnapshotWriter:
    """Writes the snapshots of one run, whatever its size.

    Parts are written beside those of the snapshot before, and count once the head names them: whenever a writer dies,
    there is a whole snapshot.
    """

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._heads, self._parts = Rows(bus, "SNAPSHOTS", _Head), Rows(bus, "SNAPSHOTS", _Part)
        self._slot: Slot | None = None
        """Where the newest parts lie; None: not known yet."""

    async def write(self, run: str, snapshot: Snapshot) -> None:
        """Write a snapshot in place of the one before.

        Raises:
            BusError, NatsError, TimeoutError: the one before is still in force.
        """
        head = _Head(sequence=snapshot.sequence, shape=snapshot.shape, size=snapshot.size)
        data = codec.encode(snapshot.run)
        if len(data) <= min(WHOLE_BYTES, self._bus.nc.max_payload - MARGIN_BYTES):
            await self._heads.put(run, msgspec.structs.replace(head, run=Raw(data)))
            return
        packed = await asyncio.to_thread(zlib.compress, data, 1)
        slot = await self._other_slot(run)
        parts = _cut(packed, self._bus.nc.max_payload)
        for number, part in enumerate(parts):
            await self._parts.put(_part_key(run, slot, number), _Part(part))
        digest = hashlib.sha256(packed).hexdigest()
        await self._heads.put(run, msgspec.structs.replace(head, slot=slot, parts=len(parts), sha256=digest))
        self._slot = slot

    async def _other_slot(self, run: str) -> Slot:
        if self._slot is None:  # an earlier owner may have written parts that are still in force
            head = await self._heads.get(run)
            self._slot = head.slot if head is not None and head.slot else "b"
        return "a" if self._slot == "b" else "b"


async def read_snapshot(bus: Bus, run: str) -> Snapshot | None:
    """Return a run's snapshot, or None if there is none that this version can use."""
    try:
        head = await Rows(bus, "SNAPSHOTS", _Head).get(run)
        if head is None:
            return None
        if head.shape != run_schema_digest():
            log.warning("snapshot written by another version; ignored", run=run, shape=head.shape or "none")
            return None
        data = await _read_parts(bus, run, head) if head.slot else bytes(head.run)
        if data is None:
            log.warning("incomplete snapshot ignored", run=run, parts=head.parts)
            return None
        return Snapshot(sequence=head.sequence, shape=head.shape, run=codec.decode(data, Run), size=head.size)
    except (msgspec.DecodeError, *BUS_ERRORS) as error:
        log.warning("unreadable snapshot ignored", run=run, error=describe_error(error))
        return None


async def _read_parts(bus: Bus, run: str, head: _Head) -> bytes | None:
    """Return the run that lies in parts; None if one is missing or is not of this snapshot."""
    rows, packed = Rows(bus, "SNAPSHOTS", _Part), bytearray()
    for number in range(head.parts):
        part = await rows.get(_part_key(run, head.slot or "a", number))
        packed += part.data if part is not None else b""
    if hashlib.sha256(packed).hexdigest() != head.sha256:
        return None
    return await asyncio.to_thread(zlib.decompress, packed)


def _part_key(run: str, slot: Slot, number: int) -> str:
    return f"{run}.{slot}{number}"


def _cut(data: bytes, most: int) -> Sequence[bytes]:
    """Return data in pieces that each fit into a message of so many bytes, in which three bytes take four."""
    length = (most - MARGIN_BYTES) // 4 * 3
    return [data[at : at + length] for at in range(0, len(data), length)]

"""Backs up and restores streams by the server's snapshots: consistent for each stream, while the fleet works."""

import os
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import IO, Any

import msgspec
from nats.aio.msg import Msg

from muster_bus import Bus
from muster_bus.streams import stream_names
from muster_protocol import codec
from muster_protocol.errors import BusError

CHUNK = 512 * 1024
"""Bytes of a snapshot in one message."""
PATIENCE = 60.0
"""Timeout in seconds for the server's next message."""
FIRST = ("TASKS", "REQUESTS", "RUNS", "JOURNAL")
"""Streams in the order of their backup: if a later one is ahead of an earlier one, a fleet catches up by itself."""


class Snapshot(msgspec.Struct, frozen=True):
    """Configuration and state of a stream, as the server sends them with a snapshot and expects them for a restore."""

    config: dict[str, Any]
    state: dict[str, Any]


class _Answer(msgspec.Struct):
    config: dict[str, Any] = {}
    state: dict[str, Any] = {}
    deliver_subject: str = ""
    error: dict[str, Any] = {}


def list_streams(bus: Bus) -> list[str]:
    """Return the server's names of all streams of a fleet, in the order in which they are saved."""
    first = [bus.names.stream(name) for name in FIRST]
    return [*first, *(name for name in stream_names(bus.names) if name not in first)]


async def present_streams(bus: Bus) -> list[str]:
    """Return those of a fleet's streams that the server has."""
    present = {info.config.name for info in await bus.js.streams_info()}
    return [name for name in list_streams(bus) if name in present]


async def save(bus: Bus, stream: str, folder: Path) -> int:
    """Write a stream to `<stream>.json` and `<stream>.snapshot` and return its number of messages.

    Raises:
        BusError: the server does not send it whole.
    """
    inbox = bus.nc.new_inbox()
    chunks = await bus.nc.subscribe(inbox)
    try:
        asked = {"deliver_subject": inbox, "no_consumers": False, "chunk_size": CHUNK}
        reply = await _request(bus, f"$JS.API.STREAM.SNAPSHOT.{stream}", asked)
        with _private(folder / f"{stream}.snapshot") as file:
            async for chunk in _chunks(bus, chunks, stream):
                file.write(chunk)
    finally:
        await chunks.unsubscribe()
    with _private(folder / f"{stream}.json") as file:
        file.write(codec.encode(Snapshot(reply.config, reply.state)))
    return int(reply.state.get("messages", 0))


def _private(path: Path) -> IO[bytes]:
    """Create a file that only this user can read: backups contain test data and cookies."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb")


async def restore(bus: Bus, stream: str, folder: Path) -> int:
    """Restore a stream from a folder, and return its number of messages; the stream must not exist.

    Raises:
        BusError: the server does not take it, such as one that is there.
    """
    saved = codec.decode((folder / f"{stream}.json").read_bytes(), Snapshot)
    reply = await _request(bus, f"$JS.API.STREAM.RESTORE.{stream}", {"config": saved.config, "state": saved.state})
    with (folder / f"{stream}.snapshot").open("rb") as file:
        while chunk := file.read(CHUNK):
            _require_accepted(stream, await bus.nc.request(reply.deliver_subject, chunk, timeout=PATIENCE))
    _require_accepted(stream, await bus.nc.request(reply.deliver_subject, b"", timeout=PATIENCE))
    return int(saved.state.get("messages", 0))


async def _chunks(bus: Bus, chunks: Any, stream: str) -> AsyncGenerator[bytes]:  # noqa: ANN401 - nats-py's
    while True:
        try:
            message: Msg = await chunks.next_msg(timeout=PATIENCE)
        except TimeoutError as error:
            raise BusError(f"the snapshot of {stream} broke off: the server sent nothing for {PATIENCE:g} s") from error
        if not message.data:
            status = (message.headers or {}).get("Status", "")
            if status and status != "204":
                raise BusError(f"the snapshot of {stream} broke off: {message.headers}")
            return
        yield message.data
        if message.reply:
            await bus.nc.publish(message.reply, b"")  # the server sends only so many before it hears of them


async def _request(bus: Bus, subject: str, body: dict[str, Any]) -> _Answer:
    reply = await bus.nc.request(subject, codec.encode(body), timeout=PATIENCE)
    answer = codec.decode(reply.data, _Answer)
    if answer.error:
        raise BusError(f"{subject.rpartition('.')[2]}: {answer.error.get('description', answer.error)}")
    return answer


def _require_accepted(stream: str, reply: Msg) -> None:
    """Raise an error if the server refused a part of a stream."""
    error = codec.decode(reply.data, _Answer).error if reply.data else {}
    if error:
        raise BusError(f"{stream} is not restored: {error.get('description', error)}")

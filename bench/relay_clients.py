"""The WebSocket clients of `relay.py`: as little work as clients can be."""

import asyncio
import base64
import os
import re
import struct
import time
from typing import NamedTuple, cast

STAMP = re.compile(rb'"at":([0-9.]+)')


def stamp(data: bytes) -> float:
    """Return the time (Unix seconds) in the first line of some data; 0 if there is none."""
    found = STAMP.search(data)
    return float(found[1]) if found else 0.0


class Counts(NamedTuple):
    """What all clients have in common."""

    waits: list[float]
    missed: list[int]


class Watcher(asyncio.Protocol):
    """A WebSocket client that counts lines and looks at nothing else but how old the first of a frame is."""

    def __init__(self, path: str, counts: Counts) -> None:
        self.lines = self.frames = 0
        self.live = asyncio.Event()
        self._path, self._counts, self._rest, self._upgraded = path, counts, b"", False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the WebSocket."""
        self.transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (f"GET {self._path} HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade")
        more = (f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", "")
        self.transport.write("\r\n".join(lines + more).encode())

    def data_received(self, data: bytes) -> None:
        """Take every whole frame out of what has come."""
        data = self._rest + data if self._rest else data
        place = 0
        if not self._upgraded:
            place = data.find(b"\r\n\r\n") + 4
            if place < 4:
                self._rest = data
                return
            assert data.startswith(b"HTTP/1.1 101"), data[:200]
            self._upgraded = True
        while (frame := _frame(data, place)) is not None:
            start, end = frame
            self._took(data[start:end], data[place] & 15)
            place = end
        self._rest = data[place:]

    def _took(self, payload: bytes, kind: int) -> None:
        if kind == 9:
            self.transport.write(bytes((0x8A, 0x80 | len(payload), 0, 0, 0, 0)) + payload)
        elif payload.startswith(b'{"lines"'):
            self.lines += payload.count(b'"cursor":')
            self.frames += 1
            if self.frames % 4 == 0:
                self._counts.waits.append(time.time() - stamp(payload[:600]))
        elif payload.startswith(b'{"missed"'):
            missed = int(re.findall(rb'"lines":(\d+)', payload)[0])
            self.lines += missed
            self._counts.missed.append(missed)
        elif payload.startswith(b'{"live"'):
            self.live.set()


def _frame(data: bytes, place: int) -> tuple[int, int] | None:
    """Return where the payload of the frame at a place begins and ends; None if it is not all there."""
    if len(data) < place + 2:
        return None
    size, start = data[place + 1] & 127, place + 2
    if size == 126:
        start += 2
        size = struct.unpack_from("!H", data, place + 2)[0] if len(data) >= start else 0
    elif size == 127:
        start += 8
        size = struct.unpack_from("!Q", data, place + 2)[0] if len(data) >= start else 0
    return (start, start + size) if len(data) >= start + size else None

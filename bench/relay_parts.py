"""The processes of `relay.py`: `python bench/relay_parts.py PART …`, told what to do by lines of JSON on stdin.

`publish` stores log lines, `hear` is the floor that only subscribes, `serve` the floor that only writes frames to
WebSockets, `watch` is all clients.
"""

import asyncio
import base64
import os
import re
import socket
import struct
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, cast

import msgspec
import uvicorn
import uvloop
from fleets import quantile
from nats.aio.client import Client
from nats.aio.msg import Msg

from muster_gateway.web.server import Sockets
from muster_protocol import codec
from muster_protocol.logs import LogRecord

SEEN = "bench.seen"
"""Subject on which it is told how many lines the slowest client has."""
AT = re.compile(rb'"at":([0-9.]+)')
IMPLEMENTATIONS: dict[str, Any] = {"muster": Sockets, "sansio": "websockets-sansio"}


class Ask(msgspec.Struct, frozen=True):
    """What a part is to do; each uses what it needs."""

    rate: float = 0.0
    """Lines a second; 0: as fast as they are taken."""
    window: int = 2000
    """Lines that may be on their way."""
    seconds: float = 0.0
    lines: int = 1
    """In a frame."""


class Answer(msgspec.Struct, frozen=True):
    """What came of it."""

    lines: int = 0
    """Stored, or taken (or told as missed) by the slowest client."""
    frames: int = 0
    missed: int = 0
    seconds: float = 0.0
    p50: float = 0.0
    p99: float = 0.0
    """Milliseconds from before a line is stored until a client has it."""
    port: int = 0


Part = Callable[[Ask], Awaitable[Answer]]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def record(number: int) -> bytes:
    """Return a log record as workers write them."""
    text = f"[Sub-agent] browser_click(\"Add to cart\", nth={number % 7}) -> the button 'Add to cart' was clicked"
    made = LogRecord(
        run=f"run-{number % 50:04d}",
        source=f"worker-{number % 8:04d}",
        number=number,
        at=time.time(),
        kind="tool_call",
        text=text,
        node="step-3",
        task="run-1.step-3.1",
        tool="browser_click",
        position=3,
        total=20,
        duration_ms=12.5,
    )
    return codec.encode(made)


async def obey(part: Part, ready: Answer) -> None:
    """Do what stdin asks, one line at a time, and answer each on stdout."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    answer = ready
    while True:
        sys.stdout.buffer.write(codec.encode(answer) + b"\n")
        sys.stdout.flush()
        if not (asked := await reader.readline()):
            return
        answer = await part(codec.decode(asked, Ask))


@asynccontextmanager
async def nats(url: str) -> AsyncGenerator[Client]:
    """Connect to NATS."""
    client = Client()
    await client.connect(url)
    try:
        yield client
    finally:
        await client.close()


async def publish(url: str) -> None:
    """Store lines, with no more on their way than the slowest client allows."""
    async with nats(url) as client:
        published = seen = 0

        async def heard(message: Msg) -> None:
            nonlocal seen
            seen = int(message.data)

        await client.subscribe(SEEN, cb=heard)

        async def go(ask: Ask) -> Answer:
            nonlocal published
            begun, before = time.monotonic(), published
            while (passed := time.monotonic() - begun) < ask.seconds:
                due = before + (passed * ask.rate if ask.rate else float("inf"))
                for _ in range(int(min(due - published, ask.window - (published - seen), 50))):
                    published += 1
                    subject = f"muster.logs.run-{published % 50:04d}.worker-{published % 8:04d}"
                    await client.publish(subject, record(published))
                await client.flush() if published % 5000 < 50 else await asyncio.sleep(0.001)
            return Answer(lines=published - before, seconds=time.monotonic() - begun)

        await obey(go, Answer())


async def hear(url: str) -> None:
    """Subscribe to what is stored as nats-py gives it, and count."""
    async with nats(url) as client:
        count, waits = 0, list[float]()

        async def heard(message: Msg) -> None:
            nonlocal count
            count += 1
            if count % 10 == 0:
                waits.append(time.time() - _at(message.data))

        await client.subscribe("muster.live.logs.*.*", cb=heard)
        telling = asyncio.create_task(_tell(client, lambda: count))

        async def report(_: Ask) -> Answer:
            answer = Answer(lines=count, p50=_ms(waits, 0.5), p99=_ms(waits, 0.99))
            waits.clear()
            return answer

        await obey(report, Answer())
        telling.cancel()


def _at(data: bytes) -> float:
    found = AT.search(data)
    return float(found[1]) if found else 0.0


def _ms(waits: list[float], share: float) -> float:
    return quantile(waits, share) * 1000 if waits else 0.0


async def _tell(client: Client, count: Callable[[], int]) -> None:
    while True:
        await client.publish(SEEN, b"%d" % count())
        await asyncio.sleep(0.01)


async def serve(implementation: str) -> None:
    """Write frames of so many lines to every WebSocket client as fast as they are taken, with nothing before it."""
    text, until, sent = "", 0.0, 0

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal sent
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            while time.monotonic() > until:
                await asyncio.sleep(0.01)
            for _ in range(16):
                await send({"type": "websocket.send", "text": text})
                sent += 1
            await asyncio.sleep(0)

    async def go(ask: Ask) -> Answer:
        nonlocal text, until, sent
        lines = b",".join(b'{"cursor":%d,"record":%b}' % (number, record(number)) for number in range(ask.lines))
        text, sent = (b'{"lines":[' + lines + b"]}").decode(), 0
        begun = time.monotonic()
        until = begun + ask.seconds
        await asyncio.sleep(ask.seconds)
        return Answer(frames=sent, lines=sent * ask.lines, seconds=time.monotonic() - begun)

    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    config = uvicorn.Config(
        app,
        ws=IMPLEMENTATIONS.get(implementation, implementation),
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
    )
    serving = asyncio.create_task(uvicorn.Server(config).serve([listening]))
    await obey(go, Answer(port=listening.getsockname()[1]))
    serving.cancel()


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
                self._counts.waits.append(time.time() - _at(payload[:600]))
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


async def watch(url: str, port: int, clients: int, stalled: int, path: str) -> None:
    """Be so many clients, and as many more that read nothing."""
    loop, counts = asyncio.get_running_loop(), Counts([], [])
    watchers = [Watcher(path, counts) for _ in range(clients)]
    for watcher in watchers:
        await loop.create_connection(lambda one=watcher: one, "127.0.0.1", port)
    for _ in range(stalled):
        transport, _ = await loop.create_connection(lambda: Watcher(path, counts), "127.0.0.1", port)
        await asyncio.sleep(0.1)
        transport.pause_reading()
    if path.startswith("/logs"):
        async with asyncio.timeout(60):
            for watcher in watchers:
                await watcher.live.wait()
    async with nats(url) as client:
        telling = asyncio.create_task(_tell(client, lambda: min(watcher.lines for watcher in watchers)))

        async def report(_: Ask) -> Answer:
            answer = Answer(
                lines=min(watcher.lines for watcher in watchers),
                frames=sum(watcher.frames for watcher in watchers),
                missed=sum(counts.missed),
                p50=_ms(counts.waits, 0.5),
                p99=_ms(counts.waits, 0.99),
            )
            counts.waits.clear()
            return answer

        await obey(report, Answer())
        telling.cancel()


def main() -> None:
    """Be the part that the command line names."""
    match sys.argv[1:]:
        case ["publish", url]:
            uvloop.run(publish(url))
        case ["hear", url]:
            uvloop.run(hear(url))
        case ["serve", implementation]:
            uvloop.run(serve(implementation))
        case ["watch", url, port, clients, stalled, path]:
            uvloop.run(watch(url, int(port), int(clients), int(stalled), path))
        case other:
            sys.exit(f"no such part: {other}")


if __name__ == "__main__":
    main()

"""The processes of `relay.py`: `python bench/relay_parts.py PART …`, told what to do by lines of JSON on stdin.

`publish` stores log lines, `hear` is the floor that only subscribes, `serve` the floor that only writes frames to
WebSockets, as fast as they are taken or at a rate, `watch` is all clients.
"""

import asyncio
import socket
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import uvicorn
import uvloop
from fleets import quantile
from nats.aio.client import Client
from nats.aio.msg import Msg
from relay_clients import Counts, Watcher, stamp

from muster_gateway.http.server import BoundedWebSocket
from muster_protocol import codec
from muster_protocol.logs import LogRecord

SEEN = "bench.seen"
"""Subject on which it is told how many lines the slowest client has."""
IMPLEMENTATIONS: dict[str, Any] = {"muster": BoundedWebSocket, "sansio": "websockets-sansio"}


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
    """Milliseconds from before a line is stored, or its frame made by `serve`, until a client has it."""
    port: int = 0


Part = Callable[[Ask], Awaitable[Answer]]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


def record(number: int) -> bytes:
    """Return a log record as workers write them."""
    text = f"[Sub-agent] click(\"Add to cart\", nth={number % 7}) -> the button 'Add to cart' was clicked"
    made = LogRecord(
        run=f"run-{number % 50:04d}",
        source=f"worker-{number % 8:04d}",
        number=number,
        at=time.time(),
        kind="tool_call",
        text=text,
        node="step-3",
        task="run-1.step-3.1",
        tool="click",
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
                waits.append(time.time() - stamp(message.data))

        await client.subscribe("muster.live.logs.*.*", cb=heard)
        telling = asyncio.create_task(_tell(client, lambda: count))

        async def report(_: Ask) -> Answer:
            answer = Answer(lines=count, p50=_ms(waits, 0.5), p99=_ms(waits, 0.99))
            waits.clear()
            return answer

        await obey(report, Answer())
        telling.cancel()


def _ms(waits: list[float], share: float) -> float:
    return quantile(waits, share) * 1000 if waits else 0.0


async def _tell(client: Client, count: Callable[[], int]) -> None:
    while True:
        await client.publish(SEEN, b"%d" % count())
        await asyncio.sleep(0.01)


class Pen:
    """Writes frames to every WebSocket client as the relay does: each client's own task is woken and sends."""

    def __init__(self) -> None:
        self._boxes: set[asyncio.Queue[str]] = set()
        self._until, self._sent = 0.0, 0

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Be the application of a WebSocket server; while at full speed, send the newest frame again and again."""
        if scope["type"] != "websocket":
            return
        await receive()
        await send({"type": "websocket.accept"})
        self._boxes.add(box := asyncio.Queue[str]())
        while True:
            message = {"type": "websocket.send", "text": await box.get()}
            await send(message)
            while time.monotonic() < self._until:
                for _ in range(16):
                    await send(message)
                    self._sent += 1
                await asyncio.sleep(0)

    async def write(self, ask: Ask) -> Answer:
        """Send frames of so many lines, at a rate of lines or, if there is none, as fast as they are taken."""
        lines, made, begun = [_line(number) for number in range(ask.lines)], 0, time.monotonic()
        if not ask.rate:
            self._sent, self._until = 0, begun + ask.seconds
            self._hand_out(lines)
            await asyncio.sleep(ask.seconds)
            return Answer(frames=self._sent, lines=self._sent * ask.lines, seconds=time.monotonic() - begun)
        while (now := time.monotonic()) < begun + ask.seconds:
            if (due := begun + made * ask.lines / ask.rate) <= now:
                made += 1
                self._hand_out([_line(made), *lines[1:]])  # the first says when the frame was made
            await asyncio.sleep(max(0.0, due - now))
        return Answer(frames=made, lines=made * ask.lines, seconds=time.monotonic() - begun)

    def _hand_out(self, lines: list[bytes]) -> None:
        text = (b'{"lines":[' + b",".join(lines) + b"]}").decode()
        for box in self._boxes:
            box.put_nowait(text)


def _line(number: int) -> bytes:
    return b'{"cursor":%d,"record":%b}' % (number, record(number))


async def serve(implementation: str) -> None:
    """Be a WebSocket server with nothing before it."""
    pen, listening = Pen(), socket.create_server(("127.0.0.1", 0), backlog=1024)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # as the gateway's has
    config = uvicorn.Config(
        pen.app,
        interface="asgi3",
        ws=IMPLEMENTATIONS.get(implementation, implementation),
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
    )
    serving = asyncio.create_task(uvicorn.Server(config).serve([listening]))
    await obey(pen.write, Answer(port=listening.getsockname()[1]))
    serving.cancel()


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

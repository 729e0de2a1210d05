"""What clients see while faults strike: verdicts as they are published, live messages, and a run's lines by WebSocket."""

import asyncio
import hashlib
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import httpx
import msgspec
from msgspec import Struct
from nats.aio.msg import Msg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from chaos.history import Follow, Shown, Told
from muster_bus import Bus
from muster_protocol import codec
from muster_protocol.verdicts import Verdict

RETRY_SECONDS = 0.3


class _Frame(Struct):
    """A line as the gateway sends it, or the end."""

    cursor: int = 0
    end: bool = False
    status: str = ""
    cause: str = ""


def digest(data: bytes) -> str:
    """Return what tells one message's bytes from another's."""
    return hashlib.sha256(data).hexdigest()[:16]


class Witness:
    """Notes what it is told; it decides nothing."""

    def __init__(self, bus: Bus, gateway_url: str) -> None:
        self.told: list[Told] = []
        self.shown: list[Shown] = []
        self.follows: dict[str, Follow] = {}
        self._bus, self._url = bus, gateway_url

    async def verdict(self, message: Msg) -> None:
        """Note a verdict that was published."""
        with suppress(msgspec.DecodeError):
            self.told.append(Told("published", codec.decode(message.data, Verdict)))

    async def live(self, message: Msg) -> None:
        """Note a message that the server says it has stored."""
        headers = message.headers or {}
        if "Nats-Sequence" in headers:
            seen = Shown(headers["Nats-Stream"], int(headers["Nats-Sequence"]), digest(message.data))
            self.shown.append(seen)

    async def follow(self, run: str) -> None:
        """Follow a run's lines to the end, going on after the newest cursor whenever the connection breaks."""
        self.follows[run] = Follow(run, ())
        address = self._url.replace("http://", "ws://")
        while not self.follows[run].status:
            cursors = self.follows[run].cursors
            with suppress(OSError, TimeoutError, ConnectionClosed, InvalidHandshake):
                target = f"{address}/runs/{run}/logs?after={cursors[-1] if cursors else 0}"
                async with connect(target, open_timeout=5, close_timeout=1, proxy=None) as socket:
                    async for text in socket:
                        self._take(run, codec.decode(text, _Frame))
            await asyncio.sleep(RETRY_SECONDS)

    def _take(self, run: str, frame: _Frame) -> None:
        before = self.follows[run]
        if frame.end:
            self.follows[run] = before._replace(status=frame.status, cause=frame.cause)
        else:
            self.follows[run] = before._replace(cursors=(*before.cursors, frame.cursor))

    async def ask(self, runs: list[str], patience: float) -> None:
        """Ask the gateway for the verdict of each run, once all is calm again."""
        deadline = time.monotonic() + patience
        async with httpx.AsyncClient(base_url=self._url, timeout=10.0) as http:
            for run in runs:
                while time.monotonic() < deadline:
                    with suppress(httpx.HTTPError):
                        reply = await http.get(f"/runs/{run}/verdict")
                        if reply.status_code == 200:
                            self.told.append(Told("asked", codec.decode(reply.content, Verdict)))
                        if reply.status_code in (200, 404):
                            break
                    await asyncio.sleep(RETRY_SECONDS)


@asynccontextmanager
async def witnessing(bus: Bus, gateway_url: str) -> AsyncGenerator[Witness]:
    """Watch what is published until left."""
    witness = Witness(bus, gateway_url)
    names = bus.names
    watched = [
        await bus.nc.subscribe(names.verdict("*"), cb=witness.verdict),
        await bus.nc.subscribe(names.live(names.events("*")), cb=witness.live),
        await bus.nc.subscribe(names.live(names.journal(">")), cb=witness.live),
    ]
    yield witness
    for subscription in watched:
        with suppress(TimeoutError, OSError):
            await subscription.unsubscribe()

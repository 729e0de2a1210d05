"""What a session does off its holder's critical path: telling events, and storing checkpoints."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from msgspec.structs import replace
from nats.errors import Error as NatsError
from playwright.async_api import Error as PlaywrightError

from muster_protocol import codec
from muster_protocol.errors import BusError
from muster_protocol.sessions import SessionEvent
from muster_protocol.tool_calls import ArtifactRef
from muster_sessionhost.checkpoint import Saved

log = structlog.get_logger("muster.sessions")

Publish = Callable[[SessionEvent], Awaitable[None]]
Store = Callable[[str, bytes, str], Awaitable[ArtifactRef]]

FLUSH_SECONDS = 2.0
FAULTS = (PlaywrightError, NatsError, BusError, TimeoutError, OSError)


class Outbox:
    """Publishes a session's events in the order they came, and says which host they are from."""

    def __init__(self, publish: Publish, host: str) -> None:
        self._publish, self._host = publish, host
        self._waiting: asyncio.Queue[SessionEvent] = asyncio.Queue()
        self._closed = False
        self._task = asyncio.create_task(self._run())

    def say(self, event: SessionEvent) -> None:
        """Have an event published; does not wait."""
        self._waiting.put_nowait(replace(event, host=self._host))

    async def flush(self) -> None:
        """Wait until what was said so far is published, or cannot be."""
        try:
            await asyncio.wait_for(self._waiting.join(), FLUSH_SECONDS)
        except TimeoutError:
            log.warning("a session's events are held up: NATS does not take them")

    async def close(self) -> None:
        """Publish what is left, and end."""
        await self.flush()
        self._closed = True
        self._task.cancel()

    async def _run(self) -> None:
        while not self._closed:
            event = await self._waiting.get()
            try:
                await self._publish(event)
            except FAULTS as error:
                log.warning("an event of a session was lost", error=str(error) or type(error).__name__)
            finally:
                self._waiting.task_done()


class Saver:
    """Stores checkpoints in the background; of several that wait only the newest is stored, and only if it differs."""

    def __init__(self, name: str, store: Store) -> None:
        self._name, self._store = name, store
        self._newest = self._stored = b""
        self._wanted = asyncio.Event()
        self._stopped = False
        self._storing = asyncio.Lock()
        self._task = asyncio.create_task(self._run())

    def keep(self, saved: Saved) -> None:
        """Have a checkpoint stored; does not wait."""
        self._newest = codec.encode(saved)
        self._wanted.set()

    async def flush(self) -> None:
        """Wait until the newest checkpoint is stored; a failure is logged only."""
        async with self._storing:
            data = self._newest
            if data == self._stored:
                return
            try:
                await self._store(self._name, data, "application/json")
                self._stored = data
            except FAULTS as error:
                log.warning("a checkpoint was not stored", error=str(error) or type(error).__name__)

    async def stop(self) -> None:
        """Store no more checkpoints, and wait a moment for the one that is being stored."""
        self._stopped = True  # the NATS client may swallow a cancellation while it stores something
        self._task.cancel()
        await asyncio.wait({self._task}, timeout=FLUSH_SECONDS)

    async def _run(self) -> None:
        while not self._stopped:
            await self._wanted.wait()
            self._wanted.clear()
            await self.flush()

"""Tells a session's events off its holder's critical path."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from msgspec.structs import replace
from nats.errors import Error as NatsError

from muster_devices.errors import DeviceError
from muster_protocol.errors import BusError
from muster_protocol.session_responses import SessionEvent
from muster_protocol.tool_calls import ArtifactRef

log = structlog.get_logger("muster.sessions")

Publish = Callable[[SessionEvent], Awaitable[None]]
Store = Callable[[str, bytes, str], Awaitable[ArtifactRef]]

FLUSH_SECONDS = 2.0
FAULTS = (DeviceError, NatsError, BusError, TimeoutError, OSError)


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

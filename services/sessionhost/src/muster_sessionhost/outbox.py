"""Publishes a session's events in the background, so that its holder does not wait for NATS."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from msgspec.structs import replace

from muster_bus.store_answers import BUS_ERRORS
from muster_devices.errors import DeviceError
from muster_protocol.session_responses import SessionEvent
from muster_protocol.tool_calls import ArtifactRef

log = structlog.get_logger("muster.sessions")

Publish = Callable[[SessionEvent], Awaitable[None]]
Store = Callable[[str, bytes, str], Awaitable[ArtifactRef]]

FLUSH_SECONDS = 2.0
FAULTS = (DeviceError, OSError, *BUS_ERRORS)


class Outbox:
    """Publishes a session's events in the order they were posted, with the id of their host."""

    def __init__(self, publish: Publish, host: str) -> None:
        self._publish, self._host = publish, host
        self._waiting: asyncio.Queue[SessionEvent] = asyncio.Queue()
        self._closed = False
        self._task = asyncio.create_task(self._run())

    def post(self, event: SessionEvent) -> None:
        """Queue an event to be published; does not wait."""
        self._waiting.put_nowait(replace(event, host=self._host))

    async def flush(self) -> None:
        """Wait up to 2 s until all events posted so far are published, or have failed."""
        try:
            await asyncio.wait_for(self._waiting.join(), FLUSH_SECONDS)
        except TimeoutError:
            log.warning("session events delayed: NATS does not accept them")

    async def close(self) -> None:
        """Publish the queued events, then stop."""
        await self.flush()
        self._closed = True
        self._task.cancel()

    async def _run(self) -> None:
        while not self._closed:
            event = await self._waiting.get()
            try:
                await self._publish(event)
            except FAULTS as error:
                log.warning("session event lost", error=str(error) or type(error).__name__)
            finally:
                self._waiting.task_done()

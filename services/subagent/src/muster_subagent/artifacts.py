"""Artefacts of sub-tasks, stored in the background so that no step waits for them."""

import asyncio

import structlog
from nats.errors import Error as NatsError

from muster_protocol.bus import Bus
from muster_protocol.bus.artifacts import put_artifact, reference
from muster_protocol.tools import ArtifactRef

log = structlog.get_logger("muster.subagent")


class ArtifactQueue:
    """Stores files one after another; a reference is given at once."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._queue: asyncio.Queue[tuple[str, bytes, str]] = asyncio.Queue()
        self._storing: asyncio.Task[None] | None = None

    def put(self, name: str, data: bytes, content_type: str) -> ArtifactRef:
        """Have a file stored under its full name, and return its reference."""
        self._queue.put_nowait((name, data, content_type))
        if self._storing is None or self._storing.done():
            self._storing = asyncio.get_running_loop().create_task(self._store())
        return reference(name, data, content_type)

    async def finish(self, timeout: float = 10.0) -> None:
        """Wait until everything is stored, or the time is up."""
        if self._storing is not None:
            await asyncio.wait({self._storing}, timeout=timeout)

    async def _store(self) -> None:
        while not self._queue.empty():
            name, data, content_type = self._queue.get_nowait()
            try:
                await put_artifact(self._bus, name, data, content_type)
            except (TimeoutError, NatsError) as error:
                log.warning("an artefact could not be stored", name=name, size=len(data), error=repr(error))

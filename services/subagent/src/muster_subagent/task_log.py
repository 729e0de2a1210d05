"""The log lines of one sub-task, published without waiting; what they say is masked before it leaves."""

import asyncio
import itertools
import time
from contextlib import suppress

from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_protocol.logs import Level, LogKind, LogRecord
from muster_protocol.tasks import SubTask

LONGEST = 8_000
"""Characters of one line; the whole of a long output is an artefact."""


FLUSH_SECONDS = 2.0
"""Lines must not keep a slot, nor a process that is to end."""


class Lines:
    """Publishes lines of one sub-task in order."""

    def __init__(self, bus: Bus, task: SubTask, worker: str) -> None:
        self._bus, self._task, self._worker = bus, task, worker
        self._numbers = itertools.count(1)
        self._queue: asyncio.Queue[LogRecord] = asyncio.Queue()
        self._sending: asyncio.Task[None] | None = None

    def tell(
        self,
        kind: LogKind,
        text: str,
        *,
        level: Level = "info",
        tool: str = "",
        status: str = "",
        duration_ms: float = 0.0,
        artifacts: tuple[str, ...] = (),
    ) -> None:
        """Publish a line soon."""
        task = self._task
        record = LogRecord(
            run=task.run,
            source=self._worker,
            number=next(self._numbers),
            at=time.time(),
            kind=kind,
            text=f"  [Sub-agent] {text[:LONGEST]}",
            level=level,
            node=task.node,
            task=task.id,
            position=task.position,
            total=task.total,
            tool=tool,
            status=status,
            duration_ms=duration_ms,
            artifacts=artifacts,
        )
        self._queue.put_nowait(record)
        if self._sending is None or self._sending.done():
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def flush(self) -> None:
        """Return when all lines are on their way, or cannot be for now."""
        if self._sending is not None:
            await asyncio.wait({self._sending}, timeout=FLUSH_SECONDS)

    async def _send(self) -> None:
        subject = self._bus.names.log(self._task.run, self._worker)
        while not self._queue.empty():
            with suppress(NatsError):  # lines may be lost while NATS is away; results are not
                await self._bus.publish(subject, self._queue.get_nowait())

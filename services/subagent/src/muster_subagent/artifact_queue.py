"""Artifacts of sub-tasks, stored in the background so that no step waits for them."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_bus.artifact_store import build_reference, put_artifact, run_of
from muster_bus.store_answers import describe_error
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import ArtifactRef, Box

log = structlog.get_logger("muster.subagent")


MB = 1_000_000
REMEMBERED = 1000
"""Runs of which it is known how much was stored for them."""


class File(NamedTuple):
    """What is to be stored: its full name, its bytes, what it is."""

    name: str
    data: bytes
    content_type: str
    element: Box | None = None
    """On a picture: where the element is that was touched."""
    stored: Callable[[ArtifactRef], None] | None = None
    """Called once it is stored."""


def within(file: File, room: int) -> File:
    """Return a file that fits into so many bytes: a text is cut, anything else is replaced by a note. Pure."""
    if len(file.data) <= room:
        return file
    why = f"{len(file.data)} bytes are more than ARTIFACT_MAX_MB or RUN_ARTIFACTS_MAX_MB leave room for"
    if file.content_type.startswith("text/") and room > 0:
        head = file.data[:room].decode(errors="ignore")
        return file._replace(data=f"{head}\n… cut off: {why}\n".encode())
    note = f"{file.name.rpartition('/')[2]} was not stored: {why}\n"
    return File(f"{file.name}.left-out.txt", note.encode(), "text/plain; charset=utf-8")


class ArtifactQueue:
    """Stores files one after another; a reference is given at once."""

    def __init__(self, bus: Bus, largest: int, most: int) -> None:
        self._bus = bus
        self._largest, self._most = largest, most
        """Bytes of one file, and of all that are stored for a run."""
        self._used: OrderedDict[str, int] = OrderedDict()
        self._queue: asyncio.Queue[File] = asyncio.Queue()
        self._storing: asyncio.Task[None] | None = None

    def put(
        self,
        name: str,
        data: bytes,
        content_type: str,
        element: Box | None = None,
        stored: Callable[[ArtifactRef], None] | None = None,
    ) -> ArtifactRef:
        """Have a file stored under its full name, and return its reference; `stored` is called once it is there."""
        file = within(File(name, data, content_type, element, stored), min(self._largest, self._room(name)))
        self._used[run_of(name)] += len(file.data)
        self._queue.put_nowait(file)
        if self._storing is None or self._storing.done():
            self._storing = asyncio.get_running_loop().create_task(self._store())
        return build_reference(file.name, file.data, file.content_type)

    def _room(self, name: str) -> int:
        run = run_of(name)
        used = self._used.setdefault(run, 0)
        self._used.move_to_end(run)
        while len(self._used) > REMEMBERED:
            self._used.popitem(last=False)
        return self._most - used

    async def finish(self, timeout: float = 10.0) -> None:
        """Wait until everything is stored, or the time is up."""
        if self._storing is not None:
            await asyncio.wait({self._storing}, timeout=timeout)

    async def _store(self) -> None:
        while not self._queue.empty():
            file = self._queue.get_nowait()
            try:
                kept = await put_artifact(self._bus, *file[:4])
            except (TimeoutError, NatsError) as error:
                log.warning("artifact not stored", name=file.name, size=len(file.data), error=describe_error(error))
                continue
            if file.stored is not None:
                file.stored(kept)


def artifact_name(task: SubTask, name: str) -> str:
    """Return where a file of a sub-task is stored: with those of its node, or where it says itself (`/part/file`)."""
    return f"{task.run}{name}" if name.startswith("/") else f"{task.run}/{task.node}/{name}"

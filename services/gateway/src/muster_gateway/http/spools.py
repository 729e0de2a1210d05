"""Temporary files for downloads, limited in number."""

import asyncio
import tempfile
import weakref
from collections.abc import AsyncGenerator
from contextlib import closing, suppress
from typing import IO

from muster_gateway.problem_details import service_unavailable

MAX_SPOOLS = 16
"""Downloads at the same time; each has a file in `/tmp` until it is sent."""
CHUNK = 256 * 1024
"""Bytes per read."""
PATIENCE = 5.0
"""Seconds that a client waits for a free slot."""


class Spool:
    """A temporary file that occupies a slot until it is closed or garbage-collected."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the last byte is sent
        self._leave = weakref.finalize(self, _release, self.file, asyncio.get_running_loop(), places)
        self._leave.atexit = False

    async def read(self, start: int = 0, size: int | None = None) -> AsyncGenerator[bytes]:
        """Yield `size` bytes from `start` (None: to the end), and close."""
        with closing(self):
            self.file.seek(start)
            while chunk := await asyncio.to_thread(self.file.read, CHUNK if size is None else min(size, CHUNK)):
                size = None if size is None else size - len(chunk)
                yield chunk

    async def finish(self) -> None:
        """Write what is still in memory, before anything is sent.

        Raises:
            OSError: there is no room for it.
        """
        await asyncio.to_thread(self.file.flush)

    def close(self) -> None:
        """Remove the file and free its slot; idempotent."""
        self._leave()


def _release(file: IO[bytes], loop: asyncio.AbstractEventLoop, places: asyncio.Semaphore) -> None:
    with suppress(OSError):  # it had no room for the rest, which nobody reads any more
        file.close()
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(places.release)  # the garbage collector may run in any thread


async def open_spool(places: asyncio.Semaphore, patience: float = PATIENCE) -> Spool:
    """Return a temporary file as soon as a slot is free; `patience` in seconds.

    Raises:
        Refusal: no slot became free in time.
    """
    try:
        async with asyncio.timeout(patience):
            await places.acquire()
    except TimeoutError:
        raise service_unavailable("too many downloads at once; try again") from None
    try:
        return Spool(places)
    except BaseException:
        places.release()
        raise

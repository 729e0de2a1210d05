"""Temporary files on their way to clients: no more at once than there are places for."""

import asyncio
import tempfile
import weakref
from collections.abc import AsyncGenerator
from contextlib import closing, suppress
from typing import IO

from muster_gateway.problem_details import service_unavailable

AT_ONCE = 16
"""Files that are on their way at the same time; each lies in `/tmp` until the client has taken it."""
CHUNK = 256 * 1024
"""Bytes handed to the client at once."""
PATIENCE = 5.0
"""Seconds that a client waits for a place."""


class Spool:
    """A temporary file that holds a place until it is closed, or forgotten by an answer that never began."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the last byte is sent
        self._leave = weakref.finalize(self, _release, self.file, asyncio.get_running_loop(), places)
        self._leave.atexit = False

    async def read(self, start: int = 0, size: int | None = None) -> AsyncGenerator[bytes]:
        """Yield `size` bytes from `start` on (None: all that follow), and close."""
        with closing(self):
            self.file.seek(start)
            while chunk := await asyncio.to_thread(self.file.read, CHUNK if size is None else min(size, CHUNK)):
                size = None if size is None else size - len(chunk)
                yield chunk

    def close(self) -> None:
        """Remove the file and give its place back; doing so twice is doing it once."""
        self._leave()


def _release(file: IO[bytes], loop: asyncio.AbstractEventLoop, places: asyncio.Semaphore) -> None:
    file.close()
    with suppress(RuntimeError):  # the loop is closed: nobody waits for a place any more
        loop.call_soon_threadsafe(places.release)  # the collector may run in any thread


async def open_spool(places: asyncio.Semaphore, patience: float = PATIENCE) -> Spool:
    """Return a temporary file, once there is a place for it; `patience` in seconds.

    Raises:
        Refusal: no place got free in time.
    """
    try:
        async with asyncio.timeout(patience):
            await places.acquire()
    except TimeoutError:
        raise service_unavailable("as many files as this gateway can hold are being downloaded; ask again") from None
    try:
        return Spool(places)
    except BaseException:
        places.release()
        raise

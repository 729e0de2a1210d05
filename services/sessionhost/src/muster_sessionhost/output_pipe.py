"""The host's end of the output of a command."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

CHUNK = 65_536


class OutputPipe:
    """The host's end of a command's output: a named pipe, read until the last writer has closed it."""

    def __init__(self, path: Path, on_data: Callable[[bytes], None], on_end: Callable[["OutputPipe"], object]) -> None:
        os.mkfifo(path, 0o600)
        self._path, self._on_data, self._on_end = path, on_data, on_end
        self._reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        # without a writer here the reader would see the end before the command has opened its side
        self._writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._reader, self._read)

    def close_writer(self) -> None:
        """Close this end, once the command has opened its own."""
        if self._writer >= 0:
            os.close(self._writer)
            self._writer = -1

    def drain(self) -> None:
        """Read what the command has written so far; output of other processes is still read when it arrives."""
        for _ in range(32):  # twice the capacity of a pipe: enough, and a bound if a writer never stops
            if not self._read():
                return

    def close(self) -> None:
        """Stop reading, and remove the pipe."""
        if self._reader < 0:
            return
        self._loop.remove_reader(self._reader)
        self.close_writer()
        os.close(self._reader)
        self._reader = -1
        self._path.unlink(missing_ok=True)
        self._on_end(self)

    def _read(self) -> bool:
        """Read one chunk; return whether there may be more now."""
        if self._reader < 0:
            return False
        try:
            data = os.read(self._reader, CHUNK)
        except BlockingIOError:
            return False
        if data:
            self._on_data(data)
            return True
        self.close()
        return False

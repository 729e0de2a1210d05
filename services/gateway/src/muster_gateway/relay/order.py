"""Decisions of the relay: order of lines, recent lines for joining clients, and client queues. Pure."""

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Literal

from muster_gateway.relay.lines import Batch, Filter, Line, Missed

RECENT_LINES, RECENT_BYTES = 5000, 4 * 2**20
"""Newest lines kept in memory for joining clients."""

Place = Literal["seen", "next", "ahead"]


class Order:
    """Position of a reader of the whole stream: everything up to `complete` was sent, nothing above it.

    Sequences have holes only where messages were removed. So a live message that is not the next one means that others
    were lost on the way or removed; the stream tells which.
    """

    def __init__(self, complete: int) -> None:
        self.complete = complete

    def place(self, seq: int) -> Place:
        """Classify a live message; if it is the next one, it counts as sent."""
        if seq <= self.complete:
            return "seen"
        if seq > self.complete + 1:
            return "ahead"
        self.complete = seq
        return "next"

    def read(self, seq: int) -> bool:
        """Record a message read from the stream, in order; False if it was known."""
        if seq <= self.complete:
            return False
        self.complete = seq
        return True


class Recent:
    """The newest lines without a gap: all lines after the cursor `since`."""

    def __init__(self, since: int, lines: int = RECENT_LINES) -> None:
        self.since = self.last = since
        self._most = lines
        self._lines: deque[Line] = deque()
        self._bytes = 0

    def add(self, lines: Iterable[Line]) -> None:
        """Add lines and drop the oldest beyond the limits."""
        for line in lines:
            self._lines.append(line)
            self._bytes += len(line.data)
            self.last = line.seq
        while len(self._lines) > self._most or self._bytes > RECENT_BYTES:
            oldest = self._lines.popleft()
            self._bytes -= len(oldest.data)
            self.since = oldest.seq

    def behind(self, cursor: int, wanted: Filter) -> list[Line] | None:
        """Return the matching lines after a cursor; None if some may be missing."""
        if cursor < self.since:
            return None
        newer = 0
        for line in reversed(self._lines):
            if line.seq <= cursor:
                break
            newer += 1
        return [line for line in islice(self._lines, len(self._lines) - newer, None) if wanted.takes(line)]


class Outbox:
    """The bounded queue of one client: what it reads too slowly is dropped, oldest first, and counted.

    Items come in order, a `Missed` before the lines after it; nothing is left out or repeated.
    """

    def __init__(self, lines: int, size: int) -> None:
        self.lines = self.size = 0
        self._most, self._most_bytes = lines, size
        self._waiting: deque[Batch] = deque()
        self._missed: Missed | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting) or self._missed is not None

    def put(self, batch: Batch) -> int:
        """Queue a batch; return the number of lines dropped for it.

        If the queue is full, half of it is dropped, so that a slightly slow client gets few `Missed` items.
        The newest batch is always kept.
        """
        self._waiting.append(batch)
        self.lines += len(batch.lines)
        self.size += batch.size
        if self.lines <= self._most and self.size <= self._most_bytes:
            return 0
        dropped = 0
        while len(self._waiting) > 1 and (self.lines > self._most // 2 or self.size > self._most_bytes // 2):
            oldest = self._pop()
            dropped += len(oldest.lines)
            missed = self._missed or Missed(oldest.first, 0, 0)
            self._missed = Missed(missed.first, oldest.last, missed.lines + len(oldest.lines))
        return dropped

    def take(self) -> Batch | Missed | None:
        """Return the next item, or None."""
        if self._missed is not None:
            missed, self._missed = self._missed, None
            return missed
        return self._pop() if self._waiting else None

    def _pop(self) -> Batch:
        batch = self._waiting.popleft()
        self.lines -= len(batch.lines)
        self.size -= batch.size
        return batch

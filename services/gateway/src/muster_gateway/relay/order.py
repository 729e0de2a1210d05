"""What the relay decides without touching anything: order, joining, and who has to wait for how much. Pure."""

from collections import deque
from collections.abc import Iterable
from itertools import islice
from typing import Literal

from muster_gateway.relay.lines import Batch, Filter, Line, Missed

RECENT_LINES, RECENT_BYTES = 5000, 4 * 2**20
"""What is kept of the newest lines, for clients that join."""

Place = Literal["seen", "next", "ahead"]


class Order:
    """How far a reader of the whole stream is: everything up to `complete` was handed on, and nothing above it.

    Sequences of the stream have no holes but where something was removed from it, so a live message that is not the
    next one means that others were lost on the way, or have been removed: the stream says which.
    """

    def __init__(self, complete: int) -> None:
        self.complete = complete

    def place(self, seq: int) -> Place:
        """Say how a live message stands to what was handed on; the next one counts as handed on from now."""
        if seq <= self.complete:
            return "seen"
        if seq > self.complete + 1:
            return "ahead"
        self.complete = seq
        return "next"

    def read(self, seq: int) -> bool:
        """Take note of a message read from the stream, where all before it were read too; False if it is known."""
        if seq <= self.complete:
            return False
        self.complete = seq
        return True


class Recent:
    """The newest lines, without a gap; `since` is the cursor behind which all of them are here."""

    def __init__(self, since: int, lines: int = RECENT_LINES, size: int = RECENT_BYTES) -> None:
        self.since = self.last = since
        self._most, self._most_bytes = lines, size
        self._lines: deque[Line] = deque()
        self._bytes = 0

    def add(self, lines: Iterable[Line]) -> None:
        """Keep further lines, and let go of the oldest beyond what is kept."""
        for line in lines:
            self._lines.append(line)
            self._bytes += len(line.data)
            self.last = line.seq
        while len(self._lines) > self._most or self._bytes > self._most_bytes:
            oldest = self._lines.popleft()
            self._bytes -= len(oldest.data)
            self.since = oldest.seq

    def behind(self, cursor: int, wanted: Filter) -> list[Line] | None:
        """Return the lines behind a cursor that are wanted; None where some may be gone."""
        if cursor < self.since:
            return None
        newer = 0
        for line in reversed(self._lines):
            if line.seq <= cursor:
                break
            newer += 1
        return [line for line in islice(self._lines, len(self._lines) - newer, None) if wanted.takes(line)]


class Outbox:
    """What waits for one client, bounded: what it takes too slowly is dropped, the oldest first, and counted.

    What is taken is in order: what was missed comes before what is there, and nothing is left out or told twice.
    """

    def __init__(self, lines: int, size: int) -> None:
        self.lines = self.size = 0
        self._most, self._most_bytes = lines, size
        self._waiting: deque[Batch] = deque()
        self._missed: Missed | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting) or self._missed is not None

    def put(self, batch: Batch) -> int:
        """Have a batch wait; return how many lines were dropped for it.

        Once it is too much, half goes: a client that is a little too slow is told so rarely, and of much at a time.
        The newest batch always stays.
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
            told = self._missed or Missed(oldest.first, 0, 0)
            self._missed = Missed(told.first, oldest.last, told.lines + len(oldest.lines))
        return dropped

    def take(self) -> Batch | Missed | None:
        """Return what comes next, or None."""
        if self._missed is not None:
            missed, self._missed = self._missed, None
            return missed
        return self._pop() if self._waiting else None

    def _pop(self) -> Batch:
        batch = self._waiting.popleft()
        self.lines -= len(batch.lines)
        self.size -= batch.size
        return batch

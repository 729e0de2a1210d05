"""The part of a command's output that is kept, and published while the command runs. Pure."""

import codecs
from collections import deque

from muster_protocol.session_responses import LEFT_OUT
from muster_text.redaction import Redactor


def keep_end(text: str, size: int) -> str:
    """Return the last `size` characters of an output, after a line with the number of characters left out."""
    dropped = len(text) - size
    return f"{_left_out(dropped)}{text[dropped:]}" if dropped > 0 else text


def _left_out(count: int) -> str:
    return f"{LEFT_OUT}{count} characters left out …\n"


class Capture:
    """One output stream: decodes and masks it, and keeps its beginning and end, together at most `limit` characters."""

    def __init__(self, limit: int, redactor: Redactor) -> None:
        self._half = limit // 2
        self._redactor = redactor
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._pending = ""
        self._head = ""
        self._tail: deque[str] = deque()
        self._tail_size = 0
        self._dropped = 0

    def feed(self, data: bytes, *, last: bool = False) -> str:
        """Add bytes; return the masked text to publish now (none once the head is full).

        Text that may be the beginning of a secret is held back until more bytes arrive.
        """
        text = self._pending + self._decoder.decode(data, last)
        ready, self._pending = (text, "") if last else self._redactor.split(text)
        return self._keep(self._redactor.mask(ready))

    @property
    def truncated(self) -> bool:
        """Whether characters between beginning and end were left out."""
        return self._dropped > 0

    def text(self) -> str:
        """Return the kept text, with a line that says how many characters were left out."""
        tail = "".join(self._tail)
        if not self.truncated:
            return self._head + tail
        return f"{self._head}{_left_out(self._dropped)}{tail}"

    def _keep(self, text: str) -> str:
        room = self._half - len(self._head)
        head, rest = text[:room], text[room:]
        self._head += head
        if rest:
            self._tail.append(rest)
            self._tail_size += len(rest)
        while self._tail_size > self._half:
            self._shorten(self._tail_size - self._half)
        return head

    def _shorten(self, excess: int) -> None:
        first = self._tail.popleft()
        cut = min(excess, len(first))
        self._dropped += cut
        self._tail_size -= cut
        if cut < len(first):
            self._tail.appendleft(first[cut:])

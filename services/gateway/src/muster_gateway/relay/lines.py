"""Log lines for clients: decoding, filters and frames. Each line and frame is encoded once for all clients. Pure."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, cast, get_args

import msgspec
from msgspec import Struct

from muster_bus import Stored
from muster_protocol import codec
from muster_protocol.codec import decode_untrusted
from muster_protocol.errors import InvalidRequest
from muster_protocol.ids import is_token
from muster_protocol.logs import Level, LogKind, LogRecord

LEVELS: tuple[Level, ...] = get_args(Level)
KINDS: tuple[LogKind, ...] = get_args(LogKind)
MOST_RUNS, MOST_SOURCES = 32, 32
"""Runs and sources per client; for more, follow all runs."""
FRAME_LINES, FRAME_BYTES = 500, 256 * 1024
"""Maximum size of a frame; a longer line is sent alone."""
UNNAMED_LEVEL = LEVELS.index("info")


class Line(Struct, frozen=True, gc=False):
    """A stored line: the fields to filter by, and the JSON object for clients."""

    seq: int
    run: str
    source: str
    kind: str
    level: int
    """Index in `LEVELS`."""
    data: bytes
    """`{"cursor": …, "record": …}` without a line break."""


class _Head(Struct, frozen=True):
    """The fields of a record to filter by, common to all versions."""

    run: str
    source: str
    text: str
    kind: str = ""
    level: str = "info"


def read_line(stored: Stored) -> Line:
    """Decode a stored message; an unreadable one becomes a line that says so, since any client can publish."""
    run, source = stored.subject.rsplit(".", 2)[1:]
    data = stored.data
    try:
        head = decode_untrusted(data, _Head)
    except msgspec.DecodeError as error:
        text = f"(a log record that cannot be read: {error})"
        record = LogRecord(run=run, source=source, number=0, at=0.0, kind="error", level="warning", text=text)
        head, data = _Head(run, source, text, "error", "warning"), codec.encode(record)
    if b"\n" in data or b"\r" in data:  # a line break would end a server-sent event
        data = msgspec.json.format(data, indent=-1)
    level = LEVELS.index(head.level) if head.level in LEVELS else UNNAMED_LEVEL
    return Line(stored.seq, run, source, head.kind, level, b'{"cursor":%d,"record":%b}' % (stored.seq, data))


class Filter(NamedTuple):
    """Which lines a client wants: those that match every part that is not empty."""

    runs: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    """Prefixes of sources, given as `worker-*`."""
    kinds: frozenset[str] = frozenset()
    level: int = 0
    """Minimum level, as an index in `LEVELS`."""

    def takes(self, line: Line) -> bool:
        """Return whether the line is wanted."""
        return (
            line.level >= self.level
            and (not self.runs or line.run in self.runs)
            and (not self.kinds or line.kind in self.kinds)
            and (
                not (self.sources or self.beginnings)
                or line.source in self.sources
                or line.source.startswith(self.beginnings)
            )
        )

    @property
    def whole(self) -> bool:
        """Whether every line of its runs is wanted."""
        return not (self.level or self.kinds or self.sources or self.beginnings)


def parse_filter(
    run: Iterable[str] = (), source: Iterable[str] = (), kind: Iterable[str] = (), level: str = ""
) -> Filter:
    """Return the filter for query parameters; `source` may end in `*`, `level` is the minimum.

    Raises:
        InvalidRequest: a parameter is invalid.
    """
    runs, sources, kinds = frozenset(run), frozenset(source), frozenset(kind)
    exact = frozenset(name for name in sources if not name.endswith("*"))
    beginnings = tuple(sorted(name[:-1] for name in sources - exact))
    wrong = [f"run {name!r} is not a valid run id" for name in sorted(runs) if not is_token(name)]
    wrong += [f"kind {name!r} is not valid; valid: {', '.join(KINDS)}" for name in sorted(kinds - set(KINDS))]
    wrong += [f"source {name!r} can have `*` only at its end" for name in sorted(exact | {*beginnings}) if "*" in name]
    if level and level not in LEVELS:
        wrong.append(f"level {level!r} is not valid; valid: {', '.join(LEVELS)}")
    if len(runs) > MOST_RUNS or len(sources) > MOST_SOURCES:
        wrong.append(f"at most {MOST_RUNS} runs and {MOST_SOURCES} sources; name no run to follow all")
    if wrong:
        raise InvalidRequest(wrong)
    return Filter(runs, exact, beginnings, kinds, LEVELS.index(cast("Level", level)) if level else 0)


EVERYTHING = Filter()


class Batch:
    """Lines sent together in the order of their cursors; the frame is encoded once for all clients."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = lines
        self.first, self.last = lines[0].seq, lines[-1].seq
        self.size = sum(len(line.data) for line in lines)

    @cached_property
    def frame(self) -> bytes:
        """Return `{"lines": […]}`."""
        return b'{"lines":[' + b",".join([line.data for line in self.lines]) + b"]}"

    @cached_property
    def text(self) -> str:
        """Return the frame as text."""
        return self.frame.decode()


def split_batches(lines: Sequence[Line]) -> list[Batch]:
    """Return lines in frames of at most FRAME_LINES lines and about FRAME_BYTES bytes, none of them empty."""
    made: list[Batch] = []
    start = size = 0
    for place, line in enumerate(lines):
        if place > start and (place - start == FRAME_LINES or size + len(line.data) > FRAME_BYTES):
            made.append(Batch(lines[start:place]))
            start, size = place, 0
        size += len(line.data)
    if start < len(lines):
        made.append(Batch(lines[start:]))
    return made


def drop_seen(batch: Batch, seen: int) -> Batch | None:
    """Return a batch with the lines after a client's cursor; the same object if that is all of them."""
    if batch.first > seen:
        return batch
    left = [line for line in batch.lines if line.seq > seen]
    return Batch(left) if left else None


class Missed(NamedTuple):
    """Matching lines that a slow client missed: first and last cursor, and number of lines."""

    first: int
    last: int
    lines: int


class Live(NamedTuple):
    """Every line up to the cursor was sent; the next ones are live."""

    cursor: int


Item = Batch | Missed | Live


def encode_frame(item: Item) -> bytes:
    """Return an item as JSON for clients."""
    match item:
        case Batch():
            return item.frame
        case Missed(first, last, lines):
            frame: dict[str, Any] = {"missed": {"from": first, "to": last, "lines": lines}}
            return codec.encode(frame)
        case Live(cursor):
            return codec.encode({"live": True, "cursor": cursor})


def cursor_of(item: Item) -> int:
    """Return the cursor from which to resume after an item."""
    return item.cursor if isinstance(item, Live) else item.last

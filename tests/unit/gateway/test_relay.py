"""What the relay decides: which lines, in which order, and what a slow client is told."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from muster_bus import Stored
from muster_gateway.relay.channels import Channels, Follower
from muster_gateway.relay.lines import (
    FRAME_BYTES,
    FRAME_LINES,
    Batch,
    Filter,
    Line,
    Live,
    Missed,
    cursor_of,
    drop_seen,
    encode_frame,
    parse_filter,
    read_line,
    split_batches,
)
from muster_gateway.relay.order import Order, Outbox, Recent
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.logs import LogRecord
from muster_service.task_cleanup import stop

RUNS, SOURCES, KINDS = ("r1", "r2", "r3"), ("orchestrator", "worker-1", "worker-2"), ("message", "error")


def line(seq: int, run: str = "r1", source: str = "worker-1", kind: str = "message", level: int = 1) -> Line:
    return Line(seq, run, source, kind, level, b'{"cursor":%d}' % seq)


def stored(seq: int, data: bytes, subject: str = "muster.logs.r1.worker-1") -> Stored:
    return Stored(seq, subject, data)


lines_of_a_stream = st.lists(
    st.tuples(
        st.sampled_from(RUNS), st.sampled_from(SOURCES), st.sampled_from(KINDS), st.integers(0, 3), st.integers(1, 3)
    ),
    max_size=60,
).map(
    lambda made: [
        line(sum(step for *_, step in made[: place + 1]), run, source, kind, level)
        for place, (run, source, kind, level, _) in enumerate(made)
    ]
)
filters = st.builds(
    Filter,
    runs=st.frozensets(st.sampled_from(RUNS), max_size=2),
    sources=st.frozensets(st.sampled_from(SOURCES), max_size=1),
    beginnings=st.sampled_from([(), ("worker-",)]),
    kinds=st.frozensets(st.sampled_from(KINDS), max_size=1),
    level=st.integers(0, 3),
)


def test_a_record_reaches_clients_as_it_was_stored_with_its_cursor():
    record = LogRecord(run="r1", source="worker-1", number=1, at=1.0, kind="error", text="no", level="error")
    read = read_line(stored(7, codec.encode(record)))
    assert (read.seq, read.run, read.source, read.kind, read.level) == (7, "r1", "worker-1", "error", 3)
    assert json.loads(read.data) == {"cursor": 7, "record": json.loads(codec.encode(record))}


@pytest.mark.parametrize(
    "data", [b"no json", b"[]", b'{"run":1}', b"\xff", b'{"text":"' + b"[" * 9 + b'"}', b"[" * 5000]
)
def test_what_is_no_record_becomes_a_line_that_says_so(data: bytes):
    read = read_line(stored(7, data))
    told = json.loads(read.data)["record"]
    assert (told["run"], told["source"], read.kind) == ("r1", "worker-1", "error")
    assert "cannot be read" in told["text"]


def test_a_record_of_a_later_version_with_line_breaks_is_one_line_of_kind_and_level_unknown_here():
    read = read_line(stored(7, b'{"run":"r1",\n"source":"s","text":"t",\r\n"kind":"dream","level":"loud"}'))
    assert (read.kind, read.level) == ("dream", 1)
    assert b"\n" not in read.data
    assert b"\r" not in read.data


def test_query_parameters_make_a_filter_and_nonsense_is_named_part_by_part():
    asked = parse_filter(["r1"], ["worker-*", "orchestrator"], ["error"], "warning")
    assert asked == Filter(frozenset({"r1"}), frozenset({"orchestrator"}), ("worker-",), frozenset({"error"}), 2)
    with pytest.raises(InvalidRequest) as refused:
        parse_filter(["a.b"], ["a*b"], ["shout"], "loud")
    assert [reason.split()[0] for reason in refused.value.reasons] == ["run", "kind", "source", "level"]
    with pytest.raises(InvalidRequest, match="at most 32 runs"):
        parse_filter([f"r{n}" for n in range(33)])


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        (Filter(), True),
        (parse_filter(["r1", "r2"]), True),
        (parse_filter(["r2"]), False),
        (parse_filter(source=["worker-1"]), True),
        (parse_filter(source=["worker-*", "nobody"]), True),
        (parse_filter(source=["orchestrator"]), False),
        (parse_filter(kind=["error", "message"]), True),
        (parse_filter(kind=["error"]), False),
        (parse_filter(level="info"), True),
        (parse_filter(level="warning"), False),
    ],
)
def test_of_each_part_of_a_filter_that_is_given_one_has_to_fit(asked: Filter, taken: bool):
    assert asked.takes(line(1)) is taken


def test_frames_are_json_of_all_their_lines_and_of_bounded_size():
    many = [line(seq) for seq in range(1, 2 * FRAME_LINES + 2)]
    made = split_batches(many)
    assert [len(batch.lines) for batch in made] == [FRAME_LINES, FRAME_LINES, 1]
    assert [one["cursor"] for batch in made for one in json.loads(encode_frame(batch))["lines"]] == [
        one.seq for one in many
    ]
    large = [replace(line(seq), data=b"1" * (FRAME_BYTES - 10)) for seq in (1, 2)]
    assert [len(batch.lines) for batch in split_batches(large)] == [1, 1]
    assert split_batches([]) == []


def test_what_was_missed_and_that_it_is_live_are_told_with_cursors():
    assert json.loads(encode_frame(Missed(4, 9, 3))) == {"missed": {"from": 4, "to": 9, "lines": 3}}
    assert json.loads(encode_frame(Live(12))) == {"live": True, "cursor": 12}
    assert [cursor_of(item) for item in (Missed(4, 9, 3), Live(12), Batch([line(1), line(5)]))] == [9, 12, 5]


@given(st.lists(st.integers(1, 40), max_size=80))
def test_whatever_comes_live_in_whatever_order_each_line_is_handed_on_once_and_in_order(arrivals: list[int]):
    """Arrivals are lost, late, and doubled; the stream holds all that has arrived so far, and all before it."""
    order, handed = Order(0), list[int]()
    newest = 0
    for seq in arrivals:
        newest = max(newest, seq)
        match order.place(seq):
            case "next":
                handed.append(seq)
            case "ahead":
                handed += [read for read in range(1, newest + 1) if order.read(read)]
            case "seen":
                assert seq in handed
    assert handed == list(range(1, newest + 1))
    assert order.complete == newest


@given(lines_of_a_stream, st.integers(1, 20), st.integers(0, 150), filters)
def test_recent_lines_are_all_behind_a_cursor_or_none(made: list[Line], most: int, after: int, asked: Filter):
    recent = Recent(0, lines=most)
    recent.add(made)
    found = recent.behind(after, asked)
    truth = [one for one in made if one.seq > after and asked.takes(one)]
    assert found == truth if found is not None else any(one.seq > after for one in made[:-most])


@given(lines_of_a_stream, st.data())
def test_a_client_is_told_every_line_once_in_order_or_that_it_missed_it(made: list[Line], data: st.DataObject):
    """Puts and takes in any order; the limits are so low that much is dropped."""
    outbox = Outbox(data.draw(st.integers(1, 10)), 10_000)
    told: list[Batch | Missed] = []
    largest, left = 1, list(made)
    while left:
        size = data.draw(st.integers(1, 5))
        largest = max(largest, size)
        outbox.put(Batch(left[:size]))
        left = left[size:]
        for _ in range(data.draw(st.integers(0, 3))):
            told += [item] if (item := outbox.take()) else []
    while (item := outbox.take()) is not None:
        told.append(item)
    seen: list[int] = []
    for item in told:
        if isinstance(item, Batch):
            seen += [one.seq for one in item.lines]
        else:
            gone = [one.seq for one in made if item.first <= one.seq <= item.last]
            assert len(gone) == item.lines
            seen += gone
    assert seen == [one.seq for one in made]
    assert not outbox


@given(st.lists(st.integers(1, 50), min_size=1, max_size=200), st.integers(1, 100))
def test_what_waits_for_a_client_that_takes_nothing_never_grows_beyond_its_bound(sizes: list[int], most: int):
    outbox, seq, dropped = Outbox(most, 100_000), 0, 0
    for size in sizes:
        dropped += outbox.put(Batch([line(seq + place) for place in range(1, size + 1)]))
        seq += size
        assert outbox.lines <= max(most, size)
    missed = outbox.take() if dropped else None
    assert (missed.lines if isinstance(missed, Missed) else 0) == dropped
    assert outbox.lines == seq - dropped


async def test_every_client_gets_its_own_lines_and_those_with_the_same_filter_the_very_same_frames():
    channels = Channels()
    asked = [
        Filter(),
        Filter(),
        parse_filter(["r1"]),
        parse_filter(["r1", "r2"], level="error"),
        parse_filter(source=["worker-2"]),
    ]
    followers = [Follower(one, 100, 10_000) for one in asked]
    for follower in followers:
        channels.add(follower)
    made = [line(1, "r1"), line(2, "r2", level=3), line(3, "r3", source="worker-2")]
    channels.hand_on(made)
    got = [await follower.next() for follower in followers]
    assert all(isinstance(item, Batch) for item in got)
    assert [[one.seq for one in item.lines] for item in got if isinstance(item, Batch)] == [
        [1, 2, 3],
        [1, 2, 3],
        [1],
        [2],
        [3],
    ]
    assert got[0] is got[1]
    for follower in followers:
        channels.remove(follower)
    assert list(channels) == []


@given(lines_of_a_stream, st.lists(filters, min_size=1, max_size=6))
def test_channels_lose_and_double_nothing_whatever_the_filters(made: list[Line], asked: list[Filter]):
    channels, boxes = Channels(), [Follower(one, 1000, 10**6) for one in asked]
    for box in boxes:
        channels.add(box)
    for start in range(0, len(made), 7):
        channels.hand_on(made[start : start + 7])
    for box in boxes:
        got: list[Line] = []
        while isinstance(item := box.take(), Batch):
            got += item.lines
        assert got == [one for one in made if box.wanted.takes(one)]


def test_of_a_batch_a_client_gets_what_it_was_not_told_by_another_gateway():
    batch = Batch([line(4), line(7)])
    assert drop_seen(batch, 3) is batch
    left = drop_seen(batch, 4)
    assert left is not None and [one.seq for one in left.lines] == [7]
    assert drop_seen(batch, 7) is None
    follower = Follower(Filter(), 10, 1000, seen=7)
    follower.put(batch)
    follower.put(Batch([line(7), line(9)]))
    taken = follower.take()
    assert isinstance(taken, Batch) and [one.seq for one in taken.lines] == [9] and follower.take() is None


async def test_what_is_stopped_ends_and_is_closed_though_who_waits_is_cancelled_at_every_await():
    closed = asyncio.Event()

    async def stubborn() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        await asyncio.Event().wait()

    async def close() -> None:
        await asyncio.sleep(0)
        closed.set()

    task = asyncio.create_task(stubborn())
    with anyio.CancelScope() as scope:
        try:
            scope.cancel()
            await asyncio.Event().wait()
        finally:
            await stop([task], then=close)
    async with asyncio.timeout(10):
        await closed.wait()
    assert task.cancelled()

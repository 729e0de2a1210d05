"""Reading what is stored: whole logs, from a position on, over wildcards, in pages; and rows and artifacts."""

import asyncio

import msgspec
import pytest

from muster_bus import Bus, Log, Rows, Stored, replay
from muster_bus.artifact_store import (
    Replaced,
    build_reference,
    get_artifact,
    list_artifacts,
    list_subjects,
    put_artifact,
    read_artifact,
)
from muster_protocol import codec
from muster_protocol.errors import BusError
from muster_protocol.logs import LogRecord, RunRow

STREAMS = [("RUNS", "muster.runs.{}.events"), ("JOURNAL", "muster.journal.{}.n.1"), ("LOGS", "muster.logs.{}.s")]


class Note(msgspec.Struct):
    number: int


async def fill(bus: Bus, subject: str, numbers: range) -> None:
    for number in numbers:
        await bus.store(subject, codec.encode(Note(number)))


def numbers(stored: list[Stored]) -> list[int]:
    return [codec.decode(message.data, Note).number for message in stored]


async def everything(bus: Bus, stream: str, subject: str, after: int = 0) -> list[Stored]:
    return [message async for message in replay(bus, stream, subject, after)]


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_a_subject_is_replayed_in_order_without_its_neighbours(bus: Bus, stream: str, subject: str):
    for number in range(6):
        await fill(bus, subject.format("ab"[number % 2]), range(number, number + 1))

    found = await everything(bus, stream, subject.format("a"))
    assert numbers(found) == [0, 2, 4]
    assert {message.subject for message in found} == {subject.format("a")}


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_a_replay_begins_after_the_sequence_it_is_given(bus: Bus, stream: str, subject: str):
    await fill(bus, subject.format("a"), range(5))
    found = await everything(bus, stream, subject.format("a"))

    assert numbers(await everything(bus, stream, subject.format("a"), found[1].seq)) == [2, 3, 4]
    assert await everything(bus, stream, subject.format("a"), found[-1].seq) == []


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_a_subject_nobody_wrote_to_is_empty(bus: Bus, stream: str, subject: str):
    assert await everything(bus, stream, subject.format("a")) == []


@pytest.mark.parametrize(("stream", "subject"), STREAMS)
async def test_wildcards_replay_all_subjects_in_the_order_of_the_stream(bus: Bus, stream: str, subject: str):
    for number in range(6):
        await fill(bus, subject.format(f"r{number}"), range(number, number + 1))

    found = await everything(bus, stream, subject.format("*"))
    assert numbers(found) == list(range(6))
    assert [message.seq for message in found] == sorted(message.seq for message in found)


async def test_more_than_a_page_of_log_lines_comes_in_one_replay(bus: Bus):
    sends = [bus.nc.publish("muster.logs.r.s", codec.encode(Note(number))) for number in range(1203)]
    await asyncio.gather(*sends)
    await bus.store("muster.logs.r.s", codec.encode(Note(1203)))

    assert numbers(await everything(bus, "LOGS", "muster.logs.r.>")) == list(range(1204))


async def test_reading_a_log_sets_where_the_next_append_goes(bus: Bus, other: Bus):
    await fill(bus, "muster.journal.r.n.1", range(3))
    log = Log(other, "JOURNAL", "muster.journal.r.n.1")

    assert numbers(await log.read()) == [0, 1, 2]
    await log.append(Note(3))
    assert numbers(await log.read()) == [0, 1, 2, 3]


async def test_a_page_that_the_server_cannot_give_is_an_error_and_not_the_end(bus: Bus):
    await fill(bus, "muster.logs.r.s", range(3))
    await bus.js.delete_stream("LOGS")

    with pytest.raises(BusError, match="LOGS"):
        await everything(bus, "LOGS", "muster.logs.r.s")


def row(run: str = "r", **more: object) -> RunRow:
    return msgspec.structs.replace(RunRow(run=run, name="n", status="running"), **more)


async def test_rows_are_made_once_read_replaced_and_deleted(bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    assert await rows.get("r") is None
    assert await rows.create("r", row())
    assert not await rows.create("r", row(name="another"))
    assert await rows.get("r") == row()

    await rows.put("r", row(done=1))
    assert await rows.get("r") == row(done=1)
    await rows.delete("r")
    assert await rows.get("r") is None
    await rows.delete("r")
    assert await rows.create("r", row(done=2))


async def test_a_row_is_updated_only_from_the_revision_one_has_seen(bus: Bus, other: Bus):
    mine, theirs = Rows(bus, "RUN_LIST", RunRow), Rows(other, "RUN_LIST", RunRow)
    first = await mine.update("r", row(), 0)
    assert first is not None
    assert await theirs.update("r", row(name="theirs"), 0) is None
    second = await theirs.update("r", row(name="theirs"), first)
    assert second is not None

    assert await mine.update("r", row(name="mine"), first) is None
    assert await mine.entry("r") == (row(name="theirs"), second)


async def test_all_rows_are_listed_once_each_without_the_deleted(bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    for number in range(5):
        await rows.put(f"r{number}", row(f"r{number}"))
    await rows.put("r1", row("r1", done=1))
    await rows.delete("r3")

    assert {(found.run, found.done) for found in await rows.all()} == {("r0", 0), ("r1", 1), ("r2", 0), ("r4", 0)}


async def test_a_row_that_cannot_be_read_is_left_out_and_spoils_nothing(bus: Bus):
    rows, others = Rows(bus, "RUN_LIST", RunRow), Rows(bus, "RUN_LIST", Note)
    await others.put("bad", Note(1))
    await rows.put("good", row("good"))

    assert [found.run for found in await rows.all()] == ["good"]
    assert await rows.get("bad") is None


async def test_more_rows_than_a_page_are_listed(bus: Bus):
    rows = Rows(bus, "RUN_LIST", RunRow)
    await rows.put("first", row("first"))
    for batch in range(6):
        await asyncio.gather(*(rows.put(f"r{batch}-{number}", row()) for number in range(100)))

    assert len(await rows.all()) == 601


@pytest.mark.parametrize("size", [0, 1, 200_000, 1_500_000])
async def test_an_artifact_comes_back_as_it_went_whatever_its_size(bus: Bus, size: int):
    data = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    stored = await put_artifact(bus, "r/t/screen.png", data, "image/png")

    assert stored == build_reference("r/t/screen.png", data, "image/png")
    assert (stored.size, stored.content_type) == (size, "image/png")
    assert await get_artifact(bus, "r/t/screen.png") == data


async def test_an_artifact_that_is_not_there_is_none(bus: Bus):
    assert await get_artifact(bus, "r/nothing") is None


async def test_an_artifact_of_the_same_name_replaces_the_one_before(bus: Bus):
    await put_artifact(bus, "r/a", b"old" * 1000, "text/plain")
    await put_artifact(bus, "r/a", b"new", "text/plain")

    assert await get_artifact(bus, "r/a") == b"new"
    assert await list_artifacts(bus, "r/") == ["r/a"]


async def test_an_artifact_that_lost_a_piece_or_is_another_than_the_one_meant_is_not_read_as_if_it_were_whole(bus: Bus):
    meant = build_reference("r/a", b"meant", "text/plain").sha256
    await put_artifact(bus, "r/a", b"another", "text/plain")
    with pytest.raises(Replaced, match="was replaced"):
        assert [piece async for piece in read_artifact(bus, "r/a", meant)]

    await put_artifact(bus, "r/b", b"x" * 300_000, "text/plain")
    (subject,) = (await list_subjects(bus, "OBJ_ARTIFACTS", "$O.ARTIFACTS.C.>")).subjects[-1:]
    piece = await bus.js.get_last_msg("OBJ_ARTIFACTS", subject)
    await bus.js.delete_msg("OBJ_ARTIFACTS", piece.seq or 0)
    with pytest.raises(Replaced, match="while it was read"):
        await get_artifact(bus, "r/b")


async def test_artifacts_are_listed_by_the_beginning_of_their_names(bus: Bus):
    assert await list_artifacts(bus, "r1/") == []
    for name in ("r1/a", "r1/b", "r10/a"):
        await put_artifact(bus, name, b"x", "text/plain")

    assert sorted(await list_artifacts(bus, "r1/")) == ["r1/a", "r1/b"]


async def test_a_log_line_that_is_too_long_for_the_stream_is_not_stored_and_hurts_nobody(bus: Bus):
    line = LogRecord(run="r", source="s", number=1, at=0.0, kind="message", text="x" * 300_000)
    await bus.publish("muster.logs.r.s", line)
    await bus.store("muster.logs.r.s", codec.encode(msgspec.structs.replace(line, number=2, text="short")))

    found = await everything(bus, "LOGS", "muster.logs.r.s")
    assert [codec.decode(message.data, LogRecord).number for message in found] == [2]

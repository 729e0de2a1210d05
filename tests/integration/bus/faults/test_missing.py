"""Streams and consumers that were deleted or are full: named at once, and work goes on when they are there again."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from fleet import ACK_WAIT as FLEET_ACK_WAIT
from fleet import Fleet, fleet
from nats.errors import Error as NatsError
from waiting import eventually
from watched import Watched, problem_metric
from workshop import SUBJECT, Workshop, acks, at_work, put

from muster_bus import Bus, Log, NotStored, Rows, StoreRefused, newest, provision, replay
from muster_bus.artifact_store import get_artifact, put_artifact
from muster_bus.dead_letter_store import read_dead
from muster_bus.nats_server import NatsServer, executable
from muster_bus.run_store import find_request, store_request
from muster_bus.testing import connected
from muster_client.runs import submit
from muster_protocol.errors import BusError, Busy, InvalidRequest, OutcomeUnknown
from muster_protocol.logs import WorkerRow
from muster_protocol.requests import Drill, RunRequest

NAMED = 5.0
"""Seconds until what is missing is named, on a busy machine: milliseconds, or 2.5 s where the server's notice is lost."""


class Note(msgspec.Struct):
    text: str


ROW = WorkerRow(id="a", service="subagent", host="h", pid=1, version="1")


async def resize(bus: Bus, stream: str, **limits: int) -> None:
    await bus.js.update_stream((await bus.js.stream_info(stream)).config.evolve(**limits))


async def test_a_deleted_consumer_is_named_and_pulled_from_again_once_provisioned(bus: Bus, other: Bus):
    workshop = Workshop(acks)
    async with at_work(bus, workshop):
        await put(other, "before")
        await eventually(lambda: workshop.done == ["before"], "it works")
        await bus.nc.flush()  # the ack is there
        await other.js.delete_consumer("TASKS", "act-normal")
        await eventually(lambda: "consumer TASKS/act-normal" in bus.trouble, "it is named", NAMED)
        assert "`muster provision` creates it again" in bus.trouble
        await provision(other)
        await eventually(lambda: bus.trouble == "", "it is over, with nothing to do yet", 5.0)
        await put(other, "after")
        await eventually(lambda: workshop.done == ["before", "after"], "it works again")


async def test_a_deleted_stream_is_named_by_its_readers_and_its_writers(bus: Bus, other: Bus):
    workshop = Workshop(acks)
    async with at_work(bus, workshop):
        await other.js.delete_stream("TASKS")
        await eventually(lambda: "consumer TASKS/act-normal" in bus.trouble, "the reader names it", NAMED)
        with pytest.raises(NotStored, match=SUBJECT):
            await put(other, "lost")
        assert "stream TASKS: it is missing" in other.trouble
        await provision(other)
        await put(other, "after")
        assert other.trouble == ""
        await eventually(lambda: workshop.done == ["after"], "it works again")


async def test_a_message_is_not_said_to_be_absent_from_a_stream_that_is_not_there(bus: Bus, other: Bus):
    looks = {
        "RUNS": lambda: newest(bus, "RUNS", "muster.runs.r.events"),
        "JOURNAL": lambda: _read_all(bus, "JOURNAL", "muster.journal.r.n.1"),
        "REQUESTS": lambda: find_request(bus, "r"),
        "DEAD": lambda: read_dead(bus, 1),
    }
    for stream, look in looks.items():
        await other.js.delete_stream(stream)
        with pytest.raises(NatsError, match=f"stream {stream} does not answer: it is missing"):
            await look()
        assert f"stream {stream}" in bus.trouble

    await provision(other)
    assert await newest(bus, "RUNS", "muster.runs.r.events") is None
    assert await _read_all(bus, "JOURNAL", "muster.journal.r.n.1") == []
    assert await find_request(bus, "r") is None
    with pytest.raises(InvalidRequest, match="there is no dead letter 1"):
        await read_dead(bus, 1)


async def _read_all(bus: Bus, stream: str, subject: str) -> list[bytes]:
    return [message.data async for message in replay(bus, stream, subject)]


async def test_an_append_to_a_deleted_stream_says_so_and_does_not_pass_for_fenced(bus: Bus, other: Bus):
    log = Log(bus, "JOURNAL", "muster.journal.r.n.1")
    await log.append(Note("before"))
    await other.js.delete_stream("JOURNAL")
    appending = asyncio.ensure_future(log.append(Note("lost")))
    await eventually(lambda: "stream JOURNAL: it is missing" in bus.trouble, "it is named", NAMED)

    with pytest.raises(OutcomeUnknown, match="no stream takes"):
        await appending


@pytest.mark.parametrize(
    ("stream", "subject"), [("TASKS", SUBJECT), ("RUNS", "muster.runs.r.events"), ("REQUESTS", "muster.requests.x")]
)
async def test_a_full_stream_refuses_and_is_named_and_takes_more_once_there_is_room(
    bus: Bus, other: Bus, stream: str, subject: str
):
    await bus.store(subject, b"1")
    await resize(other, stream, max_msgs=1)
    with pytest.raises(StoreRefused, match="maximum messages exceeded"):
        await bus.store(subject.replace(".x", ".y"), b"2")
    assert f"stream {stream}: takes nothing more: maximum messages exceeded" in bus.trouble
    await resize(other, stream, max_msgs=10)

    await bus.store(subject.replace(".x", ".y"), b"2")
    assert bus.trouble == ""


async def test_a_bucket_that_is_not_there_is_named_by_whoever_needs_it_until_it_is_there(bus: Bus, other: Bus):
    rows = Rows(bus, "SESSIONS", WorkerRow)
    assert await rows.get("a.main") is None  # from now on it is known where the bucket is
    await other.js.delete_stream("KV_SESSIONS")
    calls = {"get": lambda: rows.get("a.main"), "put": lambda: rows.put("a.main", ROW), "all": rows.all}
    for name, call in calls.items():
        bus.problems.resolve("bucket SESSIONS")
        with pytest.raises((NatsError, BusError)):
            await call()
        assert "bucket SESSIONS: it is missing" in bus.trouble, name
    fresh = Rows(other, "SESSIONS", WorkerRow)
    with pytest.raises(NatsError):
        await fresh.create("a.main", ROW)
    assert "bucket SESSIONS: it is missing" in other.trouble

    await provision(other)
    assert await rows.get("a.main") is None
    await fresh.put("a.main", ROW)
    assert bus.trouble == other.trouble == ""


async def test_a_row_that_is_not_there_or_not_as_it_was_is_no_trouble_with_its_bucket(bus: Bus):
    rows = Rows(bus, "SESSIONS", WorkerRow)
    assert await rows.get("a.main") is None
    assert await rows.create("a.main", ROW)
    assert not await rows.create("a.main", ROW)
    assert await rows.update("a.main", ROW, 99) is None
    assert bus.trouble == ""


async def test_a_full_bucket_is_named(bus: Bus, other: Bus):
    await resize(other, "KV_SESSIONS", max_bytes=1)
    with pytest.raises(NatsError):
        await Rows(bus, "SESSIONS", WorkerRow).put("a.main", ROW)
    assert "bucket SESSIONS: takes nothing more: maximum bytes exceeded" in bus.trouble


async def test_the_store_of_files_is_named_when_it_is_not_there(bus: Bus, other: Bus):
    await other.js.delete_stream("OBJ_ARTIFACTS")
    with pytest.raises(NatsError):
        await put_artifact(bus, "run/main/file", b"1", "text/plain")
    with pytest.raises(NatsError):
        await get_artifact(other, "run/main/file")
    assert "bucket ARTIFACTS: it is missing" in bus.trouble
    assert "bucket ARTIFACTS: it is missing" in other.trouble

    await provision(other)
    await put_artifact(bus, "run/main/file", b"1", "text/plain")
    assert await get_artifact(other, "run/main/file") == b"1"
    assert bus.trouble == other.trouble == ""


async def test_an_append_to_a_full_log_goes_on_as_soon_as_there_is_room(bus: Bus, other: Bus):
    log = Log(bus, "RUNS", "muster.runs.r.events")
    await log.append(Note("1"))
    await resize(other, "RUNS", max_msgs=1)
    appending = asyncio.ensure_future(log.append(Note("2")))
    await eventually(lambda: "stream RUNS" in bus.trouble, "it is full")
    await resize(other, "RUNS", max_msgs=10)

    assert await appending == 2


@asynccontextmanager
async def without_jetstream(server: NatsServer) -> AsyncGenerator[None]:
    """Replace the server by one on the same port that only passes messages on, and start it again afterwards."""
    await server.stop()
    command = (executable(), "-a", "127.0.0.1", "-p", str(server.port))
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        await process.wait()
        await server.start()


async def test_a_server_without_jetstream_is_named_and_work_goes_on_once_it_has_it(
    server: NatsServer, bus: Bus, other: Bus
):
    workshop = Workshop(acks)
    async with at_work(bus, workshop):
        async with without_jetstream(server):
            await eventually(lambda: "JetStream is not ready" in bus.trouble, "the reader names it", 10.0)
            await eventually(lambda: other.nc.is_connected, "the writer is connected")
            with pytest.raises(NotStored, match="JetStream is not ready"):
                await put(other, "lost")
        await eventually(lambda: other.nc.is_connected, "the writer is connected again")
        await put(other, "a")
        await eventually(lambda: workshop.done == ["a"], "it works again")
        assert bus.trouble == other.trouble == ""


async def test_a_request_that_is_there_already_is_no_trouble_with_the_queue(bus: Bus):
    await bus.store("muster.requests.r", b"1")
    with pytest.raises(StoreRefused):
        await bus.store("muster.requests.r", b"2")
    assert bus.trouble == ""


async def test_a_full_queue_of_requests_refuses_new_ones_with_a_reason(bus: Bus, other: Bus):
    await store_request(bus, RunRequest(job=Drill(count=1), id="run-1"))
    await resize(other, "REQUESTS", max_msgs=1)

    with pytest.raises(Busy, match="takes no more requests now: maximum messages exceeded"):
        await store_request(bus, RunRequest(job=Drill(count=1), id="run-2"))


async def provisioned(group: Fleet) -> None:
    async with connected(group.server, ack_wait_seconds=FLEET_ACK_WAIT) as bus:
        await provision(bus)


@pytest.mark.slow
async def test_a_fleet_names_what_was_deleted_and_works_again_without_a_restart(tmp_path: Path):
    orchestrator, worker = Watched(), Watched()
    async with fleet(tmp_path, METRICS_HOST="127.0.0.1") as group:
        await group.start("orchestrator", METRICS_PORT=str(orchestrator.port))
        await group.start("subagent", METRICS_PORT=str(worker.port))
        await worker.says(200)
        for stream in ("REQUESTS", "TASKS", "KV_TRIGGERS", "KV_RUN_LIST"):
            await group.bus.js.delete_stream(stream)
        await orchestrator.says(503, "consumer REQUESTS/runs: cannot pull work: it is missing", 15.0)
        await orchestrator.says(503, "bucket TRIGGERS", 15.0)
        await orchestrator.says(503, "bucket RUN_LIST", 15.0)
        await worker.says(503, "consumer TASKS/act-normal", 15.0)
        assert problem_metric((await worker.get("/metrics")).text, "consumer TASKS/act-normal") == 1.0
        await provisioned(group)
        await orchestrator.says(200)
        await worker.says(200)
        assert problem_metric((await worker.get("/metrics")).text, "consumer TASKS/act-normal") == 0.0

        run = (await submit(group.bus, RunRequest(job=Drill(count=2)))).run
        assert (await group.verdict(run)).status == "pass"
    told = "".join(log.read_text() for log in tmp_path.glob("*.log"))
    assert "a stream is missing on the NATS server: `muster provision` creates what is missing" in told
    assert "Error()" not in told


@pytest.mark.slow
async def test_a_session_host_is_not_ready_on_a_server_with_nothing_provisioned_nor_without_its_bucket(tmp_path: Path):
    host = Watched()
    async with fleet(tmp_path, METRICS_HOST="127.0.0.1") as group:
        for bucket in ("KV_WORKERS", "KV_SESSIONS"):
            await group.bus.js.delete_stream(bucket)
        starting = asyncio.ensure_future(
            group.start("sessions", METRICS_PORT=str(host.port), SESSION_HEARTBEAT_SECONDS="0.5")
        )
        await host.says(503, "bucket WORKERS: it is missing", 15.0)
        await provisioned(group)
        await starting
        await host.says(200)
        await group.bus.js.delete_stream("KV_SESSIONS")
        await host.says(503, "bucket SESSIONS: it is missing")
        await provisioned(group)
        await host.says(200)


@pytest.mark.slow
async def test_runs_in_progress_outlast_a_full_log_and_a_full_work_queue(tmp_path: Path):
    async with fleet(tmp_path) as group:
        await group.start("orchestrator")
        await group.start("subagent")
        runs = [(await submit(group.bus, RunRequest(job=Drill(count=6, wait_seconds=0.3)))).run for _ in range(3)]

        async def begun() -> bool:
            return bool(await group.journal(f"{runs[0]}.drill-2.1"))

        await eventually(begun, "the second sub-task has begun")
        limits = {stream: (await group.bus.js.stream_info(stream)).state.messages for stream in ("RUNS", "TASKS")}
        for stream, count in limits.items():
            await resize(group.bus, stream, max_msgs=max(1, count))

        with pytest.raises(StoreRefused):
            await group.bus.store("muster.runs.probe.events", b"{}")
        for stream in limits:
            await resize(group.bus, stream, max_msgs=1_000_000)
        verdicts = [await group.verdict(run) for run in runs]
        assert [verdict.status for verdict in verdicts] == ["pass"] * 3

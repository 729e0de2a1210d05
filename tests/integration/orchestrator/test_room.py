"""Full streams refuse new runs with a clear error; runs under way are finished."""

from typing import Any

import pytest
from fleet import Fleet
from played import PlayedWorker, kinds_of
from waiting import eventually

from muster_bus import Bus, Rows
from muster_bus.run_store import read_entries
from muster_bus.streams import RUNS_CONSUMER
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.causes import Cause
from muster_protocol.control import Cancel, Pause
from muster_protocol.errors import Busy, Conflict
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest

NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}


async def limit(bus: Bus, stream: str, **limits: int) -> None:
    """Change a stream's limits, as an operator would."""
    config = (await bus.js.stream_info(stream)).config
    await bus.js.update_stream(config.evolve(**limits))


async def fill_the_logs(bus: Bus) -> None:
    """Make the stream of run logs a bit more than nine tenths full."""
    await limit(bus, "RUNS", max_bytes=1_000_000)
    await bus.store("muster.runs.old.events", b"x" * 920_000)


async def row_says(bus: Bus, run: str, status: str) -> None:
    async def look() -> bool:
        row = await Rows(bus, "RUN_LIST", RunRow).get(run)
        return row is not None and row.status == status

    await eventually(look, f"the list says {status} for {run}")


async def refusal(bus: Bus) -> str:
    """Return what is answered to a new request, or "" if it is taken."""
    try:
        await submit(bus, RunRequest(job=Drill(count=1)))
    except Busy as error:
        return str(error)
    return ""


async def test_a_full_stream_refuses_new_runs_and_says_which_it_is_and_what_to_do(team: Fleet, bus: Bus):
    await fill_the_logs(bus)
    await team.start("orchestrator")

    assert await refusal(bus) == (
        "stream RUNS is 92% full, so no new run is taken now: remove old runs or raise its limit, then try again"
    )
    assert (await bus.js.stream_info("REQUESTS")).state.messages == 0
    await limit(bus, "RUNS", max_bytes=10_000_000)

    async def taken() -> bool:
        return await refusal(bus) == ""

    await eventually(taken, "with room again, requests are taken again")


@pytest.mark.slow
async def test_runs_under_way_are_finished_and_known_ones_answered_for_while_new_ones_are_refused(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    await team.start("orchestrator")
    await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))
    await worker.does("run-1", **NOTHING)
    await fill_the_logs(bus)

    async def refused() -> bool:
        return "stream RUNS is" in await refusal(bus)

    await eventually(refused, "new runs are refused")
    assert (await submit(bus, RunRequest(job=Drill(count=3), id="run-1"))).duplicate
    with pytest.raises(Conflict, match="exists with another job"):
        await submit(bus, RunRequest(job=Drill(count=4), id="run-1"))
    await worker.does("run-1", 2, **NOTHING)
    assert (await team.verdict("run-1")).status == "pass"


@pytest.mark.slow
async def test_a_request_that_was_published_waits_until_there_is_room(team: Fleet, bus: Bus, worker: PlayedWorker):
    await limit(bus, "TASKS", max_msgs=10)
    for number in range(9):
        await bus.store("muster.tasks.gpu.normal", b"waiting", {"Nats-Msg-Id": f"t{number}"})
    await team.start("orchestrator")
    await bus.store("muster.requests.run-1", codec.encode(RunRequest(job=Drill(count=1), id="run-1")))

    async def handed_back() -> bool:
        return any("new run delayed" in path.read_text() for path in team.folder.glob("orchestrator-*.log"))

    await eventually(handed_back, "the orchestrator says that it has to wait")
    assert await read_entries(bus, "run-1") == []
    await bus.js.purge_stream("TASKS")
    await worker.does("run-1", **NOTHING)
    assert (await team.verdict("run-1")).status == "pass"


async def no_more_are_handed_out(bus: Bus, limit: int) -> None:
    """Wait until as many messages of the queue are handed out as may be at once."""

    async def look() -> bool:
        return (await bus.js.consumer_info("REQUESTS", RUNS_CONSUMER)).num_ack_pending == limit

    await eventually(look, f"{limit} messages are handed out")


@pytest.mark.slow
async def test_however_many_new_runs_wait_for_room_others_are_taken_over_and_parked_ones_cancelled(
    team: Fleet, bus: Bus, worker: PlayedWorker
):
    config = (await bus.js.consumer_info("REQUESTS", RUNS_CONSUMER)).config
    await bus.js.add_consumer("REQUESTS", config.evolve(max_ack_pending=4))
    first = await team.start("orchestrator")
    await bus.store(bus.names.control("parked"), codec.encode(Pause(id="p")))
    await submit(bus, RunRequest(job=Drill(count=1), id="parked"))
    await row_says(bus, "parked", "paused")
    await submit(bus, RunRequest(job=Drill(count=2), id="busy"))
    await worker.does("busy", **NOTHING)
    first.kill()
    await first.wait()
    await fill_the_logs(bus)
    for number in range(10):
        await bus.store(bus.names.request(f"new-{number}"), codec.encode(RunRequest(job=Drill(count=1))))
    await team.start("orchestrator")
    await no_more_are_handed_out(bus, 4)

    await send_control(bus, "parked", Cancel(id="c"))
    assert (await team.verdict("parked", seconds=10.0)).cause == Cause.CANCELLED
    await row_says(bus, "parked", "fail")
    await worker.does("busy", **NOTHING)
    assert (await team.verdict("busy", seconds=20.0)).status == "pass"
    assert await read_entries(bus, "new-0") == []

    await limit(bus, "RUNS", max_bytes=10_000_000)
    await team.start("subagent")
    kinds = kinds_of(await team.closed("parked"))
    assert kinds[-6:] == ["OwnerChanged", "Woken", "ControlApplied", "VerdictReached", "OwnerChanged", "RunClosed"]
    for number in range(10):
        assert (await team.verdict(f"new-{number}")).status == "pass"

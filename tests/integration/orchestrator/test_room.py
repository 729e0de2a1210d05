"""Full streams refuse new runs with a clear error; runs under way are finished."""

from typing import Any

import pytest
from fleet import Fleet, eventually
from played import PlayedWorker

from muster_protocol import codec
from muster_protocol.bus import Bus
from muster_protocol.errors import Busy, Conflict
from muster_protocol.requests import Drill, RunRequest
from muster_protocol.runs import read_entries, submit

NOTHING: dict[str, Any] = {"evidence": (), "unverified": True}


async def limit(bus: Bus, stream: str, **limits: int) -> None:
    """Change a stream's limits, as an operator would."""
    config = (await bus.js.stream_info(stream)).config
    await bus.js.update_stream(config.evolve(**limits))


async def fill_the_logs(bus: Bus) -> None:
    """Make the stream of run logs a bit more than nine tenths full."""
    await limit(bus, "RUNS", max_bytes=1_000_000)
    await bus.store("muster.runs.old.events", b"x" * 920_000)


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


async def test_a_request_that_was_published_waits_until_there_is_room(team: Fleet, bus: Bus, worker: PlayedWorker):
    await limit(bus, "TASKS", max_msgs=10)
    for number in range(9):
        await bus.store("muster.tasks.gpu.normal", b"waiting", {"Nats-Msg-Id": f"t{number}"})
    await team.start("orchestrator")
    await bus.store("muster.requests.run-1", codec.encode(RunRequest(job=Drill(count=1), id="run-1")))

    async def handed_back() -> bool:
        return any("a new run has to wait" in path.read_text() for path in team.folder.glob("orchestrator-*.log"))

    await eventually(handed_back, "the orchestrator says that it has to wait")
    assert await read_entries(bus, "run-1") == []
    await bus.js.purge_stream("TASKS")
    await worker.does("run-1", **NOTHING)
    assert (await team.verdict("run-1")).status == "pass"

"""Artifacts go with their run, with age, and where the store is nearly full, whichever orchestrator looks."""

import asyncio
import time

from fleet import Fleet
from nats.js.api import ObjectStoreConfig
from waiting import eventually

from muster_bus import Bus, Rows
from muster_bus.artifact_store import get_artifact, list_artifacts, put_artifact
from muster_orchestrator.artifact_cleanup import DAY, ArtifactCleaner
from muster_protocol.logs import RunRow


async def store(bus: Bus, *runs: str, logged: bool = True) -> None:
    for run in runs:
        if logged:
            await bus.store(bus.names.events(run), b"{}")
        for name in ("session/main-trace.zip", "checkpoint/main.json", "step-1/ünïcode.png"):
            await put_artifact(bus, f"{run}/{name}", b"x" * 200_000, "application/zip")


async def runs_left(bus: Bus) -> list[str]:
    return sorted({name.partition("/")[0] for name in await list_artifacts(bus, "")})


def clearer(bus: Bus, days: float = 30.0, busy: tuple[str, ...] | None = ()) -> ArtifactCleaner:
    return ArtifactCleaner(bus, days, lambda: busy)


async def test_artifacts_of_a_run_whose_log_is_gone_go_wholly_by_any_number_of_orchestrators(bus: Bus) -> None:
    await store(bus, "run-1", "run-2")
    await store(bus, "run-gone", "run-busy", logged=False)
    assert await clearer(bus, busy=None).clean(time.time()) == 0  # it is not known yet which runs are under way
    await asyncio.gather(*(clearer(bus, busy=("run-busy",)).clean(time.time()) for _ in range(3)))

    assert await runs_left(bus) == ["run-1", "run-2", "run-busy"]
    before = (await bus.js.stream_info("OBJ_ARTIFACTS")).state
    await bus.js.purge_stream("RUNS", subject=bus.names.events("run-2"))
    assert await clearer(bus, busy=("run-busy",)).clean(time.time()) == 3
    after = (await bus.js.stream_info("OBJ_ARTIFACTS")).state
    assert after.messages == before.messages * 2 / 3  # neither pieces nor names stay behind
    assert await get_artifact(bus, "run-1/step-1/ünïcode.png") == b"x" * 200_000


async def test_what_is_too_old_goes_unless_its_run_is_not_over(bus: Bus) -> None:
    await store(bus, "run-1", "run-parked")
    assert await clearer(bus, 2.0, ("run-parked",)).clean(time.time() + 1.9 * DAY) == 0
    assert await clearer(bus, 2.0, ("run-parked",)).clean(time.time() + 2.1 * DAY) == 3
    assert await runs_left(bus) == ["run-parked"]


async def test_the_oldest_go_before_the_store_is_full(bus: Bus) -> None:
    await bus.js.delete_object_store("ARTIFACTS")
    await bus.js.create_object_store("ARTIFACTS", config=ObjectStoreConfig(max_bytes=2_000_000))
    await store(bus, "run-1", "run-2", "run-3")
    assert await clearer(bus, busy=("run-1",)).clean(time.time()) == 2
    assert await runs_left(bus) == ["run-1", "run-2", "run-3"]
    assert len(await list_artifacts(bus, "run-2/")) == 1
    for number in range(2):
        await put_artifact(bus, f"run-3/more-{number}", b"x" * 200_000, "application/zip")
    assert await clearer(bus).clean(time.time()) == 2
    assert len(await list_artifacts(bus, "run-1/")) == 1


async def test_a_name_that_is_stored_anew_while_it_is_removed_keeps_its_new_content(bus: Bus) -> None:
    for number in range(5):
        name = f"run-{number}/session/main-trace.zip"
        await put_artifact(bus, name, b"old", "application/zip")
        await asyncio.gather(
            clearer(bus).clean(time.time()), put_artifact(bus, name, b"new" * 100_000, "application/zip")
        )
        left = await get_artifact(bus, name)
        assert left in (b"new" * 100_000, None)  # never a name without what it stands for
        assert await list_artifacts(bus, name) == ([name] if left else [])


async def test_an_orchestrator_clears_by_itself(team: Fleet, bus: Bus) -> None:
    await store(bus, "run-gone", logged=False)
    await Rows(bus, "RUN_LIST", RunRow).put("run-1", RunRow(run="run-1", name="a", status="pass"))
    await team.start("orchestrator", SWEEP_SECONDS="0.1", ARTIFACT_SWEEP_SECONDS="0.2")

    async def gone() -> bool:
        return await runs_left(bus) == []

    await eventually(gone, "the artifacts are removed")

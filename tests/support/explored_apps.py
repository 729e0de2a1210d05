"""Explorations through a fleet of real processes."""

from functools import partial
from pathlib import Path

import msgspec
from fleet import Fleet
from msgspec.structs import replace
from waiting import eventually

from muster_bus.artifact_store import get_artifact
from muster_client.runs import submit
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_protocol.requests import DeviceSpec, Exploration, RunRequest, TestCase
from muster_protocol.verdicts import Verdict

APP = Path(__file__).parents[2] / "examples" / "screens" / "shop.yaml"
KNOWN = {"User name": "tester", "Password": "swordfish"}


def shop(*faults: str) -> DeviceSpec:
    return DeviceSpec(kind="screens", definition=APP.read_text(), source=str(APP), faults=faults)


async def start(group: Fleet, workers: int = 1) -> None:
    await group.start("sessions", BROWSER_EXECUTABLE="/nowhere")
    await group.start("orchestrator", SESSION_WAIT_SECONDS="5")
    for _ in range(workers):
        await group.start("subagent")


async def explored(group: Fleet, job: Exploration) -> tuple[Verdict, MapFile]:
    run = (await submit(group.bus, RunRequest(job=job))).run
    verdict = await group.verdict(run)
    file = partial(get_artifact, group.bus, f"{run}/{MAP_FILE}")
    data = await eventually(file, "the map is stored, which follows the verdict in the log")
    return verdict, msgspec.json.decode(data, type=MapFile)


async def verdict_of(group: Fleet, case: TestCase, device: DeviceSpec) -> Verdict:
    return await group.verdict((await submit(group.bus, RunRequest(job=replace(case, device=device)))).run)

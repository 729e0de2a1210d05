"""An exploration in real Chromium finds fifteen faults, and each has a case that tells the broken app from the mended."""

from pathlib import Path

import pytest
from explored_apps import explored
from faulty_site import FAULTS, Fault, faulty_site
from fleet import fleet

from muster_client.runs import submit
from muster_exploration.app_map import AppMap
from muster_exploration.case_writing import finding_case
from muster_protocol.causes import Cause
from muster_protocol.requests import Exploration, RunRequest, TestCase


def place_of(known: AppMap, fault: Fault) -> int:
    """Return the place of the finding that tells of a fault; -1: none does."""
    told = (
        number
        for number, one in enumerate(known.findings)
        if one.kind == fault.kind and (fault.says in one.text or fault.says == one.rule)
    )
    return next(told, -1)


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_each_fault_is_found_and_its_case_fails_until_it_is_mended(tmp_path: Path) -> None:
    with faulty_site() as site:
        async with fleet(tmp_path) as group:
            await group.start("sessions")
            await group.start("orchestrator")
            for _ in range(2):
                await group.start("subagent")
            _, file = await explored(group, Exploration(url=site.url, max_steps=200, sessions=2))
            places = {fault: place_of(file.map, fault) for fault in FAULTS}
            missed = [fault for fault, place in places.items() if place < 0]
            assert missed == [], "\n".join(f"{one.kind} {one.rule} {one.text}" for one in file.map.findings)
            cases: dict[Fault, TestCase] = {}
            for fault, place in places.items():
                written = finding_case(file, place)
                assert written is not None, fault
                cases[fault] = written.case
            for mended, expected in ((False, ("fail", Cause.PRODUCT)), (True, ("pass", None))):
                site.mended = mended
                runs = {fault: (await submit(group.bus, RunRequest(job=case))).run for fault, case in cases.items()}
                verdicts = {fault: await group.verdict(run) for fault, run in runs.items()}
                wrong = {fault: one for fault, one in verdicts.items() if (one.status, one.cause) != expected}
                told = [(fault, one.status, one.cause, one.summary) for fault, one in wrong.items()]
                assert not told, "\n".join(map(str, told))


@pytest.mark.slow
async def test_a_slow_page_is_a_finding_whose_case_passes_once_it_is_quick(tmp_path: Path) -> None:
    with faulty_site() as site:
        site.delays["/portraits"] = 5.0
        async with fleet(tmp_path) as group:
            await group.start("sessions")
            await group.start("orchestrator")
            await group.start("subagent")
            _, file = await explored(group, Exploration(url=site.url, max_steps=60, slow_seconds=2.5))
            (number,) = [at for at, one in enumerate(file.map.findings) if one.kind == "slow"]
            assert file.map.findings[number].address.endswith("/portraits")
            written = finding_case(file, number)
            assert written is not None
            for mended, expected in ((False, ("fail", Cause.PRODUCT)), (True, ("pass", None))):
                site.mended = mended
                one = await group.verdict((await submit(group.bus, RunRequest(job=written.case))).run)
                assert (one.status, one.cause) == expected, one.summary

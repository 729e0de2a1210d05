"""Cases on devices that are no browser, and on none, through a fleet of real processes."""

from pathlib import Path

import pytest
from fleet import Fleet, fleet
from msgspec.structs import replace
from session_stage import processes_with
from waiting import eventually

from muster_cases.case_loader import load_paths
from muster_client.runs import submit
from muster_protocol.causes import Cause
from muster_protocol.requests import DeviceSpec, RunRequest, Step, TestCase
from muster_protocol.verdicts import Verdict
from muster_sessionhost.process_reaper import find_processes

EXAMPLES = Path(__file__).parents[2] / "examples"


async def start(group: Fleet, **host: str) -> None:
    """Start what a run needs, the session host with settings of its own."""
    await group.start("sessions", **host)
    await group.start("orchestrator", SESSION_WAIT_SECONDS="1")
    await group.start("subagent")


async def verdict_of(group: Fleet, case: TestCase) -> Verdict:
    run = (await submit(group.bus, RunRequest(job=case))).run
    return await group.verdict(run)


def example(*faults: str) -> TestCase:
    (loaded,) = load_paths([EXAMPLES / "screens" / "cases" / "buy-a-backpack.yaml"])
    assert isinstance(loaded.request.job, TestCase)
    assert loaded.request.job.device is not None
    return replace(loaded.request.job, device=replace(loaded.request.job.device, faults=faults))


def commands(device: DeviceSpec | None) -> TestCase:
    step = Step(action='Run the command "echo hello"', expected='The output contains "hello"')
    return TestCase(name="Commands", steps=(step,), device=device)


@pytest.mark.slow
async def test_a_case_on_a_simulated_device_passes_and_fails_as_its_app_does_without_a_browser(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group, SESSIONS_DIR=str(tmp_path / "sessions"), BROWSER_EXECUTABLE="/nowhere")
        passed = await verdict_of(group, example())
        assert (passed.status, passed.summary) == ("pass", passed.summary)
        failed = await verdict_of(group, example("order-lost"))
        assert (failed.status, failed.cause) == ("fail", Cause.PRODUCT), failed.summary
        assert "Thank you, tester!" in failed.summary
        for name in ("watch-with-subtitles", "change-the-channel"):  # a television, by keys alone
            (loaded,) = load_paths([EXAMPLES / "screens" / "cases" / f"{name}.yaml"])
            assert isinstance(loaded.request.job, TestCase)
            by_keys = await verdict_of(group, loaded.request.job)
            assert by_keys.status == "pass", by_keys.summary


@pytest.mark.slow
@pytest.mark.parametrize("device", [None, DeviceSpec(kind="none")])
async def test_commands_alone_start_no_browser(tmp_path: Path, device: DeviceSpec | None) -> None:
    sessions = tmp_path / "sessions"
    async with fleet(tmp_path) as group:
        await start(group, SESSIONS_DIR=str(sessions))
        last = Step(action='Run the command "touch begun; until test -e end; do sleep 0.05; done"')
        case = replace(commands(device), steps=(*commands(device).steps, last))
        run = (await submit(group.bus, RunRequest(job=case))).run
        await eventually(lambda: bool(list(sessions.rglob("begun"))), "the last command runs")
        (begun,) = sessions.rglob("begun")
        browsers = find_processes([begun.parents[1].name]) & set(processes_with("--disable-sync"))
        begun.with_name("end").touch()
        assert (await group.verdict(run)).status == "pass"
        assert not browsers


@pytest.mark.slow
async def test_a_step_that_needs_a_device_where_the_case_says_none_fails_and_says_so(tmp_path: Path) -> None:
    step = Step(action='Click the "Save" button', expected='The text "Saved" is visible')
    async with fleet(tmp_path) as group:
        await start(group)
        verdict = await verdict_of(group, replace(commands(DeviceSpec(kind="none")), steps=(step,)))
        assert (verdict.status, verdict.cause) == ("fail", Cause.AGENT)
        assert "device: none" in verdict.summary


@pytest.mark.slow
async def test_a_run_whose_device_no_host_can_keep_ends_as_the_environments_fault(tmp_path: Path) -> None:
    async with fleet(tmp_path) as group:
        await start(group, BROWSER_EXECUTABLE="/nowhere")
        verdict = await verdict_of(group, commands(DeviceSpec(kind="web")))
        assert (verdict.status, verdict.cause) == ("fail", Cause.ENVIRONMENT)
        assert verdict.summary.startswith("no session host for web was running for 1 s: ")
        assert "BROWSER_EXECUTABLE names /nowhere" in verdict.summary
        assert (await verdict_of(group, commands(None))).status == "pass"

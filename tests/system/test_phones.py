"""Cases on a phone, through a fleet of real processes and a WebDriver server that speaks Appium's dialects over HTTP."""

from pathlib import Path

import pytest
from fleet import Fleet, fleet
from msgspec.structs import replace
from phone_server import capabilities, phone_server
from shop_screens import shop
from waiting import eventually

from muster_cases.case_loader import load_paths
from muster_client.runs import submit
from muster_protocol import codec
from muster_protocol.causes import Cause
from muster_protocol.requests import DeviceSpec, RunRequest, TestCase
from muster_protocol.verdicts import Verdict

EXAMPLES = Path(__file__).parents[2] / "examples"
PIXEL = DeviceSpec(kind="appium", name="pixel")


def bought(device: DeviceSpec = PIXEL) -> TestCase:
    """Return the case of the simulated shop, for a phone."""
    (loaded,) = load_paths([EXAMPLES / "screens" / "cases" / "buy-a-backpack.yaml"])
    assert isinstance(loaded.request.job, TestCase)
    return replace(loaded.request.job, device=device)


async def start(group: Fleet, folder: Path, url: str, automation: str = "UiAutomator2") -> None:
    """Start a fleet whose session host has one phone."""
    file = folder / "phones.json"
    file.write_bytes(codec.encode({"phones": {"pixel": {"server": url, "capabilities": capabilities(automation)}}}))
    await group.start("sessions", PHONES=str(file), BROWSER_EXECUTABLE="/nowhere")
    await group.start("orchestrator", SESSION_WAIT_SECONDS="1")
    await group.start("subagent")


async def verdict_of(group: Fleet, case: TestCase) -> Verdict:
    return await group.verdict((await submit(group.bus, RunRequest(job=case))).run)


@pytest.mark.slow
async def test_a_case_on_a_phone_passes_and_fails_as_its_app_does(tmp_path: Path) -> None:
    with phone_server(shop()) as phone:
        async with fleet(tmp_path) as group:
            await start(group, tmp_path, phone.url)
            passed = await verdict_of(group, bought())
            assert (passed.status, passed.summary) == ("pass", passed.summary)
            phone.break_app("order-lost")
            failed = await verdict_of(group, bought())
            assert (failed.status, failed.cause) == ("fail", Cause.PRODUCT), failed.summary
            assert "Thank you, tester!" in failed.summary


@pytest.mark.slow
async def test_two_runs_have_one_phone_one_after_the_other(tmp_path: Path) -> None:
    with phone_server(shop()) as phone:
        async with fleet(tmp_path) as group:
            await start(group, tmp_path, phone.url, "XCUITest")
            runs = [(await submit(group.bus, RunRequest(job=bought()))).run for _ in range(2)]
            verdicts = [await group.verdict(run) for run in runs]
            assert [verdict.status for verdict in verdicts] == ["pass", "pass"], [one.summary for one in verdicts]
            assert phone.most_sessions == 1


@pytest.mark.slow
async def test_a_phone_that_is_unplugged_locked_or_unknown_is_the_environments_fault(tmp_path: Path) -> None:
    with phone_server(shop()) as phone:
        async with fleet(tmp_path) as group:
            await start(group, tmp_path, phone.url)
            phone.trouble = "locked"
            locked = await verdict_of(group, bought())
            assert (locked.status, locked.cause) == ("fail", Cause.ENVIRONMENT), locked.summary
            assert "the phone is locked" in locked.summary

            phone.trouble = ""
            run = (await submit(group.bus, RunRequest(job=bought()))).run
            await eventually(lambda: any("tester" in str(asked.body) for asked in phone.asked), "the run types")
            phone.away = "Could not proxy: the instrumentation process is not running"
            lost = await group.verdict(run)
            assert (lost.status, lost.cause) == ("fail", Cause.ENVIRONMENT), lost.summary

            unknown = await verdict_of(group, bought(DeviceSpec(kind="appium", name="fairphone")))
            assert (unknown.status, unknown.cause) == ("fail", Cause.ENVIRONMENT), unknown.summary
            assert "phones that there are: pixel (setting PHONES)" in unknown.summary

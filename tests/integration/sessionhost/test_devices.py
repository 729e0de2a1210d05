"""Which device a session holds, and when it is started."""

import asyncio
import os
import signal
from contextlib import suppress

import pytest
from session_stage import NO_DEVICE, Stage, processes_with
from shop_screens import SHOP
from waiting import eventually

from muster_devices.device_host import Access
from muster_devices.hosted.hosted_device import HostedDevice
from muster_protocol.requests import DeviceSpec
from muster_protocol.session_requests import Attach, OpenSession, UseDevice
from muster_protocol.session_responses import Attached, DeviceReady, SessionError
from muster_protocol.sessions import Holder
from muster_service.settings import load
from muster_sessionhost.process_reaper import find_processes
from muster_sessionhost.service import session_host
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import SessionLost

WEB = DeviceSpec(kind="web")
SCREENS = DeviceSpec(kind="screens", definition=SHOP.read_text("utf-8"), source=SHOP.name)
HOLDER = Holder(dispatch=1, delivery=1, worker="a")


def browsers(stage: Stage) -> set[int]:
    """Return the processes of the browsers of a stage's sessions."""
    sessions = (folder.name for folder in stage.folder.glob("host-*/*"))
    return find_processes(sessions) & set(processes_with("--disable-sync"))


@pytest.mark.slow
async def test_a_case_that_names_no_device_has_a_browser_once_a_page_is_asked_for(own: Stage, site: str) -> None:
    await own.start_host()
    await own.open()
    async with own.attach() as session:
        assert (await session.execute("echo hi", call="c", timeout_seconds=5, secrets={})).stdout == "hi\n"
        assert not browsers(own)
        await (await session.page()).goto(site)
        assert browsers(own)
    async with own.attach(dispatch=2, worker="worker-b") as session:
        assert await (await session.page()).title() == "Start"


async def test_a_case_that_names_the_web_has_a_browser_from_the_beginning(own: Stage) -> None:
    await own.start_host()
    await own.open(device=WEB)
    assert browsers(own)
    attached = await own.of(Attach, HOLDER)
    assert isinstance(attached, Attached)
    assert attached.endpoint.startswith("ws://")


async def test_a_case_without_a_device_is_told_so_by_what_needs_one(own: Stage) -> None:
    await own.start_host()
    opened = await own.open(device=NO_DEVICE)
    assert opened.session.kind == "none"
    async with own.attach() as session:
        with pytest.raises(SessionRefused, match="device: none") as raised:
            await session.page()
        assert raised.value.reason == "invalid"
        assert (await session.execute("echo hi", call="c", timeout_seconds=5, secrets={})).stdout == "hi\n"
    assert not browsers(own)


async def test_asking_for_the_device_again_gives_the_same_way_in(stage: Stage) -> None:
    await stage.open()
    await stage.of(Attach, HOLDER)
    first, again = await asyncio.gather(stage.of(UseDevice, HOLDER), stage.of(UseDevice, HOLDER))
    assert isinstance(first, DeviceReady)
    assert first == again


async def test_who_takes_over_while_the_browser_starts_does_not_wait_for_it_and_shuts_the_other_out(
    stage: Stage, site: str
) -> None:
    await stage.open()
    await stage.of(Attach, HOLDER)
    starting = asyncio.create_task(stage.of(UseDevice, HOLDER))
    async with stage.attach(delivery=2, worker="worker-b") as session:
        assert not starting.done()
        await (await session.page()).goto(site)
        fenced = await starting
        assert isinstance(fenced, SessionError)
        assert fenced.reason == "fenced"
        assert await (await session.page()).title() == "Start"


async def test_a_session_that_ends_while_its_browser_starts_leaves_none(own: Stage) -> None:
    await own.start_host()
    await own.open()
    with pytest.raises(SessionLost):
        async with own.attach() as session:
            paging = asyncio.create_task(session.page())
            await eventually(lambda: bool(browsers(own)), "the browser is starting")
            await own.close()
            await paging
    await eventually(lambda: not browsers(own), "no browser is left")


async def test_a_browser_that_ends_by_itself_ends_the_session_that_asked_for_it(own: Stage) -> None:
    await own.start_host()
    await own.open()
    with pytest.raises(SessionLost, match="the browser ended by itself"):
        async with own.attach() as session:
            await session.page()
            waiting = asyncio.create_task(session.dialog_opened())
            for pid in browsers(own):
                with suppress(ProcessLookupError):  # it has ended with its parent
                    os.kill(pid, signal.SIGKILL)
            await asyncio.wait_for(waiting, 10)


async def test_a_simulated_app_is_a_sessions_device_and_goes_on_at_another_host(own: Stage) -> None:
    await own.start_host()
    opened = await own.open(device=SCREENS)
    assert opened.session.kind == "screens"
    attached = await own.of(Attach, HOLDER)
    assert isinstance(attached, Attached)
    device = await HostedDevice.connect(Access(attached.endpoint))
    try:
        assert (await device.screen()).place.address.startswith("shop://")
    finally:
        await device.close()
    async with own.attach(dispatch=2) as session:
        with pytest.raises(SessionRefused, match="no pages"):
            await session.page()
    assert not browsers(own)


async def test_an_app_that_cannot_be_used_opens_no_session(stage: Stage) -> None:
    request = OpenSession(run=stage.run, device=DeviceSpec(kind="screens", definition="start: x", source="bad.yaml"))
    refused = await stage.ask(stage.bus.names.sessions_open, request)
    assert isinstance(refused, SessionError)
    assert refused.reason == "invalid"
    assert "bad.yaml:1:1: the key 'app' is missing" in refused.text
    assert (await stage.open()).fresh


async def test_a_device_is_kept_by_a_host_that_can(own: Stage) -> None:
    lacking = await own.start_host(browser_executable="/nowhere")
    able = await own.start_host()
    opened = [await own.open(f"run-{number}", device=WEB) for number in range(3)]
    assert {one.session.host for one in opened} == {able}
    commands = [await own.open(f"other-{number}", device=NO_DEVICE) for number in range(10)]
    assert {one.session.host for one in commands} == {able, lacking}


async def test_a_host_without_a_browser_says_so_where_its_fleet_is_looked_at(own: Stage) -> None:
    settings = load(SessionHostSettings, {"BROWSER_EXECUTABLE": "/nowhere", "SESSIONS_DIR": str(own.folder)})
    async with session_host(own.bus, settings) as running:
        assert "BROWSER_EXECUTABLE names /nowhere" in running.warnings[-1]


async def test_where_no_host_can_keep_the_device_it_is_said_why(own: Stage) -> None:
    await own.start_host(browser_executable="/nowhere")
    refused = await own.ask(own.bus.names.sessions_open, OpenSession(run="run-a", device=WEB))
    assert isinstance(refused, SessionError)
    assert refused.reason == "no_device"
    assert "of kind web (BROWSER_EXECUTABLE names /nowhere" in refused.text

"""Real Appium servers from npm: one with its fake phone, one with Chromium as a phone would show it."""

import asyncio
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from node import workplace
from served import Site

from muster_devices.actions import DialogOpen, Done, Enter, Navigate, Point, Scope, Scroll, Swipe, Target
from muster_devices.appium.appium_host import AppiumHost
from muster_devices.appium.appium_server import AppiumServer
from muster_devices.appium.phones import Phone
from muster_devices.device_host import Spec
from muster_devices.errors import DeviceRefused
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.observations import FindElements, ReadPlace, ReadText, Wait
from muster_devices.web.chromium import ON_THE_PATH
from muster_protocol.causes import Failure
from muster_protocol.sessions import Holder

SUPPORT = Path(__file__).parents[2] / "support" / "appium"
SCOPE, LIMIT = Scope(), 5.0
pytestmark = [pytest.mark.slow, pytest.mark.timeout(420)]  # packages are fetched


@pytest.fixture
async def appium(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[AppiumServer]:
    folder = workplace(SUPPORT)
    monkeypatch.setenv("APPIUM_HOME", str(folder))
    server = AppiumServer(str(folder / "node_modules" / ".bin" / "appium"))
    yield server
    await server.stop()


@pytest.fixture
async def site() -> AsyncGenerator[Site]:
    made = Site()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield made
    server.close()


@asynccontextmanager
async def held(appium: AppiumServer, capabilities: dict[str, Any], *domains: str) -> AsyncGenerator[HostedDevice]:
    host = AppiumHost({"it": Phone(capabilities=capabilities)}, appium.address)
    await host.open(Spec(kind="appium", name="it", domains=domains), None)
    device = await HostedDevice.connect(await host.grant(Holder(dispatch=1, delivery=1, worker="w"), True))
    try:
        yield device
    finally:
        await device.close()
        await host.close(True)


def fake() -> dict[str, Any]:
    return {
        "platformName": "Fake",
        "appium:automationName": "Fake",
        "appium:deviceName": "fake",
        "appium:app": str(SUPPORT / "fake_app.xml"),
    }


async def test_the_fake_phone_of_appium_is_read_typed_into_tapped_and_answered(appium: AppiumServer) -> None:
    async with held(appium, fake()) as device:
        assert 'button "Sold out"' in "\n".join((await device.screen()).lines)
        done = await device.do(Enter(target=Target(name="User name"), text="Ada"), SCOPE, LIMIT)
        assert isinstance(done, Done)
        assert not done.confirmed  # its source never says what was typed
        with pytest.raises(DeviceRefused, match="is disabled"):
            await device.do(Point(target=Target(name="Sold out")), SCOPE, 0.2)
        asked = await device.do(Point(target=Target(name="Buy")), SCOPE, LIMIT)
        assert isinstance(asked, DialogOpen)
        assert asked.dialog.message == "Buy it?"
        with pytest.raises(DeviceRefused, match="waits for an answer"):
            await device.do(Point(target=Target(name="Buy")), SCOPE, 0.2)
        answered = await device.answer(True, "", "call")
        assert isinstance(answered, Done)
        assert (await device.look(ReadText(), Wait())).lines[-1] == "Total: 12.00"
        assert (await device.picture(())).startswith(b"\x89PNG")


async def test_an_app_that_appium_cannot_open_is_refused_with_its_words(appium: AppiumServer) -> None:
    with pytest.raises(DeviceRefused, match="the phone it cannot be used") as refused:
        async with held(appium, fake() | {"appium:app": "/nowhere.xml"}):
            pass
    assert refused.value.failure is Failure.INFRASTRUCTURE


PAGE = """<meta name=viewport content="width=device-width">
<h1>Log in</h1>
<label>User name <input id=user></label>
<label><input type=checkbox> Stay logged in</label>
<button onclick="document.querySelector('p').textContent = 'Hello, ' + document.querySelector('#user').value">Go</button>
<button onclick="document.querySelector('p').textContent = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>
<p></p><a href="/help">Help</a><div style="height: 3000px"></div><button>Far away</button>"""


def chromium() -> dict[str, Any]:
    driver = shutil.which("chromedriver")
    browser = next(filter(None, map(shutil.which, ("chromium", *ON_THE_PATH))), None)
    if driver is None or browser is None:
        pytest.skip(
            "chromedriver and Chromium are not both installed (deploy/install_programs.py installs what it can)"
        )
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    emulated = {"deviceMetrics": {"width": 390, "height": 844, "pixelRatio": 2.0, "touch": True}}
    return {
        "platformName": "linux",
        "appium:automationName": "Chromium",
        "browserName": "chrome",
        "appium:executable": driver,
        "goog:chromeOptions": {"binary": browser, "args": arguments, "mobileEmulation": emulated},
    }


async def test_a_page_in_chromium_is_used_as_on_a_phone(appium: AppiumServer, site: Site) -> None:
    capabilities = chromium()
    site.page("<h1>Help</h1>", "/help", "Help")
    address = site.page(PAGE, "/", "Log in")
    async with held(appium, capabilities, "127.0.0.1") as device:
        opened = await device.do(Navigate(address=address), SCOPE, LIMIT)
        assert isinstance(opened, Done)
        assert (opened.place.title, opened.place.address) == ("Log in", address)
        await device.do(Enter(target=Target(name="User name", role="textbox"), text="Ada"), SCOPE, LIMIT)
        await device.do(Point(target=Target(name="Go", role="button")), SCOPE, LIMIT)
        assert "Hello, Ada" in (await device.look(ReadText(), Wait(settle=LIMIT))).lines
        asked = await device.do(Point(target=Target(name="Ask")), SCOPE, LIMIT)
        assert isinstance(asked, DialogOpen)
        await device.answer(True, "", "call")
        assert "Yes" in (await device.look(ReadText(), Wait(settle=LIMIT))).lines
        found = await device.look(FindElements(target=Target(name="Stay logged in", role="checkbox")), Wait())
        assert found.total == 1
        await device.do(Swipe(direction="up"), SCOPE, LIMIT)
        await device.do(Scroll(target=Target(name="Far away")), SCOPE, LIMIT)
        await device.do(Point(target=Target(name="Help", role="link")), SCOPE, LIMIT)
        assert (await device.look(ReadPlace(), Wait(settle=LIMIT))).place.title == "Help"
        with pytest.raises(DeviceRefused, match="not among the allowed hosts"):
            await device.do(Navigate(address="https://evil.test/"), Scope(domains=("127.0.0.1",)), LIMIT)
        elsewhere = address.replace("127.0.0.1", "localhost")
        with pytest.raises(DeviceRefused, match="the page has left the allowed hosts"):
            await device.do(Navigate(address=elsewhere), SCOPE, LIMIT)
        with pytest.raises(DeviceRefused, match="the page has left the allowed hosts"):
            await device.look(ReadText(), Wait())
        await device.do(Navigate(to="back"), SCOPE, LIMIT)
        assert (await device.look(ReadPlace(), Wait(settle=LIMIT))).place.title == "Help"

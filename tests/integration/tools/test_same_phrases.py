"""The same sentences do and prove the same on every device: one small app, as a page and as simulated screens."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
import pytest_asyncio
from driving import User, user_of
from local_session import Host, LocalSession, opened
from phone_server import capabilities, phone_server
from sampling import mostly_slow
from served import Site

from muster_devices.appium.appium_host import AppiumHost
from muster_devices.appium.phones import Phone
from muster_devices.device import Device
from muster_devices.device_host import DeviceHost, Spec
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.screens.app_loader import load_app
from muster_devices.screens.screens_host import ScreensHost
from muster_grammar import parse_action, parse_expectation
from muster_protocol.sessions import Holder
from muster_protocol.tool_calls import ToolCall, ToolOutcome

HERE = Path(__file__).parent


class Scenario(NamedTuple):
    """Sentences that are done, what is so then, and what is not."""

    name: str
    actions: str
    holds: str
    false: str


SCENARIOS = [
    Scenario("click", 'Click "Add"', 'The text "Added 1" is visible', 'The text "Added 2" is visible'),
    Scenario("tap", 'Tap the "Add" button', '"Added 1" appears', '"Added 1" is not visible'),
    Scenario("click twice", 'Click "Add" two times', 'The page shows "Added 2"', 'The page shows "Added 1"'),
    Scenario("double click", 'Double-click "Photo"', '"Zoomed" is visible', 'The text "Held" is visible'),
    Scenario("long press", 'Long-press "Photo"', '"Held" is visible', 'The text "Zoomed" is visible'),
    Scenario("type", 'Type "Ada" into the "Name" field', 'The "Name" field is "Ada"', 'The "Name" field is empty'),
    Scenario(
        "clear",
        'Type "Ada" into the "Name" field. Clear the "Name" field',
        'The "Name" field is empty',
        'The "Name" field is "Ada"',
    ),
    Scenario(
        "select",
        'Select "Express" in "Delivery"',
        '"Express" is selected in "Delivery"',
        '"Standard" is selected in "Delivery"',
    ),
    Scenario("check", 'Check "News"', 'The "News" checkbox is checked', 'The "News" checkbox is not checked'),
    Scenario("uncheck", 'Uncheck "Gift"', '"Gift" is not checked', '"Gift" is checked'),
    Scenario(
        "press a key in a field",
        'Type "Ada" into "Name". Press Enter in the "Name" field',
        '"Hello, Ada!" is visible',
        '"Hello, Grace!" is visible',
    ),
    Scenario(
        "press a key", 'Type "Ada" into "Name". Press Enter', '"Hello, Ada!" is visible', '"Hello, Ada!" is not visible'
    ),
    Scenario(
        "scroll", "Scroll down. Scroll to the top", 'The "Sign up" heading is visible', 'There is no "Add" button'
    ),
    Scenario(
        "follow a link and go back",
        'Click the "Help" link. Go back',
        'The page title is "Sign up"',
        'The page title is "Help"',
    ),
    Scenario("a link", 'Click the "Help" link', 'The page title is "Help"', 'The page title is "Sign up"'),
    Scenario("an address", 'Click "Help"', 'The URL ends with "help"', 'The URL does not end with "help"'),
    Scenario(
        "a dialog",
        'Click the "Remove" button in the "Backpack" row',
        'A dialog says "Remove Backpack?"',
        'A dialog says "Really?"',
    ),
    Scenario(
        "accept a dialog",
        'Click "Remove" in the "Backpack" row. Accept the dialog',
        '"Backpack is gone" is visible',
        '"Lamp is gone" is visible',
    ),
    Scenario(
        "dismiss a dialog",
        'Click "Remove" in the "Backpack" row. Dismiss the dialog',
        '"Kept" is visible and the text "Backpack is gone" is not visible',
        '"Backpack is gone" is visible',
    ),
    Scenario("counts", 'Click "Add"', 'There are 2 "Remove" buttons', 'There are 3 "Remove" buttons'),
    Scenario("values", 'Click "Add"', 'The total is "12.00"', 'The total is "2.00"'),
    Scenario("states", 'Click "Add"', 'The "Order" button is disabled', 'The "Order" button is enabled'),
    Scenario(
        "options",
        'Click "Add"',
        'The list "Delivery" has the options "Standard" and "Express"',
        'The list "Delivery" has the option "Drone"',
    ),
    Scenario(
        "a part",
        'Click "Add"',
        'The row with "Backpack" shows "29.99"',
        'The row with "Lamp" shows "29.99"',
    ),
    Scenario(
        "one of several by its neighbour",
        'Click the "Remove" button next to "Backpack". Dismiss the dialog',
        '"Kept" is visible and the first row contains "29.99"',
        'The last row contains "29.99"',
    ),
    Scenario(
        "one of several by its place in line",
        'Click the first "Remove" button in the table. Accept the dialog',
        '"Backpack is gone" is visible and the table has 1 row',
        "The table has 2 rows",
    ),
    Scenario(
        "a value for later",
        'Remember the "Total" as ${total} and type ${total} into the "Name" field',
        'The "Name" field is "12.00"',
        'The "Name" field is "Total"',
    ),
    Scenario("wait", 'Click "Later". Wait until "Arrived" is visible', '"Arrived" is visible', '"Lost" is visible'),
]
REFUSED = [
    ('Click "Ad now"', "there is no"),
    ('Click "Remove"', "may mean 2 elements"),
    ('Click the "Order" button', "is disabled"),
    ('Type "x" into "Add"', "is not a field one can type into"),
    ('Select "Drone" in "Delivery"', 'has no single option "Drone"'),
    ("Check the checkbox", "checkbox may mean 2 elements"),
    ('Click the third "Remove" button', "there is no 3rd button"),
    ('Click "Remove" in the "Bike" row', 'named "Bike" on the page'),
    ("Accept the dialog", "no dialog is open"),
]


class OnDevice(LocalSession):
    """A session whose device is driven by its host."""

    def __init__(self, held: HostedDevice, folder: Path) -> None:
        self.held, self.folder = held, folder
        self._kept = dict[str, str]()

    async def device(self) -> Device:
        return self.held

    async def recall(self, key: str) -> str | None:
        return self._kept.get(key)


@pytest_asyncio.fixture(loop_scope="session", params=["web", "screens", "android", "ios"])
async def user(
    request: pytest.FixtureRequest, host: Host, site: Site, http: httpx.AsyncClient, tmp_path: Path
) -> AsyncGenerator[User]:
    """Someone before the app, on each kind of device."""
    if request.param == "web":
        site.page("<h1>Help</h1>", "/help", "Help")
        async with opened(host, tmp_path) as session:
            made = user_of(session, http)
            await made.open(site.page((HERE / "same_app.html").read_text(), "/", "Sign up"))
            yield made
        return
    definition = (HERE / "same_app.yaml").read_text()
    if request.param == "screens":
        async with held(ScreensHost(), Spec(kind="screens", definition=definition, source="same_app.yaml")) as device:
            yield user_of(OnDevice(device, tmp_path), http)
        return
    with phone_server(load_app(definition, "same_app.yaml")) as server:
        automation = "UiAutomator2" if request.param == "android" else "XCUITest"
        phone = Phone(server=server.url, capabilities=capabilities(automation))
        async with held(AppiumHost({"phone": phone}, nothing_started), Spec(kind="appium", name="phone")) as device:
            yield user_of(OnDevice(device, tmp_path), http)


async def nothing_started() -> str:
    raise AssertionError("the phone names its server")


@asynccontextmanager
async def held(kept: DeviceHost, spec: Spec) -> AsyncGenerator[HostedDevice]:
    """Open a device and hold it."""
    await kept.open(spec, None)
    device = await HostedDevice.connect(await kept.grant(Holder(dispatch=1, delivery=1, worker="test"), True))
    try:
        yield device
    finally:
        await device.close()
        await kept.close(True)


async def made(user: User, calls: tuple[ToolCall, ...]) -> list[ToolOutcome]:
    return [await user(call.tool, **call.arguments) for call in calls]


NOT_ON_PHONES = ("an address", "options")
"""An app has no address, and says what a list offers only while it is open."""


@pytest.mark.parametrize("scenario", mostly_slow(SCENARIOS), ids=lambda scenario: scenario.name)
async def test_a_sentence_means_the_same_on_every_device(
    user: User, scenario: Scenario, request: pytest.FixtureRequest
) -> None:
    if scenario.name in NOT_ON_PHONES and request.node.callspec.params["user"] in ("android", "ios"):
        pytest.skip("a native app does not tell this")
    for outcome in await made(user, parse_action(scenario.actions)):
        assert outcome.status == "ok", outcome.text
        assert outcome.confirmed, outcome.text
    for outcome in await made(user, parse_expectation(scenario.holds)):
        assert outcome.status == "ok", outcome.text
    user.ctx.action_timeout = 0.3
    wrong = await made(user, parse_expectation(scenario.false))
    assert any(outcome.status == "failed" for outcome in wrong), [outcome.text for outcome in wrong]


@pytest.mark.parametrize("refused", mostly_slow(REFUSED, 3), ids=": ".join)
async def test_what_cannot_be_done_is_refused_for_the_same_reason(user: User, refused: tuple[str, str]) -> None:
    sentence, told = refused
    user.ctx.action_timeout = 0.5
    [outcome] = await made(user, parse_action(sentence))
    assert outcome.status == "error"
    assert told in outcome.text


@pytest.mark.parametrize("user", ["screens", "android", "ios"], indirect=True)
async def test_a_swipe_moves_a_finger_over_a_touch_screen(user: User) -> None:
    [outcome] = await made(user, parse_action("Swipe left"))
    assert outcome.confirmed
    await user.ok("check_title", title="Help")


@pytest.mark.parametrize("user", ["web"], indirect=True)
async def test_a_device_without_a_touch_screen_is_not_swiped(user: User) -> None:
    [outcome] = await made(user, parse_action("Swipe left"))
    assert outcome.text == "swipe: this device has no touch"


async def test_a_snapshot_has_roles_names_and_refs_that_can_be_used(user: User) -> None:
    shown = (await user.ok("snapshot")).text
    line = next(line for line in shown.splitlines() if 'button "Add"' in line)
    ref = line.partition("[ref=")[2].partition("]")[0]
    await user.ok("click", element="", ref=ref)
    await user.ok("check_text", text="Added 1")
    assert 'textbox "Name"' in (await user.ok("find", text="Name")).text

"""A phone behind the port: who may use it, what goes wrong with it, what its server is told."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing, suppress
from io import BytesIO

import pytest
from phone_server import PhoneServer, capabilities, phone_server
from PIL import Image
from shop_screens import app_of, shop

import muster_devices.appium.webdriver as appium_webdriver
from muster_devices.actions import Done, Enter, Navigate, Point, Rotate, Scope, Scroll, Target, UseApp
from muster_devices.appium.appium_host import AppiumHost
from muster_devices.appium.phones import Phone
from muster_devices.device_host import Spec
from muster_devices.errors import DeviceLost, DeviceRefused
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.observations import ReadPlace, ReadText, Wait
from muster_protocol.causes import Failure
from muster_protocol.sessions import Holder
from muster_text.redaction import Redactor

SCOPE, LIMIT = Scope(), 2.0
SPEC = Spec(kind="appium", name="pixel")
HOLDER = Holder(dispatch=1, delivery=1, worker="w")
SECRET_SCOPE = Scope(entrusted=())


async def no_server() -> str:
    raise AssertionError("the phone names its server")


def host_of(url: str, automation: str = "UiAutomator2") -> AppiumHost:
    return AppiumHost({"pixel": Phone(server=url, capabilities=capabilities(automation))}, no_server)


@asynccontextmanager
async def held(host: AppiumHost) -> AsyncGenerator[HostedDevice]:
    """Open the phone and hold it."""
    await host.open(SPEC, None)
    device = await HostedDevice.connect(await host.grant(HOLDER, True))
    try:
        yield device
    finally:
        await device.close()
        await host.close(True)


def tap(name: str) -> Point:
    return Point(target=Target(name=name))


def typed(text: str, into: str) -> Enter:
    return Enter(target=Target(name=into), text=text)


async def logged_in(device: HostedDevice) -> None:
    await device.do(typed("tester", "User name"), SCOPE, LIMIT)
    await device.do(typed("swordfish", "Password"), SECRET_SCOPE, LIMIT)
    done = await device.do(tap("Log in"), SCOPE, LIMIT)
    assert isinstance(done, Done)
    assert done.place.title == "Products"


async def text_of(device: HostedDevice) -> tuple[str, ...]:
    return (await device.look(ReadText(), Wait(settle=LIMIT))).lines


@pytest.mark.parametrize("automation", ["UiAutomator2", "XCUITest"])
async def test_a_secret_is_masked_in_the_servers_log_and_in_pictures(automation: str) -> None:
    with phone_server(shop()) as phone:
        async with held(host_of(phone.url, automation)) as device:
            await device.do(typed("swordfish", "Password"), SECRET_SCOPE, LIMIT)
            told = [asked for asked in phone.asked if "swordfish" in str(asked.body)]
            assert told
            assert all(asked.sensitive for asked in told)
            field = next(one for one in (await device.screen()).elements if one.secret)
            assert field.box is not None
            picture = Image.open(BytesIO(await device.picture(())))
            middle = (round(2 * (field.box.x + field.box.width / 2)), round(2 * (field.box.y + field.box.height / 2)))
            assert picture.getpixel(middle) == (0, 0, 0)
            assert picture.getpixel((2, 2)) == (255, 255, 255)


async def test_the_keyboard_is_put_away_before_it_takes_a_tap() -> None:
    with phone_server(app_of(LOW)) as phone:
        async with held(host_of(phone.url)) as device:
            await device.do(typed("Ada", "Name"), SCOPE, LIMIT)
            assert phone.keyboard
            done = await device.do(tap("Save"), SCOPE, LIMIT)
            assert isinstance(done, Done)
            assert done.place.title == "Saved"


LOW = """
form:
  elements:
    - {role: textbox, name: Name, id: name}
    - {role: button, name: Save, bounds: [16, 780, 100, 40], tap: Saved}
Saved:
  elements:
    - {role: heading, name: Saved}
"""


async def test_an_older_holder_is_cut_off_and_the_address_of_the_server_is_told_to_nobody() -> None:
    with phone_server(shop()) as phone:
        host = host_of(phone.url)
        await host.open(SPEC, None)
        access = await host.grant(HOLDER, True)
        assert phone.url.removeprefix("http://") not in access.endpoint
        first = await HostedDevice.connect(access)
        second = await HostedDevice.connect(await host.grant(Holder(dispatch=1, delivery=2, worker="v"), True))
        with pytest.raises(DeviceLost):
            await first.do(tap("Log in"), SCOPE, LIMIT)
        assert await text_of(second)
        await second.close()
        await host.close(True)
        assert not phone.session


@pytest.mark.parametrize("automation", ["UiAutomator2", "XCUITest"])
async def test_a_crash_is_the_products_and_the_app_can_be_started_again(automation: str) -> None:
    with phone_server(shop(), "login-crash") as phone:
        host = host_of(phone.url, automation)
        async with held(host) as device:
            await device.do(typed("tester", "User name"), SCOPE, LIMIT)
            done = await device.do(tap("Log in"), SCOPE, LIMIT)
            assert isinstance(done, Done)
            assert done.failure is Failure.SERVER_ERROR
            assert not done.confirmed
            assert "has crashed" in done.place.problem
            assert not (await device.screen()).elements
            assert [record.text for record in await host.feed("crash")] == [done.place.problem]
            with pytest.raises(DeviceRefused, match="has crashed") as refused:
                await device.do(tap("Log in"), SCOPE, 0.2)
            assert refused.value.failure is Failure.SERVER_ERROR
            opened = await device.do(UseApp(), SCOPE, LIMIT)
            assert isinstance(opened, Done)
            assert opened.place.failure is None


@pytest.mark.parametrize(("trouble", "words"), [("anr", "does not respond"), ("crash", "has crashed")])
async def test_what_android_says_of_an_app_in_trouble_is_the_products_failure(trouble: str, words: str) -> None:
    with phone_server(shop()) as phone:
        async with held(host_of(phone.url)) as device:
            phone.trouble = trouble
            place = (await device.look(ReadPlace(), Wait())).place
            assert (place.failure, place.empty) == (Failure.SERVER_ERROR, True)
            assert words in place.problem


async def test_a_locked_phone_is_the_environments_matter() -> None:
    with phone_server(shop()) as phone:
        async with held(host_of(phone.url)) as device:
            phone.trouble = "locked"
            with pytest.raises(DeviceRefused, match="the phone is locked: unlock it") as refused:
                await device.do(tap("Log in"), SCOPE, LIMIT)
            assert refused.value.failure is Failure.INFRASTRUCTURE


def unplugged(phone: PhoneServer) -> None:
    phone.away = "Could not proxy: the instrumentation process is not running (probably crashed)"


def dropped(phone: PhoneServer) -> None:
    phone.session = "another"


@pytest.mark.parametrize("lose", [unplugged, dropped])
async def test_a_phone_that_goes_away_ends_its_session_and_says_why(lose: Callable[[PhoneServer], None]) -> None:
    with phone_server(shop()) as phone:
        host = host_of(phone.url)
        gone: list[str] = []
        async with held(host) as device:
            host.watch(lambda _dialog: None, gone.append)
            lose(phone)
            with pytest.raises(DeviceLost, match="the phone's session is over"):
                await device.do(tap("Log in"), SCOPE, LIMIT)
        assert gone


async def test_a_server_that_is_not_there_is_refused_with_its_reason() -> None:
    with phone_server(shop()) as phone:
        url = phone.url
    with pytest.raises(
        DeviceRefused, match="the phone pixel cannot be used: the Appium server cannot be reached"
    ) as no:
        await host_of(url).open(SPEC, None)
    assert no.value.failure is Failure.INFRASTRUCTURE


@pytest.mark.parametrize(
    ("piece", "pause", "said"),
    [
        (b" ", 0.05, "did not answer in full within 0.5 s"),  # each piece in time, never all of it
        (b" " * 65536, 0.0, "answer has more than 1 MiB"),
        (b"{}", None, "what answers is no Appium server: HTTP 200"),
    ],
)
async def test_an_answer_that_never_ends_is_given_up(
    monkeypatch: pytest.MonkeyPatch, piece: bytes, pause: float | None, said: str
) -> None:
    monkeypatch.setattr(appium_webdriver, "OPEN_SECONDS", 0.5 if pause else 30.0)
    monkeypatch.setattr(appium_webdriver, "LARGEST_ANSWER", 2**20)

    left = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError), closing(writer):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + piece)
            while pause is not None:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)
        left.set()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    driver = appium_webdriver.WebDriver(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    try:
        async with asyncio.timeout(20):
            with pytest.raises(DeviceLost, match=said):
                await driver.open({})
            await left.wait()  # the client has hung up
    finally:
        await driver.close()
        server.close()


async def test_apps_are_closed_and_opened_links_followed_and_the_phone_turned() -> None:
    with phone_server(shop()) as phone:
        async with held(host_of(phone.url)) as device:
            closed = await device.do(UseApp(to="close"), SCOPE, LIMIT)
            assert isinstance(closed, Done)
            assert closed.failure is None  # it was asked for
            await device.do(UseApp(app="App"), SCOPE, LIMIT)
            await device.do(Navigate(address="shop://cart"), SCOPE, LIMIT)
            assert (await device.look(ReadPlace(), Wait(settle=LIMIT))).place.title == "Cart"
            await device.do(Navigate(to="back"), SCOPE, LIMIT)
            assert (await device.look(ReadPlace(), Wait(settle=LIMIT))).place.title != "Cart"
            await device.do(Rotate(to="landscape"), SCOPE, LIMIT)
            assert phone.orientation == "LANDSCAPE"
            with pytest.raises(DeviceRefused, match="name its package"):
                await device.do(UseApp(app="Calculator"), SCOPE, LIMIT)
            with pytest.raises(DeviceRefused, match="not among the allowed hosts"):
                await device.do(Navigate(address="https://evil.test"), Scope(domains=("shop.test",)), LIMIT)


async def test_notifications_are_shown_where_the_driver_has_them() -> None:
    with phone_server(shop()) as phone:
        async with held(host_of(phone.url)) as device:
            await device.do(UseApp(to="notifications"), SCOPE, LIMIT)
            assert "Your parcel is on its way" in await text_of(device)
            await device.do(Navigate(to="back"), SCOPE, LIMIT)
            assert "Your parcel" not in await text_of(device)
    with phone_server(shop()) as phone:
        async with held(host_of(phone.url, "XCUITest")) as device:
            with pytest.raises(DeviceRefused, match="unknown command") as refused:
                await device.do(UseApp(to="notifications"), SCOPE, LIMIT)
            assert refused.value.failure is not Failure.EXPECTATION_FALSE


async def test_an_element_further_down_is_scrolled_to() -> None:
    rows = "\n".join(f"    - {{role: text, text: Row {number}}}" for number in range(80))
    with phone_server(app_of(f"long:\n  elements:\n{rows}")) as phone:
        async with held(host_of(phone.url)) as device:
            assert "Row 70" not in await text_of(device)
            await device.do(Scroll(target=Target(name="Row 70")), SCOPE, LIMIT)
            assert "Row 70" in await text_of(device)
            await device.do(Scroll(to="top"), SCOPE, LIMIT)
            assert "Row 0" in await text_of(device)


async def test_a_picture_that_shows_a_secret_is_not_taken() -> None:
    with phone_server(shop()) as phone:
        host = host_of(phone.url)
        async with held(host) as device:
            await device.do(typed("hunter22", "User name"), SCOPE, LIMIT)
            other, redactor = Redactor(["another one"]), Redactor(["hunter22"])
            assert await host.picture("", lambda: other)
            assert await host.picture("", lambda: redactor) is None

"""The simulated device through both halves of the port: a host keeps it, workers come and go."""

import asyncio
from collections.abc import AsyncIterator
from io import BytesIO
from typing import cast

import pytest
from PIL import Image
from screens_stage import LIMIT, SCOPE, Stage, closed, holder, opened, redactor
from shop_screens import SHOP

from muster_devices.actions import Choose, DialogOpen, Done, Enter, Navigate, Point, Target
from muster_devices.device import Device
from muster_devices.device_host import DeviceHost
from muster_devices.errors import DeviceRefused
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.observations import FindElements, ReadPlace, ReadPoint, ReadText, ReadValue, Wait
from muster_devices.screens.screens_host import ScreensHost
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    made = await opened()
    yield made
    await made.device.close()
    await made.host.close(False)


def test_both_halves_are_what_the_port_asks_for():
    host: type[DeviceHost] = ScreensHost
    device: type[Device] = HostedDevice
    assert (host, device) == (ScreensHost, HostedDevice)


async def test_a_target_that_comes_late_is_waited_for_and_the_change_is_told_in_one_round(stage: Stage):
    done = await stage.type("User name", "tester")  # the splash screen is shown for a moment
    assert isinstance(done, Done)
    assert done.place.address == "shop://login"
    assert done.confirmed
    assert done.strategy == "name"
    assert done.target is not None
    assert done.target.value == "tester"
    assert done.target.box is not None


async def test_an_action_is_over_when_what_it_started_is(stage: Stage):
    done = await stage.log_in()
    assert isinstance(done, Done)
    assert (done.before, done.place.address, done.changes) == ("shop://login", "shop://products", None)
    assert done.pending == ()
    added = await stage.tap("Add to cart", within="Backpack")
    assert isinstance(added, Done)
    assert added.changes is not None
    assert added.changes.alerts == ("Backpack was added to your cart.",)


async def test_what_takes_longer_than_its_limit_is_done_once_and_told_as_late():
    stage = await opened("slow")
    try:
        await asyncio.wait_for(stage.device.look(ReadPlace(), Wait(settle=5.0)), 10)
        await stage.device.do(Enter(target=Target(name="User name"), text="tester"), SCOPE, LIMIT)
        await stage.device.do(Enter(target=Target(name="Password"), text="swordfish"), SCOPE, LIMIT)
        done = await stage.device.do(Point(target=Target(name="Log in", role="button")), SCOPE, 0.2)
        assert isinstance(done, Done)
        assert (done.late, done.pending, done.confirmed) == (True, ("Log in",), False)
        seen = await stage.device.look(ReadPlace(), Wait(settle=5.0))
        assert seen.place.address == "shop://products"
    finally:
        await closed(stage)


async def test_a_missing_target_is_refused_with_the_closest_name(stage: Stage):
    with pytest.raises(DeviceRefused, match='closest: button "Log in"') as refused:
        await stage.device.do(Point(target=Target(name="Login now", role="button")), SCOPE, 0.5)
    assert refused.value.failure == Failure.NAME_UNKNOWN


async def test_a_dialog_ends_the_action_stops_the_rest_and_its_answer_goes_on(stage: Stage):
    await stage.log_in()
    await stage.tap("Add to cart", within="Backpack")
    await stage.tap("Cart")
    told: list[OpenDialog] = []
    stage.host.watch(told.append, lambda _reason: None)
    outcome = await stage.tap("Remove")
    assert isinstance(outcome, DialogOpen)
    assert outcome.dialog == told[0]
    assert outcome.touched is not None and outcome.touched.name == "Remove"
    assert await stage.device.dialog() == stage.host.dialogs[0] == told[0]
    with pytest.raises(DeviceRefused, match="waits for an answer") as refused:
        await stage.device.look(ReadPlace(), Wait())
    assert refused.value.failure == Failure.INVALID_CALL
    done = await stage.device.answer(True, "", "call-1")
    assert isinstance(done, Done)
    assert done.changes is not None
    assert "Your cart is empty." in done.changes.lines
    assert await stage.device.answer(True, "", "call-1") == done
    with pytest.raises(DeviceRefused, match="no dialog is open"):
        await stage.device.answer(True, "", "call-2")
    assert [record.text for record in await stage.device.feed("dialog")] == [told[0].message]


async def test_a_dialog_is_waited_for_and_no_longer_than_was_asked(stage: Stage):
    loop = asyncio.get_running_loop()
    before = loop.time()
    assert await stage.device.dialog(0.1) is None
    assert 0.09 < loop.time() - before < 5


async def test_the_dialogs_of_an_earlier_sub_task_are_forgotten_but_those_of_a_takeover_are_not():
    stage = await opened("rating")
    try:
        assert isinstance(await stage.log_in(), DialogOpen)
        await stage.device.answer(False, "", "call-1")
        later = await HostedDevice.connect(await stage.host.grant(holder(1, 2), True))
        assert len(await later.feed("dialog")) == 1
        await later.close()
        next_task = await HostedDevice.connect(await stage.host.grant(holder(2, 1), True))
        assert await next_task.feed("dialog") == ()
        await next_task.close()
    finally:
        await closed(stage)


async def test_a_look_waits_for_a_change_inside_the_device(stage: Stage):
    first = await stage.device.look(ReadPlace(), Wait())
    assert first.place.address == "shop://welcome"
    later = await stage.device.look(ReadPlace(), Wait(since=first.version, change=5.0))
    assert later.version > first.version
    assert later.place.address == "shop://login"


async def test_questions_are_answered_by_type(stage: Stage):
    await stage.log_in()
    await stage.tap("Cart")
    found = await stage.device.look(FindElements(target=Target(name="Delivery"), use="value"), Wait(settle=1.0))
    assert found.matches[0].options == ("Standard", "Express")
    value = await stage.device.look(ReadValue(name="Total"), Wait())
    assert [one.value for one in value.values] == ["$0.00"]
    text = await stage.device.look(ReadText(text="empty"), Wait())
    assert text.sources == ("Your cart is empty.",)


async def test_a_screen_is_shown_whole_in_part_and_not_too_deep(stage: Stage):
    await stage.log_in()
    whole = await stage.device.screen()
    part = await stage.device.screen(part="Backpack")
    assert [element.name for element in part.elements] == ["", "Backpack", "$29.99", "Add to cart"]
    assert part.elements[0].level == 0
    assert len((await stage.device.screen(depth=1)).elements) < len(whole.elements)
    with pytest.raises(DeviceRefused, match="no part"):
        await stage.device.screen(part="Nowhere")


async def test_a_choice_that_is_not_there_is_refused_with_what_is(stage: Stage):
    await stage.log_in()
    await stage.tap("Cart")
    with pytest.raises(
        DeviceRefused, match='has no single option "Expres"; closest: "Express"; it has: "Standard", "Express"'
    ):
        await stage.device.do(Choose(target=Target(name="Delivery"), options=("Expres",)), SCOPE, LIMIT)


async def test_a_crash_is_the_products_and_proves_nothing():
    stage = await opened("login-crash")
    try:
        done = await stage.log_in()
        assert isinstance(done, Done)
        assert (done.failure, done.confirmed) == (Failure.SERVER_ERROR, False)
        seen = await stage.device.look(ReadPlace(), Wait())
        assert seen.place.problem == "the app has crashed: NullPointerException in LoginActivity"
        with pytest.raises(DeviceRefused, match="has crashed") as refused:
            await stage.tap("Log in")
        assert refused.value.failure == Failure.SERVER_ERROR
        assert [record.text for record in await stage.host.feed("crash")] == ["NullPointerException in LoginActivity"]
        again = await stage.device.do(Navigate(address="shop://login"), SCOPE, LIMIT)
        assert isinstance(again, Done)
        assert again.failure is None
    finally:
        await closed(stage)


async def test_a_picture_shows_the_screen_and_hides_what_it_must():
    stage = await opened()
    try:
        await stage.type("User name", "tester")
        plain = await stage.device.picture(())
        hidden = await stage.device.picture(("tester",))
        user = (await stage.device.look(FindElements(target=Target(name="User name")), Wait())).matches[0]
        assert user.box is not None
        middle = (round(user.box.x + 5), round(user.box.y + 5))
        assert Image.open(BytesIO(plain)).getpixel(middle) == (255, 255, 255)
        assert Image.open(BytesIO(hidden)).getpixel(middle) == (0, 0, 0)
        await stage.type("Password", "swordfish")
        password = (await stage.device.look(FindElements(target=Target(name="Password")), Wait())).matches[0]
        assert password.box is not None
        inside = (round(password.box.x + 5), round(password.box.y + 5))
        taken = await stage.host.picture("", redactor)
        assert taken is not None
        assert max(cast("tuple[int, ...]", Image.open(BytesIO(taken)).getpixel(inside))) < 10
        assert await stage.host.picture("", lambda: redactor("tester")) is None
    finally:
        await closed(stage)


async def test_windows_are_one(stage: Stage):
    window = (await stage.device.windows())[0]
    assert (window.current, window.title) == (True, "Log in")
    await stage.device.use(window.id)
    with pytest.raises(DeviceRefused):
        await stage.device.use("other")


def test_the_example_names_a_fault_for_each_effect():
    text = SHOP.read_text("utf-8")
    assert all(f"{effect}:" in text for effect in ("slow", "crash", "instead", "absent", "dialog"))


async def test_what_is_at_a_point_is_the_element_that_is_drawn_there_and_can_be_used_by_its_ref(stage: Stage):
    await stage.type("User name", "tester")
    typed = await stage.type("Password", "swordfish")
    assert isinstance(typed, Done)
    button = next(one for one in (await stage.device.screen()).elements if (one.name, one.role) == ("Log in", "button"))
    assert button.box is not None

    middle = ReadPoint(x=button.box.x + button.box.width / 2, y=button.box.y + button.box.height / 2)
    there = await stage.device.look(middle, Wait())
    assert there.element is not None
    assert (there.element.name, there.element.role) == (button.name, button.role)
    assert there.drawn is None

    done = await stage.device.do(Point(target=Target(ref=there.element.ref)), SCOPE, LIMIT)
    assert isinstance(done, Done)
    assert (done.strategy, done.place.address) == ("ref", "shop://products")


async def test_at_a_point_outside_of_the_screen_there_is_nothing(stage: Stage):
    outside = await stage.device.look(ReadPoint(x=99_999, y=99_999), Wait())
    assert (outside.element, outside.drawn) == (None, None)

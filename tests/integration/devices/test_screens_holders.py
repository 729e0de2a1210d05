"""Who holds a simulated device, and what of it is saved and opened again."""

import asyncio
from collections.abc import AsyncIterator
from typing import cast

import pytest
from screens_stage import Stage, closed, holder, opened, redactor
from shop_screens import shop_spec

from muster_devices.actions import DialogOpen
from muster_devices.device_host import Saved, Spec
from muster_devices.errors import DeviceLost, DeviceRefused
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.observations import ReadPlace, ReadValue, Wait
from muster_devices.screens.screens_host import ScreensHost


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    made = await opened()
    yield made
    await made.device.close()
    await made.host.close(False)


async def test_a_newer_holder_cuts_off_the_one_before(stage: Stage):
    waiting = asyncio.ensure_future(stage.device.dialog(30.0))
    while not stage.host.busy:
        await asyncio.sleep(0)
    newer = await HostedDevice.connect(await stage.host.grant(holder(2), True))
    with pytest.raises(DeviceLost):
        await waiting
    with pytest.raises(DeviceLost):
        await stage.tap("Log in")
    assert (await newer.look(ReadPlace(), Wait(settle=1.0))).place.address == "shop://login"
    await newer.close()


async def test_the_same_holder_keeps_its_way_in_and_an_old_one_leads_nowhere(stage: Stage):
    first = await stage.host.grant(holder(), False)
    assert await stage.host.grant(holder(), False) == first
    assert repr(first) == "Access(…)"
    await stage.host.grant(holder(2), True)
    with pytest.raises(DeviceLost):
        await HostedDevice.connect(first)


async def test_what_was_saved_is_opened_anew_with_all_that_it_held(stage: Stage):
    await stage.log_in()
    await stage.tap("Add to cart", within="Bike light")
    await stage.tap("Cart")
    saved = await stage.host.save(redactor())
    assert saved is not None
    again = await opened(saved=saved)
    assert (await again.device.look(ReadValue(name="Total"), Wait())).values[0].value == "$9.99"
    await closed(again)


async def test_what_is_saved_holds_no_secret_and_says_so(stage: Stage):
    await stage.log_in()
    await stage.device.look(ReadPlace(), Wait(settle=1.0))
    saved = await stage.host.save(redactor("swordfish"))
    assert saved is not None
    assert (saved.state, saved.missing) == (b"", "it held a secret, which no checkpoint has")
    host = ScreensHost()
    assert not await host.open(shop_spec(), saved)
    await host.close(True)


async def test_nothing_is_saved_while_a_dialog_is_open_or_something_is_under_way(stage: Stage):
    assert await stage.host.save(redactor()) is None  # the splash screen leads on
    await stage.log_in()
    await stage.tap("Add to cart", within="Backpack")
    await stage.tap("Cart")
    assert isinstance(await stage.tap("Remove"), DialogOpen)
    assert await stage.host.save(redactor()) is None


async def test_a_state_of_another_definition_is_not_used(stage: Stage):
    await stage.log_in()
    await stage.device.look(ReadPlace(), Wait(settle=1.0))
    saved = cast("Saved", await stage.host.save(redactor()))
    for spec, same in ((shop_spec(), True), (shop_spec("slow"), False)):
        host = ScreensHost()
        assert await host.open(spec, saved) == same
        await host.close(True)
    host = ScreensHost()
    assert not await host.open(shop_spec(), Saved(state=b"{}"))
    await host.close(True)


async def test_a_file_that_cannot_be_used_or_an_unknown_fault_opens_nothing():
    host = ScreensHost()
    with pytest.raises(DeviceRefused, match=r"bad\.yaml:1:1: the key 'app' is missing"):
        await host.open(Spec(kind="screens", definition="start: x", source="bad.yaml"), None)
    with pytest.raises(DeviceRefused, match="no fault 'slwo'; did you mean 'slow'"):
        await host.open(shop_spec("slwo"), None)
    with pytest.raises(DeviceRefused, match="not open"):
        await host.feed("crash")
    await host.close(False)


async def test_who_does_not_know_the_secret_learns_nothing(stage: Stage):
    access = await stage.host.grant(holder(), False)
    port = int(access.endpoint.rpartition("/")[0].rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write((4).to_bytes(4, "big") + b"nope")
    assert await asyncio.wait_for(reader.read(), 5) == b""
    writer.close()
    with pytest.raises(DeviceLost):
        await HostedDevice.connect(type(access)(access.endpoint[:-1] + ("a" if access.endpoint[-1] != "a" else "b")))

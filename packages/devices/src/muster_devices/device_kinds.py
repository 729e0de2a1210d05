"""The kinds of devices that each session has for itself, with their two halves.

`web` is not among them: sessions of one host share its browsers, and a worker keeps one way into them.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, Protocol

from muster_devices.appium.appium_host import AppiumHost
from muster_devices.appium.phones import Phone
from muster_devices.device import Device
from muster_devices.device_host import Access, DeviceHost
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.screens.screens_host import ScreensHost


class OwnDevice(Device, Protocol):
    """A device over a connection of its own."""

    async def close(self) -> None:
        """Close the connection."""
        ...


class Shared(NamedTuple):
    """What the devices of one session host share."""

    bind: str
    """The address that they listen on."""
    advertise: str
    """The name by which workers reach it."""
    phones: Mapping[str, Phone]
    appium: Callable[[], Awaitable[str]]
    """Returns the address of the Appium server that the host starts."""


class Halves(NamedTuple):
    """How a worker gets at a device, and how a session host makes one."""

    connect: Callable[[Access], Awaitable[OwnDevice]]
    make: Callable[[Shared], DeviceHost]


def _screens(shared: Shared) -> DeviceHost:
    return ScreensHost(shared.bind, shared.advertise)


def _appium(shared: Shared) -> DeviceHost:
    return AppiumHost(shared.phones, shared.appium, shared.bind, shared.advertise)


DEVICES: Mapping[str, Halves] = {
    "screens": Halves(HostedDevice.connect, _screens),
    "appium": Halves(HostedDevice.connect, _appium),
}

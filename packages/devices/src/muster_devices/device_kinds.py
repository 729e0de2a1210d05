"""The kinds of devices that each session has for itself, with their two halves.

`web` is not among them: sessions of one host share its browsers, and a worker keeps one way into them.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, Protocol

from muster_devices.device import Device
from muster_devices.device_host import Access, DeviceHost
from muster_devices.hosted.hosted_device import HostedDevice
from muster_devices.screens.screens_host import ScreensHost


class OwnDevice(Device, Protocol):
    """A device over a connection of its own."""

    async def close(self) -> None:
        """Close the connection."""
        ...


class Halves(NamedTuple):
    """How a worker gets at a device, and how a session host makes one that listens on `bind` and tells `advertise`."""

    connect: Callable[[Access], Awaitable[OwnDevice]]
    make: Callable[[str, str], DeviceHost]


DEVICES: Mapping[str, Halves] = {"screens": Halves(HostedDevice.connect, ScreensHost)}

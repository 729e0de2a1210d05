"""The errors of a simulated device that cannot be used. Pure."""

from collections.abc import Mapping

from muster_devices.errors import DeviceError, DeviceLost, DeviceRefused
from muster_devices.screens.app import Trouble
from muster_devices.screens.state import Troubled
from muster_protocol.causes import Failure

TOLD: Mapping[Trouble, str] = {
    "away": "the simulated device is away: it cannot be reached",
    "dropped": "the session of the simulated device is over",
    "locked": "the simulated device is locked",
}


def error_of(trouble: Troubled) -> DeviceError:
    """Return what a request comes to: of what does not end, that the device is lost; a lock screen can be opened."""
    text = TOLD[trouble.kind]
    if trouble.kind != "locked" and not trouble.until:
        return DeviceLost(text)
    return DeviceRefused(text, failure=Failure.INFRASTRUCTURE)

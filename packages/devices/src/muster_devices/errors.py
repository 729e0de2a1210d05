"""Errors of devices.

DeviceError
  x DeviceRefused     the device did not do it; the caller can mend that, or the product is at fault
  x DeviceLost        the device is gone, or another worker holds it now; nothing more can be done with it
"""

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Obstacle


class DeviceError(Exception):
    """Root of the errors that a device raises on purpose."""


class DeviceRefused(DeviceError):
    """The device did not do what it was asked; the text says why and how to mend it."""

    def __init__(self, text: str, *, failure: Failure, expected: str = "", seen: str = "", where: str = "") -> None:
        self.text, self.failure = text, failure
        self.obstacle: Obstacle | None = None
        self.alike: tuple[str, ...] = ()
        """All elements that match the target, in the order that ordinals count; empty: the device did not list them."""
        self.unsent = False
        """The target could not be used, and nothing was sent to the product; False also where that is not known."""
        self.late = False
        """The target is there, but came only once the time was up."""
        self.expected, self.seen, self.where = expected, seen, where
        super().__init__(text)


class DeviceLost(DeviceError):
    """The device is gone, or another worker holds it now."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def not_open() -> DeviceRefused:
    """Return the error for a device that is asked for something before it was opened, or after it was closed."""
    return DeviceRefused("the device is not open", failure=Failure.INFRASTRUCTURE)

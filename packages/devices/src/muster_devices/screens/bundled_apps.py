"""Apps that come with the simulated device, for a first look at phones and set-top boxes without one."""

from importlib.resources import files
from typing import Literal

from muster_protocol.requests import DeviceSpec

BundledApp = Literal["phone", "set-top-box"]


def bundled_device(app: BundledApp) -> DeviceSpec:
    """Return a simulated device with an app."""
    file = files("muster_devices.screens").joinpath("apps", f"{app}.yaml")
    return DeviceSpec(kind="screens", definition=file.read_text("utf-8"), source=file.name)

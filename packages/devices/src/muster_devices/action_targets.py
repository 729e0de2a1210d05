"""Which element an action needs, and for what. Pure."""

from typing import NamedTuple, assert_never

from muster_devices.actions import (
    Action,
    Choose,
    CloseWindow,
    Download,
    Drag,
    Enter,
    Navigate,
    OpenWindow,
    Point,
    Press,
    Restart,
    Rotate,
    Scroll,
    Swipe,
    Target,
    Toggle,
    Upload,
    UseApp,
)
from muster_devices.errors import DeviceRefused
from muster_devices.observations import Use
from muster_protocol.causes import Failure


class Wanted(NamedTuple):
    """The target of an action, and what it is wanted for."""

    target: Target
    use: Use


def wanted_by(action: Action, lacking: str) -> Wanted | None:
    """Return the target that an action needs; None: it acts on the device as a whole.

    Raises:
        DeviceRefused: a device without files, windows and a mouse cannot do this; `lacking` says so.
    """
    match action:
        case Point():
            return Wanted(action.target, "click")
        case Enter(target=Target() as field):
            return Wanted(field, "type")
        case Toggle():
            return Wanted(action.target, "check")
        case Choose():
            return Wanted(action.target, "select")
        case Press():
            return Wanted(action.target, "value") if action.target is not None else None
        case Swipe() | Scroll():
            return Wanted(action.target, "read") if action.target is not None else None
        case Navigate() | Restart() | UseApp() | Rotate():
            return None
        case Upload() | Download() | OpenWindow() | CloseWindow() | Drag() | Enter():
            raise DeviceRefused(lacking, failure=Failure.INVALID_CALL)
        case _:
            assert_never(action)

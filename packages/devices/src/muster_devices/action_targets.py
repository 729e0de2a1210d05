"""Which element an action needs, and for what. Pure."""

from typing import NamedTuple, assert_never

from muster_devices.actions import (
    Action,
    Choose,
    ClickOutside,
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
from muster_devices.element_search import search
from muster_devices.errors import DeviceRefused
from muster_devices.observations import FindElements, Use
from muster_devices.relations import area_of
from muster_devices.screen import Element, Screen
from muster_protocol.causes import Failure
from muster_text.text_match import listed, plain, quote


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
        case Swipe() | Scroll() | ClickOutside():
            return Wanted(action.target, "read") if action.target is not None else None
        case Navigate() | Restart() | UseApp() | Rotate():
            return None
        case Upload() | Download() | OpenWindow() | CloseWindow() | Drag() | Enter():
            raise DeviceRefused(lacking, failure=Failure.INVALID_CALL)
        case _:
            assert_never(action)


def as_shown(action: Action, screen: Screen) -> Action:
    """Return an action as it is done on a screen: a tap on what only a closed list offers chooses it there.

    Raises:
        DeviceRefused: several lists offer it, or a text says the same, so nobody can tell what is meant.
    """
    if not isinstance(action, Point) or action != Point(target=action.target):
        return action
    target, name = action.target, action.target.name
    if target.ref or not name or target.role not in ("", "option"):
        return action
    lists = [one for one in _shown_at(screen, target) if plain(name) in map(plain, one.options)]
    found = search(screen, FindElements(target=target, use="click"))
    *_, tier, _role, fit = found.rank or (1, 0, 0)
    if not lists or (tier, fit) == (0, 0):
        return action
    if len(lists) == 1 and tier > 0:
        return Choose(target=Target(ref=lists[0].ref), options=(name,))
    told = listed([*(one.words() for one in lists), *(one.words() for one in found.matches if tier == 0)])
    text = f"{target.words()} may be meant in {told}. Say which, as in: Select {quote(name)} in ..."
    raise DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=target.words(), where=screen.place.address)


def _shown_at(screen: Screen, target: Target) -> list[Element]:
    places = area_of(screen.elements, target.relations).places
    return [one for at in sorted(places) if not (one := screen.elements[at]).hidden]

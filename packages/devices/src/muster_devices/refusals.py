"""Words for a target that is missing, unclear or cannot be used: what is wrong, and how to say it better. Pure."""

from muster_devices.actions import Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen, Use
from muster_devices.screen import Element
from muster_devices.text_match import closest
from muster_protocol.causes import Failure

_WANTED: dict[Use, str] = {
    "type": "a field one can type into",
    "select": "a list to choose from",
    "check": "a checkbox, radio button or switch",
}


def usable(element: Element, use: Use) -> bool:
    """Return whether an element can be used so now."""
    return not element.hidden and element.states.enabled and (use != "type" or not element.states.readonly)


def refusal_of(target: Target, use: Use, found: ElementsSeen) -> DeviceRefused:
    """Return why a target cannot be used, from a search that was asked to explain."""
    if found.unknown_part and target.relation is not None:
        return _no_part(target.relation.anchor, found)
    if found.total == 0:
        return _missing(target, use, found)
    words, where = target.words(), found.place.address
    if found.total > 1:
        seen = "; ".join(f"{number}) {_placed(one)}" for number, one in enumerate(found.matches, 1))
        text = f"{words} may mean {found.total} elements: {seen}. Say which: by its role, what it is in, or its ref"
        return DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=words, seen=seen, where=where)
    text = f"{found.matches[0].words()} {_problem(found.matches[0], use)}"
    return DeviceRefused(text, failure=Failure.ELEMENT_MISSING, expected=words, seen=text, where=where)


def no_option(target: Target, missing: str, there: tuple[str, ...], where: str) -> DeviceRefused:
    """Return why an option cannot be chosen."""
    like = closest(missing, there)
    nearest = f"; closest: {', '.join(like)}" if like else ""
    seen = ", ".join(there) or "none"
    text = f'{target.words()} has no option "{missing}"{nearest}; it has: {seen}'
    return DeviceRefused(text, failure=Failure.ELEMENT_MISSING, expected=f'"{missing}"', seen=seen, where=where)


def _no_part(anchor: str, found: ElementsSeen) -> DeviceRefused:
    text = f'there is no part of the screen named "{anchor}"{_instead(anchor, found)}'
    return DeviceRefused(text, failure=Failure.ELEMENT_MISSING, expected=f'"{anchor}"', where=found.place.address)


def _missing(target: Target, use: Use, found: ElementsSeen) -> DeviceRefused:
    words, where = target.words(), found.place.address
    if found.any_kind and use in _WANTED:
        seen = found.any_kind[0].words()
        text = f"{words} is not {_WANTED[use]}: the screen has {seen} by that name"
        return DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=_WANTED[use], seen=seen, where=where)
    instead = _instead(target.name, found, target.role)
    text, seen = f"there is no {words} on the screen{instead}", instead.removeprefix("; ")
    return DeviceRefused(text, failure=Failure.ELEMENT_MISSING, expected=words, seen=seen, where=where)


def _instead(want: str, found: ElementsSeen, wanted_role: str = "") -> str:
    near = sorted(reversed(found.near), key=lambda one: one[0] == wanted_role)  # of one name, that of the role counts
    words = {name: f'{role or "text"} "{name}"' for role, name in near}
    like = closest(want, words)
    if like:
        return f"; closest: {', '.join(words[name] for name in like)}"
    return f"; it has: {', '.join(list(words.values())[:8])}" if words else "; it has nothing one could name"


def _placed(element: Element) -> str:
    return f'{element.words()} in "{element.place}"' if element.place else element.words()


def _problem(element: Element, use: Use) -> str:
    if element.hidden:
        return "is on the screen, but hidden"
    if not element.states.enabled:
        return "is disabled"
    return "is read-only" if use == "type" and element.states.readonly else "could not be used in time"

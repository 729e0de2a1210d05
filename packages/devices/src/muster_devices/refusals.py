"""Error messages for a target that is missing, ambiguous or unusable, with a better wording. Pure."""

from collections.abc import Sequence

from muster_devices.actions import Target
from muster_devices.errors import DeviceRefused
from muster_devices.observations import ElementsSeen, TextSeen, Use, ValuesSeen
from muster_devices.screen import Element
from muster_protocol.causes import Failure
from muster_protocol.narrowing import Relation
from muster_protocol.sessions import OpenDialog
from muster_text.text_match import listed, nearest, plain, quote

_WANTED: dict[Use, str] = {
    "type": "a field one can type into",
    "select": "a list to choose from",
    "check": "a checkbox, radio button or switch",
    "upload": "a file field",
}


def usable(element: Element, use: Use) -> bool:
    """Return whether an element can be used so now."""
    return not element.hidden and element.states.enabled and (use != "type" or not element.states.readonly)


TOO_LATE = "it came too late"
"""What a device saw of a target that was not there until the time was up."""


def refusal_of(target: Target, use: Use, found: ElementsSeen, unsteady: str = "") -> DeviceRefused:
    """Return why a target cannot be used, from a search that was asked to explain.

    `unsteady` says what was seen of a target that can be used now and could not before; empty: nothing was, so the page
    just did not answer in time, which is no fault of the product. Nothing was sent to the product then.
    """
    refused = missing_part(target.relations, found) or _refusal_of(target, use, found, unsteady)
    refused.unsent = True
    return refused


def _refusal_of(target: Target, use: Use, found: ElementsSeen, unsteady: str) -> DeviceRefused:
    if found.total == 0:
        return _missing(target, use, found)
    return _unclear(target, found) if found.total > 1 else _unusable(target, use, found, unsteady)


def no_option(target: Target, options: Sequence[str], there: Sequence[str], where: str = "") -> DeviceRefused:
    """Return why options cannot be chosen, from the labels of those that are there."""
    names = {plain(name) for name in there}
    missing = next((option for option in options if plain(option) not in names), options[0] if options else "")
    like = nearest(missing, there)
    closest = f"; closest: {listed(like)}" if like else ""
    seen = listed(there, 15)
    text = f"{target.words()} has no single option {quote(missing)}{closest}; it has: {seen or 'none'}"
    failure = Failure.ELEMENT_MISSING if plain(missing) in names else Failure.NAME_UNKNOWN
    return DeviceRefused(text, failure=failure, expected=quote(missing), seen=seen, where=where)


def missing_part(relations: Sequence[Relation], found: ElementsSeen | TextSeen | ValuesSeen) -> DeviceRefused | None:
    """Return the error for a part of the page that is not there, or may be several; None where there is one."""
    where = found.place.address
    if found.unclear_part:
        unnamed = [one.role for one in reversed(relations) if not one.anchor]
        kind = unnamed[0] if unnamed else found.unclear_part[0].role or "part"
        meant = f"the {kind}" if unnamed else " ".join(one.words() for one in relations)
        seen = "; ".join(f"{number}) {_placed(one)}" for number, one in enumerate(found.unclear_part, 1))
        text = f"{meant} may mean {len(found.unclear_part)} elements: {seen}. {_as_in(kind, found.unclear_part)}"
        return DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=f"one {kind}", seen=seen, where=where)
    if not found.unknown_part:
        return None
    if isinstance(found, ElementsSeen) and found.more:
        words = ", ".join(one.words() for one in relations)
        return _undrawn(f"something {words}", words, where)
    if found.unsure_part:
        return _unsure_part(relations, found.unsure_part[0], where)
    if all(one.how == "in" and not one.role for one in relations):
        expected = " or ".join(quote(one.anchor) for one in relations)
        text = f"there is no row, card, section, form or dialog named {expected} on the page"
    else:
        words = ", ".join(one.words() for one in relations)
        expected, text = f"something {words}", f"there is nothing {words} on the page"
    closest = closest_name(next((one.anchor for one in relations), ""), found.near)
    return DeviceRefused(f"{text}{closest}", failure=Failure.NAME_UNKNOWN, expected=expected, where=where)


def _unsure_part(relations: Sequence[Relation], bearer: Element, where: str) -> DeviceRefused:
    """Return the error for a part whose name is drawn, while nothing tells what belongs to it."""
    words = " or ".join(one.words() for one in relations)
    text = f"the page draws {bearer.words()}, and nothing says whether that is meant and what is {words}"
    expected = f"a part that is surely {words}"
    return DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=expected, seen=bearer.words(), where=where)


def _as_in(kind: str, several: Sequence[Element]) -> str:
    """Return how a sentence can say which of several of a kind is meant."""
    named = next((f"the {quote(one.name)} {kind}" for one in several if one.name), "")
    return f"Say which, as in: {' or '.join(way for way in (named, f'the first {kind}') if way)}"


def _missing(target: Target, use: Use, found: ElementsSeen) -> DeviceRefused:
    words, where = target.words(), found.place.address
    if found.any_kind:
        seen = found.any_kind[0].words()
        wanted = _WANTED.get(use, f"known to be a {target.role or 'thing of this kind'}")
        text = f"{words} is not {wanted}: the page has {seen} by that name"
        return DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=wanted, seen=seen, where=where)
    if found.more:
        return _undrawn(words, words, where)
    closest = closest_name(target.name, found.near, target.role)
    text, seen = f"there is no {words} on the page{closest}", closest.removeprefix("; ")
    return DeviceRefused(text, failure=Failure.NAME_UNKNOWN, expected=words, seen=seen, where=where)


def _undrawn(what: str, expected: str, where: str) -> DeviceRefused:
    """Return the refusal of what a list that draws only its visible part may still have."""
    text = f"{what} is not on the page, which has a list that draws only what it is scrolled to: scroll there first"
    return DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=expected, where=where)


def closest_name(want: str, near: Sequence[tuple[str, str]], role: str = "") -> str:
    """Return what is there instead: the names most like it, failing that some others; those of the role come first."""
    kinds = dict[str, str]()
    for kind, name in sorted(near, key=lambda one: one[0] != role):
        kinds.setdefault(name, kind)
    like = sorted(nearest(want, kinds), key=lambda name: kinds[name] != role) if want else []
    told = [f'{kinds[name] or "text"} "{name}"' for name in like or list(kinds)[:8]]
    if not told:
        return "; it has nothing one could name"
    return f"; {'closest' if like else 'it has'}: {', '.join(told)}"


def _unclear(target: Target, found: ElementsSeen) -> DeviceRefused:
    seen = "; ".join(f"{number}) {_placed(one)}" for number, one in enumerate(found.matches, 1))
    text = f"{target.words()} may mean {found.total} elements: {seen}. {_how(target, found.matches)}"
    where = found.place.address
    refused = DeviceRefused(text, failure=Failure.TARGET_UNCLEAR, expected=target.words(), seen=seen, where=where)
    counted = found.total == len(found.matches) and all(one.box is not None for one in found.matches)
    refused.alike = tuple(map(_placed, found.matches)) if counted else ()  # in other frames, numbers say nothing
    return refused


def _placed(element: Element) -> str:
    return f"{element.words()} in {quote(element.place, 60)}" if element.place else element.words()


def _how(target: Target, matches: Sequence[Element]) -> str:
    """Return how to say which one is meant."""
    roles = sorted({one.role for one in matches if one.role})
    places = sorted({one.place for one in matches if one.place})
    ways: list[str] = []
    if len({one.name for one in matches}) > 1:
        ways.append("by its full name")
    if not target.role and len(roles) > 1:
        ways.append(f"by its role (such as role={roles[0]!r})")
    if not target.relations and places:
        ways.append(f"by what it is in (such as within={places[0]!r})")
    if not target.name and target.role:
        return _as_in(f"{target.trait} {target.role}".strip(), matches)
    return f"Say which: {', '.join([*ways, 'or by its ref in a snapshot'])}"


def _unusable(target: Target, use: Use, found: ElementsSeen, unsteady: str) -> DeviceRefused:
    element, behind, where = found.matches[0], (found.rank or ())[:1] == (1,), found.place.address
    problem = _problem(element, use, found.cover.words if found.cover else "", behind=behind)
    if element.native == "option" and not problem:
        text = f"{element.words()} is in a list that is closed, where it can only be chosen or clicked"
        return DeviceRefused(text, failure=Failure.INVALID_CALL, where=where)
    if not (problem or unsteady):
        text = f"{element.words()} could not be used in time, and nothing is in its way: the page is too slow or busy"
        return DeviceRefused(text, failure=Failure.UNREACHABLE, where=where)
    popup = usable(element, use) and found.cover is not None and found.cover.popup
    called_more = Failure.NAME_UNKNOWN if element.partly else Failure.ELEMENT_MISSING
    failure = Failure.TARGET_UNCLEAR if popup else called_more  # the case may have to close it first
    text = f"{element.words()} {problem or f'could not be used in time: {unsteady}'}"
    refused = DeviceRefused(text, failure=failure, expected=target.words(), seen=text, where=where)
    refused.obstacle = found.cover if usable(element, use) else None
    refused.late = not problem and unsteady == TOO_LATE
    return refused


def _problem(element: Element, use: Use, cover: str, *, behind: bool) -> str:
    """Return what is wrong with an element now; empty: nothing is."""
    if element.hidden:
        return "is on the page, but hidden"
    if not element.states.enabled:
        return "is disabled"
    if use == "type" and not element.states.editable:
        return "is read-only"
    if cover:
        return f"is covered by {cover}: close or answer that first"
    if behind:
        return "is behind an open dialog: answer that first"
    return ""


def described(dialog: OpenDialog) -> str:
    """Return a dialog in words, as in `a confirm dialog: "Remove it?"`."""
    article = "an" if dialog.kind == "alert" else "a"
    return f"{article} {dialog.kind} dialog: {quote(dialog.message)}"


def dialog_in_the_way(dialog: OpenDialog, lead: str) -> DeviceRefused:
    """Return the error for a dialog that nobody answers; `lead` says how it came to be in the way.

    A question is left open by the test, an alert that it does not know of is the product's.
    """
    told = dialog.kind == "alert"
    failure = Failure.EXPECTATION_FALSE if told else Failure.INVALID_CALL
    expected = "no alert in the way" if told else ""
    text = f"{lead} {described(dialog)}; accept or dismiss it first"
    return DeviceRefused(text, failure=failure, expected=expected, seen=described(dialog), where=dialog.url)

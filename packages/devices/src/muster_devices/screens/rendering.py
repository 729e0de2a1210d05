"""Renders a state of a simulated device: its elements, their places, and the total height. Pure."""

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from muster_devices.element_texts import complete
from muster_devices.screen import Element, Place, Screen, States, kind_of_state
from muster_devices.screens.app import FOCUSED_ROLES, HELD_AT_FIRST, App, Part, holds_value
from muster_devices.screens.layout import Branch, boxes_of, height_of
from muster_devices.screens.state import HANGS, State
from muster_devices.screens.templates import fill, holds, shown
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box
from muster_text.element_roles import TYPED

_NOWHERE = 1_000
"""Deeper than any element."""


class Rendered(NamedTuple):
    """An element that is shown, and what the file says of it."""

    element: Element
    part: Part


class Numbered(NamedTuple):
    """An element of the app with its ref, which is one of its own in all the app, and its depth."""

    ref: str
    level: int
    part: Part


def screen_of(app: App, state: State, rendered: Sequence[Rendered]) -> Screen:
    """Return what the device shows; after a crash nothing but that."""
    address = f"{app.app}://{state.screen}"
    if state.crash:
        problem = f"the app {HANGS}" if state.crash == HANGS else f"the app has crashed: {state.crash}"
        place = Place(address=address, empty=True, failure=Failure.SERVER_ERROR, problem=problem)
        return Screen(place=place, version=state.version)
    title = fill(app.screens[state.screen].title, state.data) or state.screen
    elements = tuple(one.element for one in rendered)
    return Screen(
        place=Place(address=address, title=title, empty=not elements), version=state.version, elements=elements
    )


def present(state: State, parts: Sequence[Numbered], gone: Container[str]) -> list[Numbered]:
    """Return the elements that are there now; what is inside of one that is not is not there either.

    `gone`: ids of elements that a fault takes away.
    """
    here: list[Numbered] = []
    missing_above = _NOWHERE
    for one in parts:
        if one.level > missing_above:
            continue
        in_time = state.opened_at + one.part.after <= state.at
        there = in_time and (not one.part.id or one.part.id not in gone) and holds(one.part.when, state.data)
        missing_above = _NOWHERE if there else one.level
        if there:
            here.append(one)
    return here


def render(state: State, there: Sequence[Numbered], width: int) -> list[Rendered]:
    """Return the elements that are there as they are shown, with their places."""
    boxes = boxes_of([Branch(one.ref, one.level, one.part) for one in there], width)
    elements = complete([_element(state, one, boxes[one.ref]) for one in there])
    return [Rendered(element, one.part) for element, one in zip(elements, there, strict=True)]


def content_height(there: Sequence[Numbered], width: int) -> int:
    """Return how many pixels all that is there takes from top to bottom."""
    return height_of(boxes_of([Branch(one.ref, one.level, one.part) for one in there], width))


def _element(state: State, one: Numbered, box: Box) -> Element:
    part, data = one.part, state.data
    name, text = fill(part.name, data), fill(part.text, data)
    field = holds_value(part) and part.role not in HELD_AT_FIRST
    leaf = not part.elements
    return Element(
        ref=one.ref,
        role="" if part.role == "text" else part.role,
        native=part.role,
        name=name or (text if leaf and not field else ""),
        text=text or (name if leaf and not field else ""),
        value=shown(data.get(part.id, "")) if field else None,
        states=_states(state, one),
        secret=part.secret,
        options=part.options,
        box=replace(box, y=box.y - state.scroll),
        level=one.level,
    )


def _states(state: State, one: Numbered) -> States:
    part, data = one.part, state.data
    given = {name: held if isinstance(held, bool) else holds(held, data) for name, held in part.states.items()}
    enabled, readonly = not given.get("disabled", False), given.get("readonly", False)
    return States(
        enabled=enabled,
        readonly=readonly,
        editable=part.role in TYPED and enabled and not readonly,
        checked=part.role in HELD_AT_FIRST and data.get(part.id) is True,
        selected=given.get("selected", False),
        focused=state.focus == one.ref,
        required=given.get("required", False),
        expanded=given.get("expanded", False),
        collapsed=given.get("collapsed", False),
        known=_known_states(part, given),
    )


def _known_states(part: Part, given: Iterable[str]) -> tuple[str, ...]:
    """Return the states that an element has: those of its role, and those that the app's file gives it."""
    typed = ("editable", "readonly", "required") if part.role in TYPED else ()
    toggled = ("checked", "required") if part.role in HELD_AT_FIRST else ()
    usable = ("enabled",) if part.role in FOCUSED_ROLES or part.tap else ()
    named = (kind_of_state(name) for name in given)
    return tuple(dict.fromkeys(("focused", *typed, *toggled, *usable, *named)))

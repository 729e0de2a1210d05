"""What a screens file holds, as types. `docs/devices.md` describes it with examples."""

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from muster_text.element_roles import TOGGLES, TYPED

Value = str | int | float | bool
"""What a piece of the app's data may be."""
Name = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_-]*$")]
Seconds = Annotated[float, Meta(ge=0)]
Role = Literal[
    "text", "heading", "button", "link", "textbox", "searchbox", "spinbutton", "combobox", "checkbox", "switch",
    "radio", "tab", "menuitem", "img", "list", "listitem", "table", "row", "columnheader", "rowheader", "cell",
    "group", "region", "form", "article", "navigation", "dialog", "alert", "status", "progressbar",
]  # fmt: skip
StateName = Literal["disabled", "readonly", "required", "selected", "expanded", "collapsed"]
SwipeTo = Literal["up", "down", "left", "right"]
Trouble = Literal["away", "dropped", "locked"]
"""What keeps everybody from the device: it cannot be reached, its session is over, or its screen is locked."""


class Compare(Struct, frozen=True, forbid_unknown_fields=True, rename={"is_": "is", "not_": "not"}):
    """How a piece of data is compared; all that is given must hold."""

    is_: Value | None = None
    not_: Value | None = None
    above: float | None = None
    below: float | None = None


Condition = dict[Name, Value | Compare]
"""What must hold of the app's data, by name; a plain value must be equal."""


class Reaction(Struct, frozen=True, forbid_unknown_fields=True):
    """What the app does. The first of several whose condition holds is done."""

    when: Condition = {}
    go: str = ""
    """The screen to show."""
    back: bool = False
    """Show the screen before."""
    set: dict[Name, Value] = {}
    """Data to set; texts may be templates."""
    add: dict[Name, int | float] = {}
    """Numbers to add to data."""
    dialog: "Dialog | None" = None
    crash: str = ""
    """The app ends with this error."""
    after: Seconds = 0
    """Seconds until it is done; the app is busy meanwhile."""
    quiet: bool = False
    """Nothing shows that the app is busy, as with news that a server pushes."""


Reactions = str | Reaction | tuple[Reaction, ...]
"""One reaction, several, or the name of the screen to show."""


class Dialog(Struct, frozen=True, forbid_unknown_fields=True):
    """A dialog of the device, which stops the app until it is answered."""

    text: str
    kind: Literal["alert", "confirm", "prompt"] = "alert"
    default: str = ""
    into: str = ""
    """The piece of data that holds what was entered into a prompt."""
    accept: Reactions = ()
    dismiss: Reactions = ()


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """An element of a screen. Its `id` also names the piece of data that a field, list or toggle holds."""

    role: Role
    name: str = ""
    id: str = ""
    text: str = ""
    """What it says; the name, if nothing else does."""
    value: Value | None = None
    """What a field, list or toggle holds at first."""
    options: tuple[str, ...] = ()
    secret: bool = False
    when: Condition = {}
    """It is there only while this holds."""
    after: Seconds = 0
    """Seconds after the screen is shown until it is there."""
    quiet: bool = False
    """Nothing shows that it is still to come."""
    states: dict[StateName, bool | Condition] = {}
    bounds: tuple[int, int, int, int] | None = None
    """Left, top, width and height in pixels; else it stands below, or in a row beside, the element before it."""
    tap: Reactions = ()
    double_tap: Reactions = ()
    long_press: Reactions = ()
    hover: Reactions = ()
    type: Reactions = ()
    """After a text was entered or an option chosen."""
    keys: dict[str, Reactions] = {}
    swipe: dict[SwipeTo, Reactions] = {}
    elements: "tuple[Part, ...]" = ()


class ScreenPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """One screen of the app."""

    title: str = ""
    opened: Reactions = ()
    """Whenever it is shown."""
    keys: dict[str, Reactions] = {}
    swipe: dict[SwipeTo, Reactions] = {}
    elements: tuple[Part, ...] = ()


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """Something that goes wrong on one screen or element, or everywhere; switched on by its name."""

    screen: str = ""
    element: str = ""
    """The id of an element; its taps and texts are struck. Without one, the opening of a screen is, or an act."""
    absent: bool = False
    """The element is not there."""
    slow: Seconds = 0
    """Seconds that each reaction takes longer."""
    crash: str = ""
    hangs: bool = False
    """The app does not respond until it is started anew."""
    trouble: Trouble | None = None
    lasts: Seconds = 0
    """Seconds until the device is back, or unlocked; 0: never."""
    dialog: Dialog | None = None
    instead: Reactions | None = None
    """Done in place of the element's reactions; `{}`: nothing is."""
    acts: Annotated[int, Meta(ge=0)] = 0
    """It strikes once, after so many acts; 0: whenever the screen is shown, or the element used."""
    times: Annotated[int, Meta(ge=0)] = 0
    """How often it strikes; 0: always."""


class Size(Struct, frozen=True, forbid_unknown_fields=True):
    """The screen's size in pixels."""

    width: Annotated[int, Meta(ge=100, le=4000)] = 390
    height: Annotated[int, Meta(ge=100, le=4000)] = 844


class App(Struct, frozen=True, forbid_unknown_fields=True):
    """A simulated app."""

    app: Name
    """Its name, with which the addresses of its screens begin: `shop://cart`."""
    start: str
    screens: dict[Name, ScreenPlan]
    data: dict[Name, Value] = {}
    """What the app knows at first."""
    size: Size = Size()
    faults: dict[Name, Fault] = {}


def listed(reactions: Reactions) -> tuple[Reaction, ...]:
    """Return reactions as a tuple, however they are written."""
    match reactions:
        case str():
            return (Reaction(go=reactions),)
        case Reaction():
            return (reactions,)
        case tuple():
            return reactions


def walk(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return elements and all inside of them, in reading order."""
    return tuple(one for part in parts for one in (part, *walk(part.elements)))


HELD_AT_FIRST: Mapping[str, Value] = dict.fromkeys(TOGGLES, False)
"""What toggles hold where the file does not say; fields and lists hold an empty text."""
FOCUSED_ROLES = (*TYPED, *HELD_AT_FIRST, "combobox", "button", "link", "tab", "menuitem")
"""Roles of elements that take the focus, and so can be enabled or disabled."""


def holds_value(part: Part) -> bool:
    """Return whether an element holds a value of its own, which then needs an id."""
    return part.role in (*TYPED, "combobox", *HELD_AT_FIRST)


def first_data(app: App) -> dict[str, Value]:
    """Return the app's data at its start: what the file says, and what fields hold."""
    fields = (part for screen in app.screens.values() for part in walk(screen.elements) if holds_value(part))
    held = {one.id: HELD_AT_FIRST.get(one.role, "") if one.value is None else one.value for one in fields}
    return held | app.data

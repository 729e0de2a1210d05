"""What a device shows: places, elements and windows, in the same shape on every device."""

from typing import Literal

from msgspec import Struct

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box

_OPPOSITES = {
    "disabled": "enabled",
    "valid": "invalid",
    "unchecked": "checked",
    "unselected": "selected",
    "collapsed": "expanded",
}


def kind_of_state(state: str) -> str:
    """Return the name that a state and its opposite share: `enabled` for `disabled`."""
    return _OPPOSITES.get(state, state)


MOST_OPTIONS = 100
"""Options of a list that are told of, the first; as in the script in the page."""


class States(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an element is, each as people would say it."""

    enabled: bool = True
    readonly: bool = False
    editable: bool = False
    checked: bool = False
    selected: bool = False
    focused: bool = False
    required: bool = False
    invalid: bool = False
    """It is marked as holding what it must not hold."""
    expanded: bool = False
    collapsed: bool = False
    known: tuple[str, ...] = ()
    """Kinds of state that the element has, as `kind_of_state` names them: a paragraph has no `checked`."""


Unchosen = Literal["", "yes", "maybe", "otherwise"]
"""Whether what a list shows is no choice, but an invitation to one; `maybe`: nobody can tell; `otherwise`: what is
drawn for it, or for another value, is not what it holds, or no text tells what that is."""


class Element(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An element as a person would describe it."""

    role: str
    """ARIA role, such as `button`; empty where the device knows none."""
    name: str = ""
    ref: str = ""
    """Names it until the screen changes, such as `e12`."""
    native: str = ""
    """What the device itself calls its kind, such as `select` or `android.widget.Button`."""
    place: str = ""
    """What names the row, card or section it is in."""
    beside: tuple[str, ...] = ()
    """What one can use or read as a heading before it and after it; an empty text where there is nothing."""
    floating: bool = False
    """It lies over the rest of the screen: in a dialog, banner or tour."""
    framed: bool = False
    """It is in a frame of the page."""
    sole: bool = False
    """Nothing else is of its role and name, and it is in a form that is no row, card or item; told of what is used."""
    aliases: tuple[str, ...] = ()
    """Further names of it: placeholder, title, test id."""
    text: str = ""
    value: str | None = None
    """What a field holds; None: it is no field."""
    cased: str = ""
    """`value` with its capitals as the page draws them; empty: unknown."""
    states: States = States()
    hidden: bool = False
    secret: bool = False
    """A password field: its value is shown to nobody."""
    pale: bool = False
    """A field whose text has too little contrast to be read, or what a veil leaves almost nothing of."""
    unchosen: Unchosen = ""
    unread: bool = False
    """Nobody can read the text that it was found by: it has the colour of what is behind it, or the like."""
    partly: bool = False
    """It is called so, and more: "Save as draft", found by "Save"; or it shows another name than that."""
    options: tuple[str, ...] = ()
    attribute: str | None = None
    """The attribute that was asked for; addresses in full. None: it has none."""
    box: Box | None = None
    """Where it is on the screen, in CSS or device pixels; None: nowhere, or unknown."""
    level: int = 0
    """Depth in the tree of elements; what follows deeper is inside of it."""
    came: bool = False
    """Its text was nowhere on the screen before the last action, or the screen came with that."""

    @property
    def drawn(self) -> str:
        """What it holds, with its capitals as the page draws them."""
        return self.cased or self.content

    @property
    def content(self) -> str:
        """What it holds: the value of a field, else its text."""
        return self.text if self.value is None else self.value

    def words(self) -> str:
        """Return role and name, as in `button "Login"`."""
        return f'{self.role or self.native or "element"} "{self.name}"'


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a device is: the page of a browser, the screen of an app."""

    address: str
    title: str = ""
    status: int = 0
    """HTTP status of a page's document; 0: no server has answered with it."""
    empty: bool = False
    failure: Failure | None = None
    """Set where this is none of the product's screens: a server's error, a crash. Absence proves nothing there."""
    problem: str = ""
    """What its server or the app itself says is wrong, in words."""
    unanswered: tuple[str, ...] = ()
    """What it has asked of a server since the last action and waits for, such as `GET /orders`."""
    unleft: str = ""
    """Name of the field that was typed into and still has the focus; a page may wait until it is left."""


class Screen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that a device shows, for models and maps."""

    place: Place
    version: int
    elements: tuple[Element, ...] = ()
    """In reading order; `Element.level` tells the tree."""
    lines: tuple[str, ...] = ()
    """The same as models read it, such as `  - button "Log in" [ref=e3] [disabled]`."""


class Window(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tab, context or app of a device."""

    id: str
    title: str
    address: str = ""
    current: bool = False


KEPT_RECORDS = 500
"""Entries that a feed of a session keeps, the newest."""


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One entry of a feed: a console message, a request, a document, a dialog, a crash."""

    at: float
    """Unix time in seconds."""
    text: str = ""
    level: str = ""
    """Of a console message its level, of a dialog its kind, of a request the kind of resource."""
    address: str = ""
    method: str = ""
    status: int = 0
    failure: str = ""
    elements: tuple[str, ...] = ()
    """Of an audit: digests of the markup of all elements with the fault; empty if they are too many."""


def outline(screen: Screen) -> list[str]:
    """Return the screen as lines such as `  - button "Log in" [ref=e3] [disabled]`."""
    elements = [one for one in screen.elements if not one.hidden]
    after = [*(one.level for one in elements[1:]), 0]
    return [_line(element, leaf=deeper <= element.level) for element, deeper in zip(elements, after, strict=False)]


def _line(element: Element, *, leaf: bool) -> str:
    states = element.states
    marks = [f"ref={element.ref}"] if element.ref else []
    marks += [name for name in ("checked", "selected", "expanded", "readonly", "required") if getattr(states, name)]
    marks += [] if states.enabled else ["disabled"]
    marks += ["active"] if states.focused else []
    held = "••••" if element.secret and element.content else element.content if leaf else ""
    said = f": {held}" if held and held != element.name else ""
    name = f' "{element.name}"' if element.name else ""
    shown = "".join(f" [{mark}]" for mark in marks)
    return f"{'  ' * element.level}- {element.role or element.native}{name}{shown}{said}"

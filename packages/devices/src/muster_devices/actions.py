"""What a device is asked to do, and what it answers."""

import re
from typing import Literal

from msgspec import Struct

from muster_devices.screen import Element, Place
from muster_protocol.causes import Failure
from muster_protocol.narrowing import Relation, ordinal_words
from muster_protocol.sessions import OpenDialog

Direction = Literal["up", "down", "left", "right"]


SPOT = re.compile(r"@(\d{1,5}),(\d{1,5})")
"""A ref of a point of the screen, where the device knows no element that has one: `@120,45`."""


def spot_of(ref: str) -> tuple[int, int] | None:
    """Return the point that a ref names; None: it is the ref of an element."""
    found = SPOT.fullmatch(ref)
    return (int(found[1]), int(found[2])) if found else None


class Target(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The element that is meant, in a tester's words. A target without an ordinal must mean one element."""

    name: str = ""
    role: str = ""
    """ARIA role; empty: any."""
    ref: str = ""
    """Its ref in the last screen; wins over the rest."""
    ordinal: int = 0
    """Which of several, from 1 in reading order; -1 is the last; 0: there is one."""
    trait: str = ""
    """As in `Narrowing`."""
    exact: bool = False
    relations: tuple[Relation, ...] = ()

    def words(self) -> str:
        """Return it as in `2nd button "Remove" in "Backpack"`."""
        name = f'"{self.name}"' if self.name else ""
        ref = f"[{self.ref}]" if self.ref else ""
        own = (ordinal_words(self.ordinal), self.trait, self.role, name, ref)
        return " ".join(part for part in (*own, *(one.words() for one in self.relations)) if part) or "the page"


class Point(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="point"):
    """Click or tap an element, or rest on it."""

    target: Target
    gesture: Literal["tap", "double_tap", "long_press", "secondary", "hover"] = "tap"
    """`secondary` is the right mouse button."""
    holding: tuple[str, ...] = ()
    """Keys that are held meanwhile: `Control`, `Shift`, `Alt`, `Meta`."""


class ClickOutside(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="click_outside"):
    """Click an empty place outside of a target, to close a dialog or menu or to take the focus from a field."""

    target: Target | None = None
    """None: the dialog that is open, or whatever has the focus."""


class Drag(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="drag"):
    """Press on an element, move it to another one and let go."""

    target: Target
    to: Target


class Enter(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="enter"):
    """Put a text into a field, in place of what it holds; an empty one clears it."""

    target: Target | None
    """None: whatever has the focus, which keeps what it holds."""
    text: str
    how: Literal["replace", "keys", "append"] = "replace"
    """`keys` empties the field and presses a key for each letter; `append` types behind what is there."""


class Toggle(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="toggle"):
    """Turn a checkbox, radio button or switch on or off; nothing happens if it is so already."""

    target: Target
    on: bool = True


class Choose(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="choose"):
    """Choose options of a list by their visible text."""

    target: Target
    options: tuple[str, ...]


class Press(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="press"):
    """Press a key or chord, such as `Enter` or `Control+a`: on a target, or on whatever has the focus."""

    key: str
    target: Target | None = None


class Swipe(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="swipe"):
    """Move a finger over a target, or over the screen; where nothing answers to it, the content moves along."""

    direction: Direction
    target: Target | None = None


class Scroll(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="scroll"):
    """Show another part of the content: most of a screen further, its end, or the target if there is one."""

    to: Literal["up", "down", "top", "bottom"] = "down"
    target: Target | None = None


class Navigate(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="navigate"):
    """Go to an address, back, forward, or to the same place anew."""

    to: Literal["address", "back", "forward", "reload"] = "address"
    address: str = ""


class Restart(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="restart"):
    """Start the app anew, as if for the first time: without open windows, cookies and what else it kept.

    A browser shows an empty page then.
    """


class UseApp(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="use_app"):
    """Bring an app to the front, put it into the background, end it, or have it forget all that it kept.

    `notifications` brings those of all apps to the front.
    """

    to: Literal["open", "background", "close", "clear", "notifications"] = "open"
    app: str = ""
    """Its package or bundle id, or the name of the case's own app; empty: that one."""


class Rotate(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="rotate"):
    """Turn the device."""

    to: Literal["portrait", "landscape"]


class File(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file that moves between a session's directory and a device."""

    name: str
    content: bytes
    content_type: str = "application/octet-stream"


class Upload(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="upload"):
    """Choose files in a file field, or with the button that asks for them."""

    target: Target
    files: tuple[File, ...]


class Download(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="download"):
    """Click what starts a download; the file comes with `Done.files`."""

    target: Target
    largest: int = 50_000_000
    """Bytes that the file may have."""


class OpenWindow(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="open_window"):
    """Open a window, at an address if one is given; it becomes the current one."""

    address: str = ""


class CloseWindow(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="close_window"):
    """Close a window, the current one unless another is named; the last must stay."""

    window: str = ""


Action = (
    Point
    | ClickOutside
    | Drag
    | Enter
    | Toggle
    | Choose
    | Press
    | Swipe
    | Scroll
    | Navigate
    | Upload
    | Download
    | OpenWindow
    | CloseWindow
    | Restart
    | UseApp
    | Rotate
)


class Scope(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where an action may lead."""

    domains: tuple[str, ...] = ()
    """Hosts that may be reached; empty: any."""
    entrusted: tuple[str, ...] | None = None
    """Hosts whose pages may take what this action enters, since it holds a secret; None: it holds none."""
    described: bool = False
    """Whether the element is to be described as it is before the action."""


class Changes(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is different on a screen that is still the same one."""

    address: bool = False
    title: bool = False
    scrolled: bool = False
    dialogs: tuple[str, ...] = ()
    """Texts of the dialogs that the product itself draws."""
    closed: bool = False
    """Such a dialog went away."""
    alerts: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    """Texts that are new."""
    gone: tuple[str, ...] = ()
    """Texts that are no longer there."""
    touched: bool = False
    """A control has another value or state, has come or gone, or a picture shows another one."""
    detached: bool = False
    """The element itself is gone or was replaced."""
    focused: bool = False
    """The element has the focus now."""
    requested: bool = False
    """A server was asked for something."""
    reordered: bool = False
    """The same texts stand in another order."""
    files: bool = False
    """The browser asks which files to upload."""


class Done(Struct, frozen=True, kw_only=True, omit_defaults=True, tag="done"):
    """An action was done, once; this is the settled screen after it."""

    place: Place
    before: str
    """The address before."""
    target: Element | None = None
    """The element that was acted on, as it is now; None once it is gone."""
    touched: Element | None = None
    """The element as it was before the action, where the scope asks for that."""
    changes: Changes | None = None
    """None: the screen is another one, so there is nothing to compare."""
    headings: tuple[str, ...] = ()
    alerts: tuple[str, ...] = ()
    opening: tuple[str, ...] = ()
    """The first lines below the first heading."""
    confirmed: bool = False
    """Whether the device saw the effect: the field holds the text, the option is chosen, the screen changed."""
    pending: tuple[str, ...] = ()
    """What was still under way when the time was up."""
    window: str = ""
    """Title of a window that it opened; that is the current one now."""
    closed: bool = False
    """It closed its own window."""
    late: bool = False
    """What it started took longer than its limit."""
    failure: Failure | None = None
    """Whose fault it is that the screen it led to is none of the product's, if so."""
    strategy: str = ""
    """How the target was found: `ref`, `name`, `label` or `words` (in its text)."""
    files: tuple[File, ...] = ()
    """What was downloaded."""
    downloads: tuple[str, ...] = ()
    """Names of the downloads that it began and that were not asked for."""
    dialog: OpenDialog | None = None
    """One that opened just when it was done."""

    @property
    def changed(self) -> bool:
        """Whether anything was seen to happen; the focus counts where one can type."""
        changes = self.changes
        if self.window or self.closed or self.downloads or changes is None:
            return True
        typable = self.target is not None and self.target.states.editable
        return changes != Changes(focused=changes.focused) or (changes.focused and typable)


class DialogOpen(Struct, frozen=True, kw_only=True, tag="dialog_open"):
    """The action opened a dialog of the device, which waits for an answer; the action ends with that."""

    dialog: OpenDialog
    touched: Element | None = None
    """The element that was acted on, where the scope asks for that."""


Outcome = Done | DialogOpen

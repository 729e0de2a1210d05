"""What a dialect makes of a page source, and how elements are put together from its nodes. Pure."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from muster_devices.appium.source_tree import Node
from muster_devices.element_texts import complete
from muster_devices.screen import Element
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import Box


class Trouble(NamedTuple):
    """Why the screen is none of the product's, or none that can be used."""

    failure: Failure
    text: str


class Asked(NamedTuple):
    """A dialog of the system or the app, with the paths of the buttons that answer it where these are known."""

    dialog: OpenDialog
    accept: str = ""
    dismiss: str = ""


class NativeScreen(NamedTuple):
    """A page source as it was understood."""

    elements: tuple[Element, ...]
    paths: tuple[str, ...] = ()
    """Of each element the path that finds it, or the id that WebDriver gave it."""
    app: str = ""
    """Package or bundle in front; empty: the source does not say."""
    title: str = ""
    address: str = ""
    """Of a web page; empty: an app has none."""
    width: float = 0.0
    """Of the screen, in the unit of the elements' boxes; 0: unknown."""
    height: float = 0.0
    asked: Asked | None = None
    blocked: bool = False
    """Nothing else can be seen or done until the dialog is answered, as with a page's alert."""
    trouble: Trouble | None = None
    busy: tuple[str, ...] = ()
    """What is seen to be under way."""

    @property
    def area(self) -> Box | None:
        """The whole screen; None: its size is unknown."""
        return sized(Box(x=0.0, y=0.0, width=self.width, height=self.height))


Describe = Callable[[Node, Sequence[Node]], Element | None]
"""Returns the element of a node, given the nodes around it, the outermost first; None where it only holds others."""
PathTo = Callable[[Node], str]


class Listed(NamedTuple):
    """The elements of a source, and the path of each."""

    elements: tuple[Element, ...]
    paths: tuple[str, ...]


def list_elements(root: Node, describe: Describe, path_to: PathTo) -> Listed:
    """Return the elements of a source in reading order; what only holds others is left out."""
    found: list[tuple[Element, str]] = []
    _collect(root, (), 0, found, describe, path_to)
    return Listed(complete([element for element, _ in found]), tuple(path for _, path in found))


def _collect(  # noqa: PLR0917 - a walk down a tree
    node: Node, around: tuple[Node, ...], level: int, found: list[tuple[Element, str]], describe: Describe, path: PathTo
) -> None:
    element = describe(node, around)
    if element is not None:
        found.append((replace(element, level=level), path(node)))
        level += 1
    for child in node.children:
        _collect(child, (*around, node), level, found, describe, path)


def texts_below(node: Node, *names: str) -> str:
    """Return what the nodes below one say, each by the first of some attributes that it has."""
    said = (next((one.get(name) for name in names if one.get(name)), "") for one in node.walk() if one is not node)
    return " ".join(text for text in said if text)


def sized(box: Box | None) -> Box | None:
    """Return a box; None where it has no area."""
    return box if box is not None and box.width > 0 and box.height > 0 else None

"""Reads the XML page source of any other driver, by what its tags and attributes are called. Pure."""

from collections.abc import Sequence

from muster_devices.appium.native_screen import NativeScreen, list_elements
from muster_devices.appium.source_tree import Node, parse_source, path_of
from muster_devices.screen import Element, States
from muster_text.element_roles import TOGGLES

_ROLES = {
    "button": "button", "inputfield": "textbox", "textfield": "textbox", "textbox": "textbox", "edit": "textbox",
    "edittext": "textbox", "entry": "textbox", "checkbox": "checkbox", "radiobutton": "radio", "switch": "switch",
    "combobox": "combobox", "list": "list", "listview": "list", "listitem": "listitem", "image": "img",
    "statictext": "", "text": "", "label": "", "link": "link", "hyperlink": "link", "heading": "heading",
    "navbar": "banner", "dialog": "dialog", "tab": "tab", "menuitem": "menuitem", "slider": "slider",
}  # fmt: skip
"""By the end of a tag in lower case, the longest first."""
_SAID = ("label", "content-desc", "Name", "name", "text", "title", "id")
_FIELDS = ("textbox", "combobox", "slider")


def read_plain(source: str) -> NativeScreen:
    """Return what a source shows; where its elements stand is not known.

    Raises:
        SourceUnreadable: it cannot be read.
    """
    root = parse_source(source)
    listed = list_elements(root, _element, lambda node: path_of(node, "id", "name"))
    return NativeScreen(elements=listed.elements, paths=listed.paths, title=root.get("title"))


def _role(node: Node) -> str | None:
    tag = node.tag.lower()
    fitting = [name for name in _ROLES if tag.endswith(name)]
    return _ROLES[max(fitting, key=len)] if fitting else None


def _element(node: Node, around: Sequence[Node]) -> Element | None:
    role = _role(node)
    if role is None or not around:
        return None
    told = _SAID if role else ("text", "value", *_SAID)
    said = next((node.get(name) for name in told if node.get(name)), "")
    field = role in _FIELDS
    return Element(
        role=role,
        name=said,
        native=node.tag,
        text="" if field else said,
        value=node.get("value") if field else None,
        states=_states(node, role),
        hidden="false" in (node.get("visible"), node.get("displayed")),
    )


def _states(node: Node, role: str) -> States:
    known = [name for name in ("enabled", "selected", "focused") if node.get(name)]
    toggled = ["checked"] if role in TOGGLES or node.get("checked") else []
    enabled = node.get("enabled") != "false"
    return States(
        enabled=enabled,
        editable=role == "textbox" and enabled,
        checked=node.says("checked"),
        selected=node.says("selected"),
        focused=node.says("focused"),
        known=(*known, *toggled),
    )

"""Reads the page source of XCUITest. Pure."""

from collections.abc import Sequence
from math import isfinite

from muster_devices.appium.native_screen import Asked, NativeScreen, list_elements, sized, texts_below
from muster_devices.appium.source_tree import Node, parse_source, path_of
from muster_devices.screen import Element, States
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import Box
from muster_text.element_roles import TOGGLES

_PREFIX = "XCUIElementType"
_ROLES = {
    "Button": "button", "TextField": "textbox", "SecureTextField": "textbox", "SearchField": "searchbox",
    "TextView": "textbox", "StaticText": "", "Switch": "switch", "Toggle": "switch", "CheckBox": "checkbox",
    "RadioButton": "radio", "Image": "img", "Icon": "img", "Link": "link", "Table": "table", "Cell": "row",
    "CollectionView": "list", "PickerWheel": "combobox", "PopUpButton": "combobox", "Slider": "slider",
    "Stepper": "spinbutton", "ProgressIndicator": "progressbar", "ActivityIndicator": "progressbar",
    "Alert": "alertdialog", "Sheet": "alertdialog", "NavigationBar": "banner", "TabBar": "tablist", "Tab": "tab",
    "MenuItem": "menuitem", "WebView": "document", "SegmentedControl": "group",
}  # fmt: skip
_LEFT_OUT = ("Keyboard", "StatusBar", "TouchBar")
"""What belongs to the system, and would be taken for the app's."""
_TYPED = ("textbox", "searchbox")
_FIELDS = (*_TYPED, "combobox", "slider", "spinbutton")
_USED = (*_FIELDS, *TOGGLES, "button", "link", "tab", "menuitem", "row")
_NO = ("cancel", "don’t allow", "don't allow", "no", "not now", "dismiss", "abbrechen")


def read_ios(source: str) -> NativeScreen:
    """Return what a source shows.

    Raises:
        SourceUnreadable: it cannot be read.
    """
    root = _without_system(parse_source(source))
    alert = next((node for node in root.walk() if _role(node) == "alertdialog" and _shown(node)), None)
    within = {node.path for node in alert.walk()} if alert else set[str]()
    behind = {node.path for node in root.walk()} - within if alert else set[str]()
    listed = list_elements(root, lambda node, around: _element(node, around, behind), _path)
    app = next((node for node in root.walk() if _kind(node) == "Application"), root)
    size = _box(app)
    return NativeScreen(
        elements=listed.elements,
        paths=listed.paths,
        app=app.get("bundleId"),
        title=_title(root),
        width=size.width if size else 0.0,
        height=size.height if size else 0.0,
        asked=_question(alert) if alert else None,
        busy=tuple(_said(node) or "a spinner" for node in root.walk() if _spins(node)),
    )


def _kind(node: Node) -> str:
    return (node.get("type") or node.tag).removeprefix(_PREFIX)


def _role(node: Node) -> str | None:
    known = _ROLES.get(_kind(node))
    return "heading" if known in ("", None) and "Header" in node.get("traits") else known


def _path(node: Node) -> str:
    return path_of(node, "name", *(() if _role(node) in _FIELDS else ("label",)))


def _without_system(node: Node) -> Node:
    kept = tuple(_without_system(child) for child in node.children if _kind(child) not in _LEFT_OUT)
    return node._replace(children=kept)


def _said(node: Node) -> str:
    """Return what VoiceOver says of a node; where that is nothing, its identifier."""
    return node.get("label") or node.get("name")


def _shown(node: Node) -> bool:
    return node.get("visible") != "false"


def _spins(node: Node) -> bool:
    return _kind(node) == "ActivityIndicator" and _shown(node)


def _box(node: Node) -> Box | None:
    try:
        left, top, width, height = (float(node.get(name)) for name in ("x", "y", "width", "height"))
    except ValueError:
        return None
    return (
        sized(Box(x=left, y=top, width=width, height=height))
        if all(map(isfinite, (left, top, width, height)))
        else None
    )


def _element(node: Node, around: Sequence[Node], behind: set[str]) -> Element | None:
    role = _role(node)
    if role is None:
        if not (node.says("accessible") and _said(node)) or _kind(node) in ("Application", "Window"):
            return None
        role = ""
    above = [_role(one) for one in around]
    role = "listitem" if role == "row" and "list" in above else role
    role = "tab" if role == "button" and "tablist" in above else role
    role = "heading" if role == "" and "banner" in above else role
    field, box = role in _FIELDS, _box(node)
    name = _label(node, around) if field else _said(node)
    if role in ("row", "listitem", "table", "list") and name == node.get("name") and not node.get("label"):
        name = ""  # an identifier is nothing that a person reads
    return Element(
        role=role,
        name=name,
        aliases=tuple(one for one in (node.get("name"), node.get("placeholderValue")) if one and one != name),
        native=_kind(node),
        text="" if field or role in ("banner", "alertdialog") else name,
        value=_held(node) if field else None,
        states=_states(node, role),
        hidden=not _shown(node) or box is None or (node.path in behind),
        secret=_kind(node) == "SecureTextField",
        box=box,
    )


def _held(node: Node) -> str:
    """Return what a field holds; one that shows its placeholder holds nothing."""
    value = node.get("value")
    return "" if value == node.get("placeholderValue") else value


def _label(node: Node, around: Sequence[Node]) -> str:
    """Return what a field is called: by its label, its placeholder, or the text right before it in the same group."""
    own = node.get("label") or node.get("placeholderValue")
    if own or not around:
        return own or node.get("name")
    siblings = around[-1].children
    at = next(index for index, one in enumerate(siblings) if one.path == node.path)
    before = siblings[at - 1] if at else None
    return (_said(before) if before is not None and _role(before) == "" else "") or node.get("name")


def _states(node: Node, role: str) -> States:
    enabled, value = node.get("enabled") != "false", node.get("value")
    known = [
        *(("enabled",) if role in _USED else ()),
        *(("checked",) if role in TOGGLES else ()),
        *(("editable",) if role in _TYPED else ()),
        *(("selected",) if node.get("selected") or role == "tab" else ()),
        *(("focused",) if node.get("focused") else ()),
    ]
    return States(
        enabled=enabled,
        editable=role in _TYPED and enabled,
        checked=role in TOGGLES and value in ("1", "true", "on"),
        selected=node.says("selected") or (role == "tab" and value == "1"),
        focused=node.says("focused"),
        known=tuple(known),
    )


def _title(root: Node) -> str:
    bars = (node for node in root.walk() if _kind(node) == "NavigationBar" and _shown(node))
    named = (_said(bar) or texts_below(bar, "label") for bar in bars)
    heads = (_said(node) for node in root.walk() if _role(node) == "heading" and _shown(node))
    return next((text for found in (named, heads) for text in found if text), "")


def _question(alert: Node) -> Asked:
    buttons = [node for node in alert.walk() if _kind(node) == "Button"]
    fields = [node for node in alert.walk() if _role(node) in _TYPED]
    no = next((node for node in buttons if _said(node).lower() in _NO), None)
    yes = next((node for node in reversed(buttons) if node is not no), no)
    kind = "prompt" if fields else "confirm" if len(buttons) > 1 else "alert"
    texts = list(dict.fromkeys(_said(node) for node in alert.walk() if _kind(node) == "StaticText" and _said(node)))
    message = " ".join(text for text in texts if text != _said(alert)) or _said(alert)
    dialog = OpenDialog(kind=kind, message=message, url="app://")
    return Asked(dialog, _path(yes) if yes else "", _path(no) if no else "")

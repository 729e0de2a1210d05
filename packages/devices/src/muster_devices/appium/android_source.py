"""Reads the page source of UiAutomator2. Pure."""

import re
from collections.abc import Sequence

from muster_devices.appium.native_screen import Asked, NativeScreen, Trouble, list_elements, sized, texts_below
from muster_devices.appium.source_tree import Node, parse_source, path_of
from muster_devices.screen import Element, States
from muster_protocol.causes import Failure
from muster_protocol.sessions import OpenDialog
from muster_protocol.tool_calls import Box

_ROLES = {
    "Button": "button", "ImageButton": "button", "FloatingActionButton": "button", "Chip": "button",
    "CheckBox": "checkbox", "CheckedTextView": "option", "RadioButton": "radio", "RadioGroup": "radiogroup",
    "Switch": "switch", "SwitchCompat": "switch", "ToggleButton": "switch", "EditText": "textbox",
    "AutoCompleteTextView": "textbox", "MultiAutoCompleteTextView": "textbox", "Tab": "tab",
    "Spinner": "combobox", "SeekBar": "slider", "ProgressBar": "progressbar", "ImageView": "img", "Image": "img",
    "ListView": "list", "RecyclerView": "list", "GridView": "list", "ExpandableListView": "list",
    "TableLayout": "table", "TableRow": "row", "TabWidget": "tablist", "Toast": "status", "WebView": "document",
    "Toolbar": "banner", "ActionBar": "banner", "TextView": "", "MenuItem": "menuitem", "Dialog": "dialog",
}  # fmt: skip
"""By the last part of a node's class; a class that is not here only holds others, unless it says or does something."""
_BARS = ("toolbar", "action_bar", "topAppBar", "top_app_bar")
"""Ids of the bar at the top of a screen, whose class is often a plain group."""
_TYPED = ("textbox",)
_TOGGLES = ("checkbox", "radio", "switch", "option")
_USED = (*_TYPED, *_TOGGLES, "button", "combobox", "slider", "menuitem", "tab")
_ASKS = (
    "alertTitle", "parentPanel", "permission_message", "grant_dialog", "aerr_close", "aerr_wait", "aerr_restart",
)  # fmt: skip
"""Names of the ids that only a dialog has."""
_YES = (
    "permission_allow_button", "permission_allow_foreground_only_button", "permission_allow_one_time_button", "button1",
)  # fmt: skip
_NO = ("permission_deny_button", "permission_deny_and_dont_ask_again_button", "button2")
_BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")
_SYSTEM = "com.android.systemui"
_LOCKS = ("keyguard", "lock_icon", "lockPatternView", "bouncer")


def read_android(source: str) -> NativeScreen:
    """Return what a source shows.

    Raises:
        SourceUnreadable: it cannot be read.
    """
    root = parse_source(source)
    asks = next((child for child in root.children if _asks(child)), None)
    listed = list_elements(root, lambda node, around: _element(node, around, asks), _path)
    top = [box for child in root.children if (box := _box(child)) is not None]
    return NativeScreen(
        elements=listed.elements,
        paths=listed.paths,
        app=_app(root),
        title=_title(root),
        width=max((box.x + box.width for box in top), default=0.0),
        height=max((box.y + box.height for box in top), default=0.0),
        asked=_question(asks) if asks else None,
        trouble=_trouble(root),
        busy=_busy(root),
    )


def _path(node: Node) -> str:
    return path_of(node, "resource-id", *(() if _role(node) in _TYPED else ("text", "content-desc")))


def _id(node: Node) -> str:
    """Return the name of a node's id, without its package."""
    return node.get("resource-id").rpartition("/")[2]


def _kind(node: Node) -> str:
    return (node.get("class") or node.tag).replace("$", ".").rpartition(".")[2]


def _role(node: Node) -> str | None:
    """Return the role that a node's class gives it; None: it has none."""
    kind = "Toolbar" if _id(node) in _BARS else _kind(node)
    known = _ROLES.get(kind)
    if known is None:
        wider = (role for name, role in _ROLES.items() if kind.endswith(name) and name != "Image")
        known = next(wider, None)
    return "heading" if not known and node.says("heading") else known


def _box(node: Node) -> Box | None:
    found = _BOUNDS.fullmatch(node.get("bounds"))
    if found is None:
        return None
    left, top, right, bottom = map(float, found.groups())
    return sized(Box(x=left, y=top, width=right - left, height=bottom - top))


def _element(node: Node, around: Sequence[Node], asks: Node | None) -> Element | None:
    if not node.get("class") and not node.get("bounds"):  # the root
        return None
    if node is asks:
        return Element(role="alertdialog", name=_question(node).dialog.message, native=_kind(node), box=_box(node))
    role, own = _role(node), node.get("content-desc") or node.get("text")
    item = bool(around) and _role(around[-1]) == "list"
    if item and (role is None or role == ""):
        role = "listitem" if node.children or role is None else role
    if role is None:
        if not own and not node.says("clickable"):
            return None
        role = "button" if node.says("clickable") else ""
    if role == "":
        role = _role_of_text(node, around)
    return _described(node, role, own or _inner_name(node, role), around)


def _role_of_text(node: Node, around: Sequence[Node]) -> str:
    if any(_role(one) == "banner" for one in around):
        return "heading"
    said_aloud = {"1": "status", "2": "alert"}.get(node.get("live-region"), "")
    return said_aloud or ("link" if node.says("clickable") else "")


def _inner_name(node: Node, role: str) -> str:
    """Return what a button says that is put together from texts and pictures."""
    return texts_below(node, "content-desc", "text") if role in ("button", "menuitem", "tab") else ""


def _described(node: Node, role: str, said: str, around: Sequence[Node]) -> Element:
    field, secret = role in (*_TYPED, "combobox"), node.says("password")
    box = _box(node)
    name = _label(node, around) if field else said
    return Element(
        role=role,
        name=name,
        aliases=tuple(one for one in (_id(node), node.get("hint")) if one and one != name),
        native=_kind(node),
        text="" if field else said,
        value=_held(node, role) if field or role == "slider" else None,
        states=_states(node, role),
        hidden=node.get("displayed") == "false" or box is None,
        secret=secret,
        box=box,
    )


def _held(node: Node, role: str) -> str:
    """Return what a field holds; one that shows its hint holds nothing."""
    text = node.get("text")
    if role == "combobox":
        return text or texts_below(node, "text")
    empty = node.says("showing-hint") or (bool(text) and text == node.get("hint") and not node.get("showing-hint"))
    return "" if empty else text


def _label(node: Node, around: Sequence[Node]) -> str:
    """Return what a field is called: by its description, its hint, or the text right before it in the same group."""
    own = node.get("content-desc") or node.get("hint")
    if own or not around:
        return own
    siblings = around[-1].children
    at = next(index for index, one in enumerate(siblings) if one.path == node.path)
    before = siblings[at - 1] if at else None
    return before.get("text") if before is not None and _role(before) == "" else ""


def _states(node: Node, role: str) -> States:
    enabled = node.get("enabled") != "false"
    toggled = node.says("checkable") or role in _TOGGLES
    known = [
        "focused",
        *(("enabled",) if role in _USED or node.says("clickable") else ()),
        *(("checked",) if toggled else ()),
        *(("editable",) if role in _TYPED else ()),
        *(("selected",) if node.get("selected") else ()),
        *(("valid",) if node.get("content-invalid") else ()),
    ]
    return States(
        enabled=enabled,
        editable=role in _TYPED and enabled,
        checked=node.says("checked"),
        selected=node.says("selected"),
        focused=node.says("focused"),
        invalid=node.says("content-invalid"),
        known=tuple(known),
    )


# ---- the screen as a whole


def _app(root: Node) -> str:
    """Return the package that most of the screen belongs to; bars of the system do not count."""
    counts: dict[str, int] = {}
    for node in root.walk():
        package = node.get("package")
        counts[package] = counts.get(package, 0) + 1 if package else 0
    apps = {name: count for name, count in counts.items() if name not in ("", _SYSTEM)} or counts
    return max(apps, key=apps.__getitem__, default="")


def _title(root: Node) -> str:
    """Return the title: what the pane says it is, else the text in the bar at the top, else the first heading."""
    panes = (node.get("pane-title") for node in root.walk() if node.get("pane-title"))
    bars = (node.get("text") for bar in root.walk() if _role(bar) == "banner" for node in bar.walk() if not _role(node))
    heads = (node.get("text") or node.get("content-desc") for node in root.walk() if node.says("heading"))
    return next((text for found in (panes, bars, heads) for text in found if text), "")


def _asks(window: Node) -> bool:
    return any(_id(node) in _ASKS for node in window.walk())


def _by_id(window: Node, names: Sequence[str]) -> Node | None:
    """Return the node with the first of some ids that is there."""
    there = {_id(node): node for node in window.walk()}
    return next((there[name] for name in names if name in there), None)


def _question(window: Node) -> Asked:
    said = _by_id(window, ("message", "permission_message", "alertTitle"))
    yes, no = _by_id(window, _YES), _by_id(window, _NO)
    typed = any(_role(node) in _TYPED for node in window.walk())
    kind = "prompt" if typed else "confirm" if no is not None else "alert"
    message = said.get("text") if said is not None else texts_below(window, "text")
    dialog = OpenDialog(kind=kind, message=message, url=f"app://{window.get('package')}")
    return Asked(dialog, _path(yes) if yes else "", _path(no) if no else "")


def _trouble(root: Node) -> Trouble | None:
    ids = {_id(node) for node in root.walk()}
    told = next((node.get("text") for node in root.walk() if _id(node) == "alertTitle"), "")
    if "aerr_wait" in ids:
        return Trouble(Failure.SERVER_ERROR, f"the app does not respond: {told or 'Android asks whether to wait'}")
    if ids & {"aerr_close", "aerr_restart", "aerr_app_info"}:
        return Trouble(Failure.SERVER_ERROR, f"the app has crashed: {told or 'Android says that it has stopped'}")
    packages = {node.get("package") for node in root.walk()} - {""}
    locked = any(mark in one for one in ids for mark in _LOCKS)
    if packages == {_SYSTEM} and locked:
        text = "the phone is locked: unlock it, or give its session host `appium:unlockType` and `appium:unlockKey`"
        return Trouble(Failure.INFRASTRUCTURE, text)
    return None


def _busy(root: Node) -> tuple[str, ...]:
    """Return the progress bars that do not say how far they are."""
    bars = (node for node in root.walk() if _role(node) == "progressbar" and not node.get("text"))
    return tuple(node.get("content-desc") or "a progress bar" for node in bars if node.get("displayed") != "false")

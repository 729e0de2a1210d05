"""What Appium's drivers would say of a simulated app's screen: page sources in the dialects of UiAutomator2 and XCUITest."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element as Xml
from xml.etree.ElementTree import SubElement, indent, tostring

from muster_devices.screen import Element
from muster_devices.screens.app import Size
from muster_devices.screens.rendering import Rendered
from muster_devices.screens.state import State
from muster_protocol.tool_calls import Box

PACKAGE = "test.app"
LAUNCHER = "com.android.launcher3"
_STEP = re.compile(r"/([^/\[]+)(?:\[(\d+)\])?")
_TOLD = re.compile(r"""@([\w-]+)=("[^"]*"|'[^']*')""")


class Source(NamedTuple):
    """A page source, and what each of its nodes is: the ref of an element, or the name of a part of the system's."""

    root: Xml
    refs: dict[Xml, str]

    def text(self) -> str:
        """Return it as a driver sends it."""
        indent(self.root)
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(self.root, encoding="unicode")

    def find(self, path: str) -> str | None:
        """Return what is at an XPath of the form `/tag/tag[1]/tag[2][@a="…" and @b="…"]`; None: nothing."""
        steps, _, told = path.partition("[@")
        node: Xml | None = None
        if steps.startswith("//"):  # what stands in the wrapper that only the source has
            node, steps = self.root, steps[1:]
        for tag, number in _STEP.findall(steps):
            there = [self.root] if node is None else list(node)
            fitting = [one for one in there if one.tag == tag]
            node = fitting[int(number or 1) - 1] if len(fitting) >= int(number or 1) else None
            if node is None:
                return None
        wanted = {name: value[1:-1] for name, value in _TOLD.findall(f"@{told}")}
        if node is None or any(node.get(name) != value for name, value in wanted.items()):
            return None
        return self.refs.get(node)


class Phone(NamedTuple):
    """What a source is made of."""

    state: State
    rendered: Sequence[Rendered]
    title: str
    size: Size
    opened: str = ""
    """Ref of the list whose options are shown."""
    trouble: str = ""
    """`crash`, `anr` or `locked`: what the system shows instead."""


# ---- UiAutomator2

_CLASSES = {
    "button": "Button", "link": "TextView", "textbox": "EditText", "searchbox": "EditText", "spinbutton": "EditText",
    "combobox": "Spinner", "checkbox": "CheckBox", "switch": "Switch", "radio": "RadioButton", "img": "ImageView",
    "table": "TableLayout", "row": "TableRow", "progressbar": "ProgressBar", "list": "ListView",
}  # fmt: skip
_LAYOUTS = ("group", "region", "form", "article", "navigation", "listitem", "dialog")


def android_source(phone: Phone) -> Source:
    """Return the source as UiAutomator2 gives it."""
    root = Xml("hierarchy", {"index": "0", "rotation": "0"})
    refs: dict[Xml, str] = {}
    if phone.trouble:
        _android_system(root, phone)
    elif phone.state.crash:
        _android(root, "TextView", phone.size, text="Shop", package=LAUNCHER)
    elif phone.state.dialog is not None:
        _android_dialog(root, phone, refs)
    elif phone.opened:
        _android_options(root, phone, refs)
    else:
        _android_app(root, phone, refs)
    return Source(root, refs)


def _android(parent: Xml, kind: str, place: Box | Size, **told: str) -> Xml:
    box = place if isinstance(place, Box) else Box(x=0, y=0, width=place.width, height=place.height)
    name = kind if "." in kind else f"android.widget.{kind}"
    corners = (box.x, box.y, box.x + box.width, box.y + box.height)
    attributes = {
        "index": str(len(parent)), "package": PACKAGE, "class": name, "text": "", "checkable": "false",
        "checked": "false", "clickable": "false", "enabled": "true", "focusable": "false", "focused": "false",
        "long-clickable": "false", "password": "false", "scrollable": "false", "selected": "false",
        "bounds": "[{:.0f},{:.0f}][{:.0f},{:.0f}]".format(*corners), "displayed": "true",
    }  # fmt: skip
    attributes |= {key.rstrip("_").replace("_", "-"): value for key, value in told.items() if value}
    return SubElement(parent, name, attributes)


def _android_app(root: Xml, phone: Phone, refs: dict[Xml, str]) -> None:
    frame = _android(root, "FrameLayout", phone.size)
    bar = _android(frame, "android.view.ViewGroup", phone.size, resource_id=f"{PACKAGE}:id/toolbar")
    _android(bar, "TextView", phone.size, text=phone.title)
    parents = [_android(frame, "ScrollView", phone.size, scrollable="true", resource_id="android:id/content")]
    for one in phone.rendered:
        element = one.element
        if not _in_sight(element, phone.size):
            continue
        del parents[element.level + 1 :]
        node = _android_node(parents[-1], one)
        refs[node] = element.ref
        parents.append(node)
    if phone.state.busy:
        _android(frame, "ProgressBar", phone.size)


def _in_sight(element: Element, size: Size) -> bool:
    box = element.box
    return box is not None and box.y + box.height > 0 and box.y < size.height


def _android_node(parent: Xml, one: Rendered) -> Xml:
    element, part = one.element, one.part
    box, states, said = element.box, element.states, element.name or (element.text if not part.elements else "")
    assert box is not None
    usual = {"enabled": _flag(states.enabled), "focused": _flag(states.focused)}
    if part.role in _LAYOUTS:
        return _android(parent, "LinearLayout", box, content_desc=element.name, **usual)
    kind = _CLASSES.get(part.role, "TextView")
    if kind == "EditText":
        held = "•" * len(element.value or "") if element.secret else element.value or ""
        shown = {"text": held or element.name, "hint": element.name, "showing_hint": _flag(not held)}
        return _android(parent, kind, box, clickable="true", password=_flag(element.secret), **shown, **usual)
    if kind == "Spinner":
        node = _android(parent, kind, box, content_desc=element.name, clickable="true", **usual)
        _android(node, "TextView", box, resource_id="android:id/text1", text=element.value or "")
        return node
    more: dict[str, str] = {}
    if kind in ("CheckBox", "Switch", "RadioButton"):
        more = {"checkable": "true", "checked": _flag(states.checked), "clickable": "true"}
    more |= {"clickable": "true"} if part.role in ("button", "link") else {}
    more |= {"heading": "true"} if part.role == "heading" else {}
    more |= {"live_region": "2" if part.role == "alert" else "1"} if part.role in ("alert", "status") else {}
    told = {"content_desc": said} if kind in ("ImageView", "ProgressBar") else {"text": "" if part.elements else said}
    return _android(parent, kind, box, **told, **more, **usual)


def _flag(on: bool) -> str:
    return "true" if on else "false"


def _android_dialog(root: Xml, phone: Phone, refs: dict[Xml, str]) -> None:
    dialog = phone.state.dialog
    assert dialog is not None
    panel = _android(root, "LinearLayout", phone.size, resource_id=f"{PACKAGE}:id/parentPanel")
    _android(panel, "TextView", phone.size, resource_id="android:id/message", text=dialog.text)
    if dialog.kind != "alert":
        no = _android(panel, "Button", phone.size, resource_id="android:id/button2", text="CANCEL", clickable="true")
        refs[no] = "dismiss"
    yes = _android(panel, "Button", phone.size, resource_id="android:id/button1", text="OK", clickable="true")
    refs[yes] = "accept"


def _android_options(root: Xml, phone: Phone, refs: dict[Xml, str]) -> None:
    part = next(one.part for one in phone.rendered if one.element.ref == phone.opened)
    frame = _android(root, "FrameLayout", phone.size)
    listed = _android(frame, "ListView", phone.size)
    for number, option in enumerate(part.options):
        row = _android(listed, "CheckedTextView", phone.size, text=option, checkable="true", clickable="true")
        refs[row] = f"option-{number}"


def _android_system(root: Xml, phone: Phone) -> None:
    if phone.trouble == "locked":
        frame = _android(root, "FrameLayout", phone.size, package="com.android.systemui")
        _android(
            frame,
            "ImageView",
            phone.size,
            package="com.android.systemui",
            resource_id="com.android.systemui:id/lock_icon",
        )
        return
    frame = _android(root, "FrameLayout", phone.size, package="android")
    said = "Shop isn't responding" if phone.trouble == "anr" else "Shop keeps stopping"
    _android(frame, "TextView", phone.size, package="android", resource_id="android:id/alertTitle", text=said)
    names = ("aerr_close", "aerr_wait") if phone.trouble == "anr" else ("aerr_app_info", "aerr_close")
    for name in names:
        _android(frame, "Button", phone.size, package="android", resource_id=f"android:id/{name}", text=name)


# ---- XCUITest

_TYPES = {
    "button": "Button", "link": "Link", "textbox": "TextField", "searchbox": "SearchField", "spinbutton": "TextField",
    "combobox": "PickerWheel", "checkbox": "CheckBox", "switch": "Switch", "radio": "RadioButton", "img": "Image",
    "table": "Table", "row": "Cell", "progressbar": "ActivityIndicator", "list": "CollectionView", "listitem": "Cell",
}  # fmt: skip


def ios_source(phone: Phone) -> Source:
    """Return the source as XCUITest gives it."""
    root = Xml("AppiumAUT")
    refs: dict[Xml, str] = {}
    bundle = "com.apple.springboard" if phone.state.crash else PACKAGE
    app = _ios(root, "Application", phone.size, name="App", label="App", bundleId=bundle)
    if phone.state.crash:
        return Source(root, refs)
    window = _ios(app, "Window", phone.size)
    _ios(window, "NavigationBar", phone.size, name=phone.title)
    parents = [_ios(window, "Other", phone.size)]
    for one in phone.rendered:
        element = one.element
        del parents[element.level + 1 :]
        node = _ios_node(parents[-1], one, visible=_in_sight(element, phone.size))
        refs[node] = element.ref
        parents.append(node)
    if phone.state.busy:
        _ios(window, "ActivityIndicator", phone.size, label="In progress")
    if phone.state.dialog is not None:
        _ios_alert(app, phone, refs)
    return Source(root, refs)


def _ios(parent: Xml, kind: str, place: Box | Size, **told: str) -> Xml:
    box = place if isinstance(place, Box) else Box(x=0, y=0, width=place.width, height=place.height)
    name = f"XCUIElementType{kind}"
    attributes = {"type": name, "enabled": "true", "visible": "true", "accessible": "false"}
    places = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    attributes |= {key: f"{value:.0f}" for key, value in places.items()}
    return SubElement(parent, name, attributes | {key: value for key, value in told.items() if value})


def _ios_node(parent: Xml, one: Rendered, *, visible: bool) -> Xml:
    element, part = one.element, one.part
    assert element.box is not None
    said = element.name or (element.text if not part.elements else "")
    kind = "SecureTextField" if element.secret else _TYPES.get(part.role, "Other" if part.elements else "StaticText")
    told = {"name": said, "label": said, "enabled": _flag(element.states.enabled), "visible": _flag(visible)}
    if kind in ("TextField", "SecureTextField", "SearchField"):
        held = "•" * len(element.value or "") if element.secret else element.value or ""
        told |= {"value": held or element.name, "placeholderValue": element.name}
    elif kind == "PickerWheel":
        told |= {"value": element.value or ""}
    elif kind in ("CheckBox", "Switch", "RadioButton"):
        told |= {"value": "1" if element.states.checked else "0"}
    if part.role == "heading":
        told |= {"traits": "Header"}
    return _ios(parent, kind, element.box, **told)


def _ios_alert(app: Xml, phone: Phone, refs: dict[Xml, str]) -> None:
    dialog = phone.state.dialog
    assert dialog is not None
    alert = _ios(app, "Alert", phone.size, name=dialog.text, label=dialog.text)
    _ios(alert, "StaticText", phone.size, name=dialog.text, label=dialog.text)
    if dialog.kind != "alert":
        refs[_ios(alert, "Button", phone.size, name="Cancel", label="Cancel")] = "dismiss"
    refs[_ios(alert, "Button", phone.size, name="OK", label="OK")] = "accept"


DIALECTS: dict[str, Callable[[Phone], Source]] = {"UiAutomator2": android_source, "XCUITest": ios_source}

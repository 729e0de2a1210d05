"""What is read from the page sources of phones: roles, names, states, places, titles, dialogs, trouble."""

from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

import pytest

from muster_devices.appium.android_source import read_android
from muster_devices.appium.ios_source import read_ios
from muster_devices.appium.native_screen import NativeScreen
from muster_devices.appium.plain_source import read_plain
from muster_devices.appium.source_tree import SourceUnreadable, parse_source, path_of, quoted
from muster_devices.screen import Element
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import Box

FRAME = (
    '<hierarchy rotation="0"><android.widget.FrameLayout package="{package}" class="android.widget.FrameLayout"'
    ' bounds="[0,0][1080,2400]" displayed="true">{inside}</android.widget.FrameLayout></hierarchy>'
)
APP = (
    '<AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop" x="0" y="0" width="390"'
    ' height="844">{inside}</XCUIElementTypeApplication></AppiumAUT>'
)


def written(name: str, told: Mapping[str, str], inside: str) -> str:
    shown = " ".join(f"{key}={quoteattr(value)}" for key, value in told.items())
    return f"<{name} {shown}>{inside}</{name}>"


def android(inside: str, package: str = "shop") -> NativeScreen:
    return read_android(FRAME.format(inside=inside, package=package))


def node(kind: str, inside: str = "", **told: str) -> str:
    """Return a node of Android's source."""
    name = kind if "." in kind else f"android.widget.{kind}"
    given = {"package": "shop", "class": name, "bounds": "[0,0][100,50]", "enabled": "true", "displayed": "true"}
    given |= {key.replace("_", "-"): value for key, value in told.items()}
    return written(name, given, inside)


def ios(inside: str) -> NativeScreen:
    return read_ios(APP.format(inside=inside))


def item(kind: str, inside: str = "", **told: str) -> str:
    """Return a node of iOS's source."""
    name = f"XCUIElementType{kind}"
    given = {"type": name, "enabled": "true", "visible": "true", "x": "0", "y": "0", "width": "90", "height": "40"}
    return written(name, given | told, inside)


def only(screen: NativeScreen) -> Element:
    (element,) = screen.elements
    return element


@pytest.mark.parametrize(
    ("source", "role", "name", "value"),
    [
        (node("Button", text="Save"), "button", "Save", None),
        (node("com.google.android.material.button.MaterialButton", text="Save"), "button", "Save", None),
        (node("ImageButton", content_desc="Close"), "button", "Close", None),
        (node("EditText", text="E-mail", hint="E-mail", showing_hint="true"), "textbox", "E-mail", ""),
        (node("EditText", text="a@b.test", hint="E-mail", showing_hint="false"), "textbox", "E-mail", "a@b.test"),
        (node("CheckBox", text="Terms", checkable="true"), "checkbox", "Terms", None),
        (node("androidx.appcompat.widget.SwitchCompat", text="Wi-Fi"), "switch", "Wi-Fi", None),
        (node("TextView", text="Total: 12.00"), "", "Total: 12.00", None),
        (node("TextView", text="Cart", heading="true"), "heading", "Cart", None),
        (node("TextView", text="Sign up", clickable="true"), "link", "Sign up", None),
        (node("TextView", text="Wrong password", live_region="2"), "alert", "Wrong password", None),
        (node("android.view.View", content_desc="Add", clickable="true"), "button", "Add", None),
        (node("ImageView", content_desc="Logo"), "img", "Logo", None),
    ],
)
def test_an_element_of_android_has_a_role_and_a_name(source: str, role: str, name: str, value: str | None) -> None:
    element = only(android(source))
    assert (element.role, element.name, element.value) == (role, name, value)


@pytest.mark.parametrize(
    ("source", "role", "name", "value"),
    [
        (item("Button", label="Save", name="save-id"), "button", "Save", None),
        (item("TextField", value="E-mail", placeholderValue="E-mail"), "textbox", "E-mail", ""),
        (item("TextField", value="a@b.test", placeholderValue="E-mail"), "textbox", "E-mail", "a@b.test"),
        (item("Switch", label="Wi-Fi", value="1"), "switch", "Wi-Fi", None),
        (item("StaticText", label="Total: 12.00"), "", "Total: 12.00", None),
        (item("StaticText", label="Cart", traits="Header"), "heading", "Cart", None),
        (item("PickerWheel", label="Size", value="M"), "combobox", "Size", "M"),
        (item("Other", label="Add", accessible="true"), "", "Add", None),
        (item("Image", label="Logo"), "img", "Logo", None),
    ],
)
def test_an_element_of_ios_has_a_role_and_a_name(source: str, role: str, name: str, value: str | None) -> None:
    element = only(ios(source))
    assert (element.role, element.name, element.value) == (role, name, value)


def test_states_are_read_and_what_an_element_does_not_tell_is_not_known() -> None:
    box = only(android(node("CheckBox", text="Terms", checkable="true", checked="true", enabled="false"))).states
    assert (box.checked, box.enabled) == (True, False)
    assert {"checked", "enabled"} <= set(box.known)
    assert "checked" not in only(android(node("TextView", text="Total"))).states.known
    switch = only(ios(item("Switch", label="Wi-Fi", value="0", enabled="false"))).states
    assert (switch.checked, switch.enabled) == (False, False)


def test_bounds_are_boxes_and_what_has_no_area_or_is_not_displayed_is_hidden() -> None:
    assert only(android(node("Button", text="A", bounds="[10,20][110,70]"))).box == Box(
        x=10, y=20, width=100, height=50
    )
    assert only(android(node("Button", text="A", bounds="[10,20][10,20]"))).hidden
    assert only(android(node("Button", text="A", displayed="false"))).hidden
    assert only(ios(item("Button", label="A", x="inf", y="inf", width="0", height="0"))).hidden
    assert only(ios(item("Button", label="A", visible="false"))).hidden


def test_a_password_is_secret_and_a_field_without_a_hint_is_named_by_the_text_before_it() -> None:
    label, field = android(node("TextView", text="Password") + node("EditText", text="••••", password="true")).elements
    assert label.name == field.name == "Password"
    assert field.secret
    assert only(ios(item("SecureTextField", value="••", placeholderValue="Password"))).secret


def test_rows_hold_what_is_in_them() -> None:
    inside = node("TextView", text="Backpack") + node("Button", text="Remove")
    listed, row, _, button = android(node("ListView", node("LinearLayout", inside))).elements
    assert (listed.role, row.role, row.text) == ("list", "listitem", "Backpack Remove")
    assert (button.place, button.level) == ("Backpack", 2)
    table, cell, *_ = ios(item("Table", item("Cell", item("StaticText", label="Backpack")))).elements
    assert (table.role, cell.role, cell.text) == ("table", "row", "Backpack")


def test_the_title_is_in_the_bar_at_the_top() -> None:
    bar = node("android.view.ViewGroup", node("TextView", text="Cart"), resource_id="shop:id/toolbar")
    assert android(bar).title == "Cart"
    assert ios(item("NavigationBar", name="Cart")).title == "Cart"
    assert android(node("TextView", text="Cart")).title == ""


def test_a_question_for_a_permission_is_a_dialog_with_its_buttons() -> None:
    said = "Allow Shop to take pictures?"
    ids = "com.android.permissioncontroller:id/"
    screen = android(
        node("TextView", text=said, resource_id=f"{ids}permission_message")
        + node("Button", text="While using the app", resource_id=f"{ids}permission_allow_foreground_only_button")
        + node("Button", text="Don't allow", resource_id=f"{ids}permission_deny_button")
    )
    assert screen.asked is not None
    assert (screen.asked.dialog.kind, screen.asked.dialog.message) == ("confirm", said)
    assert "allow_foreground_only" in screen.asked.accept
    assert "permission_deny" in screen.asked.dismiss
    assert screen.elements[0].role == "alertdialog"
    assert [one.name for one in screen.elements if one.role == "button"] == ["While using the app", "Don't allow"]


def test_what_lies_behind_an_alert_of_ios_is_hidden() -> None:
    alert = item(
        "Alert",
        item("StaticText", label="Delete it?") + item("Button", label="Cancel") + item("Button", label="Delete"),
        label="Delete it?",
    )
    screen = ios(item("Button", label="Save") + alert)
    assert {one.name: one.hidden for one in screen.elements if one.role == "button"} == {
        "Save": True,
        "Cancel": False,
        "Delete": False,
    }
    assert screen.asked is not None
    assert screen.asked.dialog.message == "Delete it?"
    assert "Delete" in screen.asked.accept
    assert "Cancel" in screen.asked.dismiss


@pytest.mark.parametrize(
    ("source", "failure", "words"),
    [
        (
            node("TextView", resource_id="android:id/alertTitle", text="Shop isn't responding")
            + node("Button", resource_id="android:id/aerr_wait", text="Wait"),
            Failure.SERVER_ERROR,
            "does not respond: Shop isn't responding",
        ),
        (
            node("TextView", resource_id="android:id/alertTitle", text="Shop keeps stopping")
            + node("Button", resource_id="android:id/aerr_close", text="Close app"),
            Failure.SERVER_ERROR,
            "has crashed: Shop keeps stopping",
        ),
    ],
)
def test_android_says_that_an_app_is_in_trouble(source: str, failure: Failure, words: str) -> None:
    trouble = android(source, "android").trouble
    assert trouble is not None
    assert trouble.failure is failure
    assert words in trouble.text


def test_a_lock_screen_is_no_screen_of_the_app_and_a_bar_of_the_system_is_no_lock() -> None:
    lock = node("ImageView", package="com.android.systemui", resource_id="com.android.systemui:id/lock_icon")
    trouble = android(lock, "com.android.systemui").trouble
    assert trouble is not None
    assert trouble.failure is Failure.INFRASTRUCTURE
    assert android(node("Button", text="Save") + lock).trouble is None


def test_the_keyboard_and_bars_of_ios_are_left_out_and_spinners_are_what_is_under_way() -> None:
    assert not ios(item("Keyboard", item("Key", label="a"))).elements
    assert ios(item("ActivityIndicator", label="In progress")).busy == ("In progress",)
    assert android(node("ProgressBar")).busy == ("a progress bar",)
    assert not android(node("ProgressBar", text="40.0")).busy


def test_a_path_finds_what_said_the_same_and_knows_nothing_of_appiums_wrapper() -> None:
    button = parse_source(
        '<hierarchy><a.B text="x"/><a.B text="Say &quot;hi&quot;" content-desc=""/></hierarchy>'
    ).children[1]
    assert path_of(button, "text", "content-desc") == "/hierarchy/a.B[2][@text='Say \"hi\"']"
    assert quoted("""a"b'c""") == """concat("a", '"', "b'c")"""
    assert ios(item("Button", label="A")).paths == (
        '//XCUIElementTypeApplication[1]/XCUIElementTypeButton[1][@label="A"]',
    )


def test_any_other_driver_is_read_by_its_tags() -> None:
    screen = read_plain('<app><MockButton name="Buy" enabled="false"/><MockText id="t" value="12.00"/></app>')
    assert [(one.role, one.name, one.states.enabled) for one in screen.elements] == [
        ("button", "Buy", False),
        ("", "12.00", True),
    ]


@pytest.mark.parametrize("source", ["", "<a>", "no xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "<a>" * 7_000_000])
def test_a_source_that_cannot_be_read_is_refused(source: str) -> None:
    with pytest.raises(SourceUnreadable):
        read_android(source)


def test_a_source_that_is_nested_without_end_is_read_in_part() -> None:
    assert read_android("<a>" * 500 + "</a>" * 500).elements == ()

"""A screens file is read strictly: whatever is wrong is named by file, line and column, with what was meant."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from shop_screens import SHOP, shop

from muster_devices.screens.__main__ import schema_text
from muster_devices.screens.app import Compare, Dialog, Reaction
from muster_devices.screens.app_loader import AppRefused, load_app

SCHEMA = Path(__file__).parents[3] / "packages" / "devices" / "screens.schema.json"

GOOD = """app: demo
start: first
data: {count: 1}
screens:
  first:
    title: First
    elements:
      - {role: textbox, name: User, id: user}
      - {role: button, name: Go, id: go, tap: second}
  second:
    elements:
      - {role: text, text: "Hello, ${user}"}
"""


def flaws(text: str) -> list[str]:
    with pytest.raises(AppRefused) as caught:
        load_app(text, "demo.yaml")
    return [str(flaw) for flaw in caught.value.flaws]


def test_the_bundled_shop_is_read():
    app = shop()
    assert app.start == "welcome"
    tap = app.screens["cart"].elements[2].elements[1].elements[2].tap
    assert isinstance(tap, Reaction)
    assert isinstance(tap.dialog, Dialog)
    assert tap.dialog.accept == Reaction(add={"backpacks": -1, "total": -29.99})
    assert app.screens["cart"].elements[2].when == {"total": Compare(above=0)}


@pytest.mark.parametrize(
    ("old", "new", "at", "said"),
    [
        ("title: First", "titel: First", "titel", "unknown key 'titel'; did you mean 'title'?"),
        ("role: button", "role: buton", "buton", "unknown 'buton'; did you mean 'button'?"),
        ("tap: second", "tap: secnd", "secnd", "there is no screen 'secnd'; did you mean 'second'?"),
        ("start: first", "start: frist", "frist", "there is no screen 'frist'; did you mean 'first'?"),
        ("${user}", "${usr}", '"Hello', "there is no piece of data 'usr'; did you mean 'user'?"),
        ("count: 1", "count: [1]", "[1]", "a text or a whole number or a number or true or false must stand here, not a list"),
        ("id: go,", "id: user,", "user,", "the id 'user' is there more than once"),
        (", id: user", "", "{role: textbox", "a textbox needs an id, which names what it holds"),
        ("app: demo\n", "", "start", "the key 'app' is missing here"),
        ("tap: second", "tap: {after: -1}", "-1", "a number must stand here, not -1 (>= 0.0)"),
        ("tap: second", "tap: {when: {cout: 1}}", "1}}", "there is no piece of data 'cout'; did you mean 'count'?"),
        ("tap: second", "bounds: [1, 2]", "[1, 2]", "a list of 4 must stand here, not of 2"),
        ("  second:", "  first:", "first:\n    elements:\n      - {role: text,", "the key 'first' is there twice"),
        ("title: First", "opened: second", "second", "'opened' may lead to another screen only 'after' 0.05 seconds or more"),
    ],
)  # fmt: skip
def test_a_flaw_is_named_with_its_place_and_the_closest_name(old: str, new: str, at: str, said: str):
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    before = text[: text.index(at)]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    assert f"demo.yaml:{line}:{column}: {said}" in flaws(text)


def test_what_is_no_yaml_is_told_where_it_ends_to_be():
    (flaw,) = flaws(GOOD.replace("title: First", "title: ["))
    assert flaw.startswith("demo.yaml:8:")
    assert "is no YAML here" in flaw


def test_all_flaws_are_told_at_once_in_the_order_of_lines():
    told = flaws(GOOD.replace("title: First", "titel: First").replace("role: text,", "role: txt,"))
    assert [line.partition(": ")[0] for line in told] == ["demo.yaml:6:5", "demo.yaml:12:16"]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("{absent: true}", "needs an element"),
        ("{element: go}", "one of absent, slow, crash, hangs, trouble, dialog and instead"),
        ("{element: go, slow: 1, crash: boom}", "one of absent, slow, crash, hangs, trouble, dialog and instead"),
        ("{element: gone, absent: true}", "no id of an element 'gone'; did you mean 'go'?"),
        ("{screen: thrid, crash: boom}", "no screen 'thrid'"),
        ("{element: go, absent: true, times: 2}", "absent always"),
    ],
)
def test_a_fault_has_one_effect_on_what_is_there(fault: str, said: str):
    assert any(said in flaw for flaw in flaws(f"{GOOD}faults:\n  bad: {fault}\n"))


@pytest.mark.parametrize("text", ["", "[]", "42", "app: demo\nstart: first\nscreens: {}\n", "\x00", "a: &a [*a]"])
def test_what_is_no_screens_file_is_refused(text: str):
    assert flaws(text)


def test_a_file_that_is_too_large_or_too_deep_is_refused():
    assert "more than" in flaws("# " + "x" * 1_000_001)[0]
    assert "too deeply" in flaws("[" * 1000)[0]


def test_the_schema_for_editors_is_that_of_the_types_and_fits_the_bundled_shop():
    assert SCHEMA.read_text("utf-8") == schema_text()
    jsonschema.validate(yaml.safe_load(SHOP.read_text("utf-8")), json.loads(SCHEMA.read_text("utf-8")))

"""The device that a case names, in each form of case, and the app that is read from beside it."""

from pathlib import Path

import pytest

from muster_cases.case_loader import CaseError, load_paths, load_text
from muster_protocol.requests import DeviceSpec, Step, TestCase
from muster_protocol.stored_cases import CaseFormat

STEPS = "steps: [{action: Look, expected: Seen}]"
YAML = "name: A\n{}\nsteps:\n  - action: Look\n    expected: Seen\n"
GHERKIN = "{}\nFeature: F\n  Scenario: A\n    When I look\n    Then it is seen\n"
MARKDOWN = "# A\n\n{}\n\n1. Look\n   → seen\n"


def device_of(text: str, form: CaseFormat = "yaml") -> DeviceSpec | None:
    (case,) = load_text(text, "f", form=form)
    assert isinstance(case.request.job, TestCase)
    return case.request.job.device


def reason(text: str, form: CaseFormat = "yaml") -> str:
    with pytest.raises(CaseError) as caught:
        load_text(text, "f", form=form)
    (found,) = caught.value.reasons
    return found


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (YAML.format("device: none"), "yaml"),
        (f"device: none\ncases:\n  - name: A\n    {STEPS}\n", "yaml"),
        (GHERKIN.format("@device:none"), "gherkin"),
        (MARKDOWN.format("Device: none"), "markdown"),
    ],
)
def test_a_case_says_what_it_acts_on_in_each_form(text: str, form: CaseFormat):
    assert device_of(text, form) == DeviceSpec(kind="none")


@pytest.mark.parametrize(
    ("text", "form"),
    [(YAML.format(""), "yaml"), (GHERKIN.format(""), "gherkin"), (MARKDOWN.format(""), "markdown")],
)
def test_a_case_need_not_say_it(text: str, form: CaseFormat):
    assert device_of(text, form) is None


def test_a_case_says_it_otherwise_than_its_file():
    text = f"device: none\ncases:\n  - name: A\n    device: web\n    {STEPS}\n"

    assert device_of(text) == DeviceSpec(kind="web")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (YAML.format("device: wbe"), "yaml"),
        (GHERKIN.format("@device:wbe"), "gherkin"),
        (MARKDOWN.format("Device: wbe"), "markdown"),
    ],
)
def test_an_unknown_device_is_refused_with_the_closest_one(text: str, form: CaseFormat):
    assert "unknown device 'wbe'; did you mean 'web'?" in reason(text, form)


def test_a_device_like_no_other_lists_those_there_are():
    assert "unknown device 'telephone'; valid: web, screens, appium, none" in reason(YAML.format("device: telephone"))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("device: screens", "needs an 'app'"),
        ("device: web\napp: a.yaml", "need 'device: screens', and this case has 'device: web'"),
        ("device: none\nfaults: [slow]", "need 'device: screens', and this case has 'device: none'"),
        ("faults: [slow]", "needs an 'app'"),
    ],
)
def test_what_does_not_go_together_is_refused(keys: str, said: str):
    assert said in reason(YAML.format(keys))


def test_an_app_is_read_from_beside_the_case(tmp_path: Path):
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "a.yaml").write_text("app: a", "utf-8")
    (tmp_path / "a.feature").write_text(GHERKIN.format("@app:apps/a.yaml @fault:slow @fault:crash"), "utf-8")
    (tmp_path / "b.md").write_text(MARKDOWN.format("App: apps/a.yaml\nFaults: slow, crash"), "utf-8")
    (tmp_path / "c.yaml").write_text(YAML.format("app: apps/a.yaml\nfaults: [slow, crash]"), "utf-8")

    source = str(tmp_path / "apps" / "a.yaml")
    spec = DeviceSpec(kind="screens", definition="app: a", source=source, faults=("slow", "crash"))
    cases = load_paths([tmp_path / name for name in ("a.feature", "b.md", "c.yaml")])
    assert [case.request.job.device for case in cases if isinstance(case.request.job, TestCase)] == [spec] * 3


def test_an_app_that_is_not_there_is_told_with_the_place_of_the_case(tmp_path: Path):
    (tmp_path / "c.yaml").write_text(YAML.format("app: gone.yaml"), "utf-8")

    with pytest.raises(CaseError, match=r"c\.yaml:1:1: the app .*gone\.yaml cannot be read: there is no such file"):
        load_paths([tmp_path / "c.yaml"])


def test_an_app_cannot_be_read_where_the_case_is_in_no_file():
    assert "names a file next to the case file" in reason(YAML.format("app: a.yaml"))


def test_each_person_of_a_case_has_a_session_of_her_own():
    text = "name: A\nsteps:\n  - {action: Look, expected: Seen, as: ann}\n  - {action: Look, as: bob}\n"
    (case,) = load_text(text, "f", form="yaml")
    assert isinstance(case.request.job, TestCase)
    assert [step.session for step in case.request.job.steps] == ["ann", "bob"]
    both = "name: A\nsteps:\n  - {action: Look, expected: Seen, as: ann, session: bob}\n"
    assert "a step has 'session' or 'as', not both" in reason(both)


def test_a_table_of_steps_says_in_which_session_each_is_carried_out():
    text = "# A\n\n| Action | Session | Expected |\n|-|-|-|\n| Look | shop | seen |\n| Wait | | |\n"
    (case,) = load_text(text, "f", form="markdown")

    assert isinstance(case.request.job, TestCase)
    assert case.request.job.steps == (Step(action="Look", expected="seen", session="shop"), Step(action="Wait"))


def test_a_phone_is_named_and_nothing_else_of_it():
    assert device_of(YAML.format("phone: pixel")) == DeviceSpec(kind="appium", name="pixel")
    assert device_of(GHERKIN.format("@phone:pixel"), "gherkin") == DeviceSpec(kind="appium", name="pixel")
    assert device_of(MARKDOWN.format("Phone: pixel"), "markdown") == DeviceSpec(kind="appium", name="pixel")
    assert "a name that a session host gives a phone" in reason(YAML.format('phone: "http://127.0.0.1:4723"'))
    assert "need 'device: screens'" in reason(YAML.format("phone: pixel\napp: a.yaml"))
    two = "name: A\nphone: pixel\nsteps:\n  - {action: Look, expected: Seen}\n  - {action: Look, session: other}\n"
    assert "has one session at a time, and the steps name main, other" in reason(two)
    assert "'phone' needs 'device: appium'" in reason(YAML.format("device: web\nphone: pixel"))

"""Maestro flows and journeys of Android Studio as cases: what can be said is a sentence, all else is named in its place."""

import pytest
import yaml

from muster_authoring.journeys import read_journey
from muster_authoring.maestro_flows import read_flow
from muster_cases.case_loader import load_text
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import TestCase

FLOW = """appId: com.example.shop
name: Log in
---
- launchApp:
    clearState: true
- tapOn: User name
- inputText: tester
- hideKeyboard
- tapOn: {text: Log in}
- assertVisible: Hello, tester!
- assertNotVisible: Error
- scrollUntilVisible: {element: Terms, direction: DOWN}
- pressKey: back
"""


def test_what_can_be_said_becomes_steps_that_need_no_model() -> None:
    case = read_flow(FLOW, "flow")
    assert (case.name, case.left) == ("Log in", [])
    (loaded,) = load_text(case.text())
    assert isinstance(loaded.request.job, TestCase)
    assert [(step.action, step.expected) for step in loaded.request.job.steps] == [
        ("Reset the app", ""),
        ('Tap "User name"', ""),
        ('Type "tester"', ""),
        ('Tap "Log in"', 'The text "Hello, tester!" is visible and the text "Error" is not visible'),
        ('Scroll to "Terms"', ""),
        ("Go back", ""),
    ]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("tapOn: {id: login}", "id cannot be expressed"),
        ("tapOn: 'Log (in|on)'", "pattern"),
        ("tapOn: {text: Later, optional: true}", "optional cannot be expressed"),
        ("inputText: ${output.code}", "script"),
        ("swipe: {start: '50%,90%', end: '50%,10%'}", "only a direction"),
        ("runFlow: checkout.yaml", "no sentence expresses it"),
        ("repeat: {times: 3, commands: [back]}", "no sentence expresses it"),
        ("extendedWaitUntil: {notVisible: Loading}", "only a wait"),
        ("pressKey: Power", "no sentence expresses it"),
        ("launchApp: com.example.other", "appId cannot be expressed"),
        ("killApp: {appId: com.example.other}", "appId cannot be expressed"),
        ("scroll: {direction: UP}", "direction cannot be expressed"),
        ("extendedWaitUntil: {visible: Hi, timeout: '${T}'}", "its timeout is a script"),
    ],
)
def test_what_cannot_be_said_is_named_and_has_a_step_in_its_place(command: str, why: str) -> None:
    case = read_flow(f"- back\n- {command}\n- back\n", "flow")
    (left,) = case.left
    assert (left.line, why in left.why) == (2, True), left
    actions = [step["action"] for step in case.steps]
    assert actions[::2] == ["Go back", "Go back"]
    assert actions[1].startswith("TODO, line 2 of the original: ")


def test_values_and_hooks_of_a_flow_are_named() -> None:
    case = read_flow("appId: a.b\nenv: {USER: ada}\nonFlowStart: [back]\n---\n- back\n", "flow")
    assert [left.what for left in case.left] == ["env", "onFlowStart"]


def test_actions_of_a_journey_stay_word_for_word_and_those_for_a_model_are_named() -> None:
    actions = ('Tap "Cart"', 'The text "Total" is visible', "Find something cheap and buy it")
    body = "".join(f"<action>{one}</action>" for one in actions)
    case = read_journey(f'<journey name="Buy"><actions>{body}</actions></journey>', "buy")
    assert yaml.safe_load(case.text())["steps"] == [
        {"action": actions[0], "expected": actions[1]},
        {"action": actions[2]},
    ]
    assert [(left.line, left.what) for left in case.left] == [(3, actions[2])]


@pytest.mark.parametrize("text", ["", "a: 1", "- [", "just text", "a: 1\n---\nb: 2"])
def test_what_is_no_flow_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="no Maestro flow"):
        read_flow(text, "flow")


@pytest.mark.parametrize("text", ["<other/>", "<journey>", "<!DOCTYPE a [<!ENTITY b 'c'>]><journey>&b;</journey>"])
def test_what_is_no_journey_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="journey"):
        read_journey(text, "journey")


def test_what_a_flow_says_at_its_head_is_kept_or_has_a_step_in_its_place() -> None:
    head = "appId: com.a\ntags: [smoke]\nonFlowComplete: [{assertVisible: Bye}]\nonFlowStart: [back]\nenv: {A: b}\n"
    case = read_flow(
        f"{head}---\n- launchApp: com.a\n- extendedWaitUntil: {{visible: Hi, timeout: 45001}}\n- assertVisible: Hi\n",
        "flow",
    )
    (loaded,) = load_text(case.text())
    assert isinstance(loaded.request.job, TestCase)
    assert loaded.request.job.tags == ("imported", "smoke")
    said = [step.action for step in loaded.request.job.steps]
    assert [": env (" in said[0], ": onFlowStart (" in said[1]] == [True, True]
    assert said[2:4] == ["Restart the app", 'Wait up to 46 seconds until "Hi" is visible']
    assert ": onFlowComplete (" in said[4]


def test_parts_of_a_journey_that_are_no_actions_have_a_step_in_their_place() -> None:
    text = '<journey name="J"><description>d</description><actions><action>Tap "A"</action><wait>5</wait></actions></journey>'
    case = read_journey(text, "j")
    assert [one.what for one in case.left] == ["<wait>"]
    assert case.steps[1]["action"].startswith("TODO, line 2 of the original: <wait>")


@pytest.mark.parametrize("text", ["appId: a\n---\n[]\n", "appId: a\n---\n"])
def test_a_flow_without_commands_is_none(text: str) -> None:
    with pytest.raises(InvalidRequest, match="no list of commands"):
        read_flow(text, "flow")
    with pytest.raises(InvalidRequest, match="no actions"):
        read_journey("<journey><actions> </actions></journey>", "j")

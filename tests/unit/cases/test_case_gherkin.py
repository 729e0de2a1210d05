"""Cases written in Gherkin: what becomes of features, and what is said about those that cannot be read."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster_cases.case_loader import CaseError, LoadedCase, load_text
from muster_protocol.requests import Limits, RunRequest, Step, TestCase

ROOT = Path(__file__).parents[3]
FULL = """\
@shop @secret:SHOP_PASSWORD @var:base_url=http://127.0.0.1:8000
Feature: Logging in
  Scenario: is no keyword within a sentence like this one.

  Background:
    Given the shop is open at "${base_url}"

  # a remark
  @smoke @timeout:120 @domain:127.0.0.1 @label:team=checkout @priority:high @on_fail:continue @suite:web @max_calls:50
  Scenario: A member logs in
    Given the command "grep" is installed
    When I open "${base_url}/login"
    And I type "${secret:SHOP_PASSWORD}" into the "Password" field
    Then the page title is "Demo shop"
    And the URL contains "/login"
    When I click the "Log in" button
    * I press Enter
    Then I see "Hello"
    But I do not see "Error"
"""


def load(text: str) -> list[LoadedCase]:
    return load_text(text, "f.feature", "folder", "gherkin")


def jobs(text: str) -> list[TestCase]:
    found = [case.request.job for case in load(text)]
    assert all(isinstance(job, TestCase) for job in found)
    return [job for job in found if isinstance(job, TestCase)]


def job(text: str) -> TestCase:
    (only,) = jobs(text)
    return only


def reasons(text: str) -> list[str]:
    with pytest.raises(CaseError) as caught:
        load(text)
    return list(caught.value.reasons)


def scenario(steps: str, before: str = "", after: str = "") -> str:
    return f"Feature: F\n{before}\n  Scenario: S\n" + "".join(f"    {s}\n" for s in steps.splitlines()) + after


def test_a_feature_with_everything_becomes_a_request_with_every_field():
    given_title = FULL.replace("  Scenario: is no keyword", "  A scenario is no keyword")
    assert load(given_title) == [
        LoadedCase(
            RunRequest(
                job=TestCase(
                    name="Logging in: A member logs in",
                    steps=(
                        Step(action='I open "${base_url}/login"'),
                        Step(
                            action='I type "${secret:SHOP_PASSWORD}" into the "Password" field',
                            expected='the page title is "Demo shop"\nthe URL contains "/login"',
                        ),
                        Step(action='I click the "Log in" button'),
                        Step(action="I press Enter", expected='I see "Hello"\nI do not see "Error"'),
                    ),
                    preconditions=('the shop is open at "${base_url}"', 'the command "grep" is installed'),
                    tags=("shop", "smoke"),
                    variables={"base_url": "http://127.0.0.1:8000"},
                    secrets=("SHOP_PASSWORD",),
                    domains=("127.0.0.1",),
                    on_fail="continue",
                ),
                suite="web",
                labels={"team": "checkout"},
                priority="high",
                limits=Limits(timeout_seconds=120, max_calls=50),
            ),
            source="f.feature",
            line=10,
            step_lines=(12, 13, 16, 17),
        )
    ]


OUTLINE = """\
Feature: Log in
  @login
  Scenario Outline: <user> is greeted
    When I open "/hello?name=<user>"
    Then I see:
      | <greeting> |
    @bulk @timeout:60
    Examples: known
      | user | greeting     |
      | ada  | Hello, <ada> |
      | bob  | Hi \\| bob    |
    Examples:
      | greeting | user |
      | Moin     | cem  |
"""


def test_each_row_of_examples_is_a_case_that_is_named_after_it():
    loaded = load(OUTLINE)
    assert [(case.request.job.name, case.line, case.step_lines) for case in loaded] == [
        ("Log in: ada is greeted (greeting=Hello, <ada>)", 10, (4,)),
        ("Log in: bob is greeted (greeting=Hi | bob)", 11, (4,)),
        ("Log in: cem is greeted (greeting=Moin)", 14, (4,)),
    ]
    assert jobs(OUTLINE)[0].steps == (Step(action='I open "/hello?name=ada"', expected='I see "Hello, <ada>"'),)
    assert [case.tags for case in jobs(OUTLINE)] == [("login", "bulk"), ("login", "bulk"), ("login",)]
    assert [case.request.limits.timeout_seconds for case in loaded] == [60, 60, None]


def test_a_column_named_like_a_pattern_is_a_name_and_nothing_else():
    outline = OUTLINE.replace("<user>", "<(a+>").replace("| user |", "| (a+ |").replace("| user |", "| (a+ |")
    assert jobs(outline)[2].steps[0].action == 'I open "/hello?name=cem"'


def test_scenarios_of_one_name_are_told_apart():
    one = "  Scenario: S\n    When a\n    Then b\n"
    assert [case.name for case in jobs(f"Feature: F\n{one}{one}")] == ["F: S", "F: S #2"]


def test_a_rule_has_its_own_background_after_that_of_the_feature_and_its_name_in_the_case():
    text = """\
Feature: F
  Background:
    Given one
    When two
  @r
  Rule: R
    Background:
      * three
    Example: S
      When four
      Then five
"""
    found = job(text)
    assert (found.name, found.preconditions, found.tags) == ("F: R: S", ("one",), ("r",))
    assert [step.action for step in found.steps] == ["two", "three", "four"]


def test_a_feature_may_be_in_another_language():
    text = "# language: de\nFunktionalität: Anmelden\n  Szenario: Gut\n    Angenommen a\n    Wenn b\n    Und c\n    Dann d\n"
    found = job(text)
    assert (found.name, found.preconditions) == ("Anmelden: Gut", ("a",))
    assert found.steps == (Step(action="b"), Step(action="c", expected="d"))


def test_a_doc_string_follows_an_action_on_its_own_lines():
    text = scenario('When I write the file "a":\n"""\n  x\n\n<b> "q"\n"""\nThen ok')
    assert job(text).steps[0].action == 'I write the file "a":\n  x\n\n<b> "q"'


@pytest.mark.parametrize(
    ("block", "sentence"),
    [
        ('"""\nsay "hi" \\n\n"""', 'I see "say \\"hi\\" \\\\n"'),
        ("| a | b |", 'I see "a", "b"'),
        ("| a |\n| b |", 'I see "a", "b"'),
    ],
)
def test_a_short_doc_string_or_a_list_is_a_literal_in_an_expectation(block: str, sentence: str):
    assert job(scenario(f"When x\nThen I see:\n{block}")).steps[0].expected == sentence


PROBLEMS = {  # what: (text, beginning of the reason)
    "a keyword in small letters": (
        scenario("given x\nWhen y\nThen z"),
        "3:3: 'given' below this line is not a keyword",
    ),
    "no feature": ("hello", "1:1: invalid Gherkin: unexpected 'hello'; expected one of: 'Feature:', a tag"),
    "a mistyped keyword": (
        scenario("When x\nThan y"),
        "5:5: invalid Gherkin: unexpected 'Than y'; did you mean 'Then'?; expected one of: 'Rule:', 'Scenario:', ",
    ),
    "an unknown language": ("# language: xx\nFeature: F", "1:1: invalid Gherkin: language not supported: xx"),
    "an uneven table": (
        scenario("When x\n| a |\n| b | c |\nThen y"),
        "6:5: invalid Gherkin: inconsistent cell count within the table",
    ),
    "an open doc string": (scenario('When x\n"""\nThen y'), "7:1: invalid Gherkin: unexpected end of file"),
    "a Given after a When": (scenario("When x\nGiven y\nThen z"), "5:5: a precondition after an action"),
    "a Given after the background's When": (
        scenario("Given y\nWhen z\nThen a", before="  Background:\n    When x"),
        "5:5: a precondition after an action",
    ),
    "a Then without a When": (scenario("Given x\nThen y"), "5:5: an expectation without an action"),
    "an And at first": (scenario("And x\nWhen y\nThen z"), "4:5: the first step cannot be 'And'"),
    "a star at first": (scenario("* x\nWhen y\nThen z"), "4:5: the first step cannot be '*'"),
    "no Then": (scenario("When x"), "3:3: this scenario expects nothing: at least one When needs a Then"),
    "no steps": (scenario(""), "3:3: this Scenario has no steps"),
    "no sentence": (scenario("When \nThen x"), "4:5: 'When' has no sentence"),
    "no name": (scenario("When x\nThen y").replace(": S", ":"), "3:3: this case needs a name"),
    "a long name": (scenario("When x\nThen y").replace(": S", f": {'S' * 300}"), "3:3: 'name' has 303 characters"),
    "no Examples": (scenario("When <x>\nThen y").replace("Scenario", "Scenario Outline"), "3:3: this Scenario Outline"),
    "no row": (scenario("When <x>\nThen y", after="    Examples:\n      | x |\n"), "6:5: these Examples have no rows"),
    "no table": (scenario("When <x>\nThen y", after="    Examples:\n"), "6:5: these Examples have no rows"),
    "a column twice": (
        scenario("When <x>\nThen y", after="    Examples:\n      | x | x |\n      | 1 | 2 |\n"),
        "6:5: each column of Examples needs a unique name",
    ),
    "an unknown parameter": (
        scenario("When <usr>\nThen y", after="    Examples:\n      | user |\n      | 1 |\n      | 2 |\n"),
        "4:5: the Examples have no column 'usr'; did you mean 'user'?",
    ),
    "a table of more than a list": (
        scenario("When x\n| a | b |\n| c | d |\nThen y"),
        "5:5: a data table can have one column",
    ),
    "a doc string and a table": (
        scenario('When x\n| a |\n"""\nb\n"""\nThen y'),
        "6:5: a step can take a doc string or",
    ),
    "an empty doc string": (scenario('When x\n"""\n"""\nThen y'), "5:5: this doc string is empty"),
    "many lines to be seen": (
        scenario('When x\nThen y\n"""\na\nb\n"""'),
        "6:5: an expected text must be a single line",
    ),
    "a wrong limit": (
        scenario("When x\nThen y", before="@timeout:soon"),
        "2:1: @timeout:soon: 'timeout_seconds' must be a number, not 'soon'",
    ),
    "a limit out of bounds": (
        scenario("When x\nThen y", before="@max_calls:0"),
        "2:1: @max_calls:0: 'max_calls' is 0: it must be a whole number of at least 1",
    ),
    "an unknown priority": (
        scenario("When x\nThen y", before="@priority:top"),
        "2:1: @priority:top: 'priority' must be",
    ),
    "a variable without value": (
        scenario("When x\nThen y", before="@var:a"),
        "2:1: @var:a: 'variables' must be NAME=VALUE, not 'a'",
    ),
    "a mistyped setting": (
        scenario("When x\nThen y", before="@secrte:PIN"),
        "2:1: @secrte:PIN: unknown setting 'secrte'; did you mean '@secret:'?",
    ),
    "a setting with the wrong sign": (
        scenario("When x\nThen y", before="@secret=PIN"),
        "2:1: @secret=PIN: write it as @secret:VALUE",
    ),
    "a tag with an at in it": (
        scenario("When x\nThen y", before="@var:mail=a@b.c"),
        "2:12: '@var:mail=a@b.c': put a space between tags",
    ),
    "an undeclared secret": (
        scenario("When ${secret:PIN}\nThen y"),
        "3:3: ${secret:PIN} is used but 'PIN' is not listed",
    ),
}


@pytest.mark.parametrize("what", PROBLEMS)
def test_what_is_wrong_is_named_with_its_place(what: str):
    text, expected = PROBLEMS[what]
    found = reasons(text)
    assert found[0].startswith(f"f.feature:{expected}"), found
    assert len(found) == 1


def test_tags_with_a_colon_that_set_nothing_are_tags():
    assert job(scenario("When x\nThen y", before="@jira:ABC-1 @wip")).tags == ("jira:ABC-1", "wip")


@pytest.mark.parametrize("text", ["", "# only a remark\n", "Feature: F\n  Nothing yet.\n"])
def test_a_text_without_a_scenario_is_refused(text: str):
    assert reasons(text) == ["f.feature: no test case found; a case is a Scenario in a Feature"]


def test_all_problems_of_a_file_are_told_at_once_in_the_order_of_their_places():
    text = scenario("Then x\nWhen y") + "\n  @timeout:x\n  Scenario: T\n    When x\n"
    assert [int(reason.split(":")[1]) for reason in reasons(text)] == [4, 7, 8]


def test_examples_that_would_become_a_hundred_thousand_steps_are_refused():
    rows = "      | 1 |\n" * 1000
    text = scenario("When <x>\n" * 101 + "Then y", after=f"    Examples:\n      | x |\n{rows}")
    assert reasons(text) == ["f.feature:1:1: this file has more than 20,000 steps; split it into several files"]


LINES = st.sampled_from(
    [
        *[
            "Feature: F",
            "Background:",
            "Rule: R",
            "Scenario: S",
            "Scenario Outline: <a>",
            "Examples:",
            "Given a",
            "When <a>",
            "Then b",
            "And c",
            "But d\n",
            "* e",
            "```",
            "@x",
            "@timeout:5",
            "# language: fr",
            "",
            "@var:a=b",
            "@secret:a@b",
            "text",
            "When",
            "\\n",
        ],
        "| a |",
        "| 1 | 2 |",
        '"""',
        "| \\",
    ]
)


@settings(deadline=None)
@given(st.text(max_size=100) | st.lists(LINES | st.text(max_size=12), max_size=25).map("\n".join))
def test_no_text_makes_the_reader_fail_in_another_way(text: str):
    try:
        assert load(text)
    except CaseError as error:
        assert error.problems


def test_every_feature_of_the_case_documentation_is_a_valid_file():
    blocks = re.findall(r"```gherkin\n(.*?)```", (ROOT / "docs/cases.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        assert load(block)

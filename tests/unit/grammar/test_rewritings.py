"""What no phrase reads is told by its parts, with other words that are read and the same names and values."""

import time

import pytest

from muster_grammar import parse_action, parse_expectation
from muster_grammar.rewritings import LONGEST, rewritten
from muster_grammar.unread_sentences import unread_action, unread_expectation, unread_in
from muster_protocol.requests import Step, TestCase


@pytest.mark.parametrize(
    ("sentence", "instead"),
    [
        ('User clicks on "Media" tiled tab', 'Click the "Media" tab'),
        ("The user selects sign in", 'Choose "sign in"'),
        ("Select a new target branch", ""),
        ("Click outside the dialog", ""),
        ('Add "Mug" to the cart', ""),
        ('Search for "mug"', 'Type "mug" into the search field and press Enter'),
        ("I select the search results breadcrumb", 'Click "search results"'),
        ("Click Delete ada in grid", 'Click "Delete" in "ada"'),
        ("Navigate to Admin > Users", "Click Admin > Users"),
        ("Go to Transfer", 'Click "Transfer"'),
        ("Go to the Login page", ""),
        ('Edit "Hammer"', 'Click "Edit" in "Hammer"'),
        ('Select the text "Spring"', ""),
        ("I pick the colour red", ""),
        ('I write a description like "Nice"', 'Type "Nice" into "description"'),
        ('Select the "Advocacy" category from How They Help', 'Select "Advocacy" in "How They Help"'),
        ('Click "A" and click "B" tiled tab', 'Click "A" and click the "B" tab'),
    ],
)
def test_actions_in_the_words_of_other_tools(sentence: str, instead: str) -> None:
    assert rewritten(sentence, "action", parse_action) == instead
    assert not instead or parse_action(instead)


@pytest.mark.parametrize(
    ("sentence", "instead"),
    [
        ('I should not see a member link to "Delete"', 'The "Delete" link is not visible'),
        ('The "Users" has at least "3" rows', 'The "Users" table has at least 3 rows'),
        ('The product "Mug" should appear in the store', '"Mug" is visible in "store"'),
        ("I am on the Login page", 'I am on the "Login" page'),
        ("The new Options dropdown is disabled", ""),
        ("Display options dropdown is disabled", 'The "Display options" dropdown is disabled'),
        ('The title of the dialog is "A"', ""),
        ('I see "A" as "B"', ""),
        ('I do not see ".index_table"', 'I do not see css=".index_table"'),
        ("There will be a select all link", 'The "select all" link is visible'),
        ("There are 3 filters in the list", ""),
        ("I should see large image", ""),
        ('"Required" is shown under the "Name" field', ""),
        ('Each row has a "Delete" button', ""),
        ('The author of "Typo" should be "Ada" user', '"author" in "Typo" is "Ada"'),
        ('It should fail with "No such file"', 'The command fails and the output contains "No such file"'),
    ],
)
def test_expectations_in_the_words_of_other_tools(sentence: str, instead: str) -> None:
    assert rewritten(sentence, "expectation", parse_expectation) == instead
    assert not instead or parse_expectation(instead)


@pytest.mark.parametrize(
    "sentence",
    [
        "Ponder the meaning of it all",
        "I am logged in as an administrator",
        'I only follow "A" if "B" is there',
        'I do not follow "About us"',
        'I set a cookie "a" with the content "b"',
        'I scroll "30" px down',
        'I enter an address with postcode "EC1"',
        'I click the disabled thing "A"',
        'The user never follows "About us"',
        'Follow "A' + "a" * LONGEST + '"',
        'Follow "«c0»"',
    ],
)
def test_what_may_mean_something_else_is_not_rewritten(sentence: str) -> None:
    assert rewritten(sentence, "action", parse_action) == ""


def test_names_and_values_stay_as_they_are() -> None:
    assert rewritten("Click 'it''s «x» \"q\" \\1 {a}' tiled tab", "action", parse_action) == ""
    assert rewritten('Click "a {b} \\1 %k" tiled tab', "action", parse_action) == 'Click the "a {b} \\1 %k" tab'
    assert rewritten("Click ${secret:NAME} tiled tab", "action", parse_action) == "Click the ${secret:NAME} tab"


def test_each_unread_part_is_told_with_the_words_that_were_not_understood() -> None:
    frobs, clicks = unread_action('Click "A", frobnicate "B" and click "C" tiled tab')
    assert frobs.error.sentence == 'frobnicate "B"'
    assert frobs.unknown == ("frobnicate",)
    assert not frobs.instead
    assert str(clicks).endswith('Write instead: Click the "C" tab')


def test_each_unread_clause_is_told_and_one_that_leans_on_it_is_not() -> None:
    text = 'The text "A" is visible, the moon shines, contains "B", the sun sets and "C" is visible'
    assert [unread.error.sentence for unread in unread_expectation(text)] == ["the moon shines", "the sun sets"]
    assert unread_expectation('The text "A" is visible') == []


def test_a_case_tells_a_line_for_each_place() -> None:
    step = Step(action='Click "A" tiled tab', expected='I should not see a member link to "Delete"')
    case = TestCase(name="case", preconditions=("Frobnicate",), steps=(step,))
    first, second, third = unread_in(case)
    assert first.startswith("precondition 1: no phrase fits «Frobnicate».")
    assert second.startswith("step 1: ")
    assert third.startswith("step 1, expected: ")
    assert "\n" not in first + second + third


@pytest.mark.parametrize("part", ["click ", "see the a ", "I should be on the page with ", '"a" in ', "to to ", "> a "])
def test_a_long_sentence_is_rewritten_soon(part: str) -> None:
    sentence = (part * LONGEST)[:LONGEST]
    started = time.process_time()
    rewritten(sentence, "action", parse_action)
    rewritten(sentence, "expectation", parse_expectation)
    assert time.process_time() - started < 6  # cold, on a slow machine; what grows too fast takes minutes

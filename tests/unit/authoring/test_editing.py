"""What an editor can be told of a text and a place: problems with their ends, repairs, proposals, meanings."""

from pathlib import Path

import pytest

from muster_authoring.document import Document, read_document
from muster_authoring.proposals import Proposal, proposals
from muster_authoring.repairs import repairs
from muster_authoring.sentence_cursor import CaseForm, Style, cursor_in
from muster_authoring.sentence_meanings import meaning_at
from muster_authoring.sentence_styles import styled

TAUGHT = """\
steps:
  Log in as {user}:
    - Type {user} into the "User name" field
    - action: Click the "Log in" button
      expected: The text "Hello, {user}" is visible
expectations:
  The cart is empty: The text "Your cart is empty" is visible
"""
CASE = """\
name: A
variables: {base_url: "http://x"}
secrets: [PASSWORD]
steps:
  - Remember the "Total" as ${sum}
  - action: 'Press the "A''s" button, then log in as "tester"'
    expected: You ought to find "Thanks"
  - Type a random e-mail address into the "E-mail" field
  - action: Type "${random_email}" into the "Search" field
    expected: The text "a" is visible and the URL contains "${nope}"
"""
GHERKIN = """\
Feature: F
  Scenario Outline: S
    When I open "<page>"
    And frobnicate the page
    Then I see the text "${nope}"
    And the cart is empty
    Examples:
      | page |
      | /one |
"""
MARKDOWN = """\
# M

| # | Action     | Expected                         |
|---|------------|----------------------------------|
| 1 | Press Tab  | You ought to find "A\\|B" |
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases/shop.yaml").write_text(TAUGHT)
    return tmp_path


def read(path: Path, text: str, **texts: str) -> Document:
    found = read_document(path, text, {path.parent / "phrases" / f"{name}.yaml": one for name, one in texts.items()})
    assert found
    return found


def marked(document: Document) -> list[str]:
    """Return the words that the findings are about, as they stand in the text."""
    return [document.lines[one.line - 1][one.column - 1 : one.end_column - 1] for one in document.findings if one.line]


def at(document: Document, marked_line: str, line: int) -> tuple[Proposal, ...]:
    """Return what is proposed at `^` in a line (from 0) that takes the place of one of the document."""
    lines = [*document.lines]
    lines[line] = marked_line.replace("^", "", 1)
    return proposals(document, lines, line, marked_line.index("^"))


def test_each_problem_has_the_words_it_is_about_and_what_to_write_instead(folder: Path):
    found = read(folder / "a.yaml", CASE)
    assert marked(found) == ['You ought to find "Thanks"', "${nope}"]
    assert [one.instead for one in found.findings] == ['See "Thanks"', ""]
    assert [(one.finding.line, one.text) for one in repairs(found, found.lines, 0, 20)] == [(7, 'See "Thanks"')]
    assert repairs(found, found.lines, 0, 5) == ()
    assert repairs(found, [line.replace("Thanks", "Thank") for line in found.lines], 0, 20) == ()


def test_and_so_in_the_other_forms(folder: Path):
    assert marked(read(folder / "a.feature", GHERKIN)) == ["frobnicate the page", "${nope}"]
    table = read(folder / "a.md", MARKDOWN)
    assert marked(table) == [r'You ought to find "A\|B"']
    assert [one.text for one in repairs(table, table.lines, 4, 4)] == [r'See "A\|B"']


def test_an_expectation_is_marked_where_it_stands_even_if_its_action_has_the_same_words(tmp_path: Path):
    found = read(tmp_path / "a.yaml", "name: A\nsteps:\n- action: Wumpus sings\n  expected: Wumpus sings\n")
    assert [(one.line, one.column) for one in found.findings] == [(3, 11), (4, 13)]


def test_what_is_wrong_where_sentences_are_taught_is_told_there_and_of_the_cases(folder: Path):
    wrong = TAUGHT.replace("Click", "Frobnicate")
    assert [one.line for one in read(folder / "phrases/shop.yaml", wrong).findings] == [4]
    told = read(folder / "a.yaml", CASE, shop=wrong).findings
    assert any(one.line == 0 and "shop.yaml:4" in one.text for one in told)
    assert read(folder / "phrases/shop.yaml", TAUGHT).findings == ()


def test_a_broken_text_tells_where_and_other_yaml_is_left_alone(tmp_path: Path):
    (broken,) = read(tmp_path / "a.yaml", "steps:\n  - 'Press Tab\n").findings
    assert (broken.kind, broken.line > 0, broken.end_line > 0) == ("file", True, True)
    assert read(tmp_path / "compose.yaml", "services: {a: {image: b}}\n").findings == ()
    assert read_document(tmp_path / "a.py", "steps: [") is None


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        ("yaml", "name: A\nsteps:\n  - action: Cl^", ("step", 12, "plain")),
        ("yaml", "name: A\nsteps:\n  - action: 'Cl^", ("step", 13, "single")),
        ("yaml", 'name: A\nsteps:\n  - action: X\n    expected: "The^', ("expectation", 15, "double")),
        ("yaml", "name: A\nsteps:\n- ^", ("step", 2, "plain")),
        ("yaml", "cases:\n- steps:\n  - Op^", ("step", 4, "plain")),
        ("yaml", "name: A\npreconditions:\n  - The sh^", ("precondition", 4, "plain")),
        ("yaml", "name: A\nsteps:\n  - action: >-\n      Cl^", ("step", 6, "bare")),
        ("yaml", "name: A\nsteps:\n  - action: Click\n      Cl^", ("step", 6, "plain")),
        ("yaml", "name: A\ntags:\n  - sm^", None),
        ("yaml", "name: ^A\n", None),
        ("phrases", "steps:\n  Log in as {u}:\n    - Op^", ("step", 6, "plain")),
        ("phrases", "steps:\n  Log in as {u}:\n    - action: X\n      expected: Op^", ("expectation", 16, "plain")),
        ("phrases", "expectations:\n  The cart is:\n    - Op^", ("expectation", 6, "plain")),
        ("phrases", "expectations:\n  The cart is: The ^", ("expectation", 15, "plain")),
        ("phrases", "expectations:\n  The ca^", None),
        ("gherkin", "Feature: A\n  Scenario: S\n    Given the^", ("precondition", 10, "bare")),
        ("gherkin", "Feature: A\n  Scenario: S\n    When I\n    And cl^", ("step", 8, "bare")),
        ("gherkin", "# language: de\nFunktionalität: A\n  Szenario: S\n    Dann cl^", ("expectation", 9, "bare")),
        ("gherkin", "Feature: A\n  Scen^", None),
        ("markdown", "# A\n1. Op^", ("step", 3, "bare")),
        ("markdown", "# A\n1. Op\n   - Expected: th^", ("expectation", 15, "bare")),
        ("markdown", "# A\n1. Op\n   - th^", ("expectation", 5, "bare")),
        ("markdown", "# A\nPreconditions:\n\n- th^", ("precondition", 2, "bare")),
        ("markdown", "# A\n| # | Action | Expected |\n|---|---|---|\n| 1 | Op | the^", ("expectation", 11, "cell")),
        ("markdown", "# A\n\nSome pro^se", None),
    ],
)
def test_the_lines_above_tell_what_a_place_is_for(form: CaseForm, text: str, expected: tuple[object, ...] | None):
    before = text.partition("^")[0].split("\n")
    found = cursor_in(form, text.replace("^", "", 1).split("\n"), len(before) - 1, len(before[-1]))
    assert (found and found[:3]) == expected


def test_sentences_of_ones_own_come_first_and_then_phrases_that_hold_what_is_typed(folder: Path):
    case = read(folder / "a.yaml", CASE)
    found = at(case, "  - action: Log^", 5)
    assert found[0][:5] == ("own", "Log in as {user}", 'Log in as "user"', 'Log in as "${1:user}"', 12)
    assert all("log" in one.label.lower() for one in found)
    claims = {one.label for one in at(case, "    expected: ^", 6)}
    assert {"The cart is empty", 'The "Save" button is visible'} <= claims
    assert "Log in as {user}" not in claims


def test_a_sentence_goes_on_after_and_but_not_within_a_text_in_quotes(folder: Path):
    case = read(folder / "a.yaml", CASE)
    (first, *_) = at(case, '  - action: Click the "A and B" button and log^', 5)
    assert (first.label, first.begin) == ("Log in as {user}", 43)
    assert at(case, '  - action: Click the "A and ^', 5) == ()
    feature = read(folder / "a.feature", GHERKIN)
    assert at(feature, "    When I log^", 2)[0].begin == 11


def test_names_are_proposed_within_braces_even_if_the_text_is_broken(folder: Path):
    case = read(folder / "a.yaml", CASE)
    found = at(case, "    expected: 'The text \"${^", 9)
    assert [one.text for one in found] == ["sum}", "random_email}", "base_url}", "secret:PASSWORD}"]
    assert [one.text for one in at(case, "    expected: The ${ba^}", 9)] == ["base_url"]
    assert [one.label for one in at(case, "    expected: The ${secret:^", 9)] == ["secret:PASSWORD"]


@pytest.mark.parametrize(
    ("style", "whole", "written"),
    [
        ("bare", True, '"It\'s: a|b" #1'),
        ("single", False, "\"It''s: a|b\" #1"),
        ("double", False, '\\"It\'s: a|b\\" #1'),
        ("cell", True, '"It\'s: a\\|b" #1'),
        ("plain", True, "'\"It''s: a|b\" #1'"),
        ("plain", False, None),
    ],
)
def test_a_sentence_is_written_as_its_place_needs(style: Style, whole: bool, written: str | None):
    assert styled('"It\'s: a|b" #1', style, first=whole, last=whole) == written


def test_a_meaning_is_the_calls_in_words_with_own_sentences_expanded(folder: Path):
    case = read(folder / "a.yaml", CASE)
    found = meaning_at(case, case.lines, 5, 20)
    assert found
    assert found.text.splitlines() == [
        "**Step**",
        "",
        "stands for, in sentences of your own:",
        "",
        "- **click**: element `A's`, role `button`",
        "- **type**: element `User name`, text `tester`",
        "- **click**: element `Log in`, role `button`",
        "- **check text**: text `Hello, tester`",
    ]
    second = meaning_at(case, case.lines, 9, 30)
    assert second
    assert second.text.startswith("**Expectation**\n\n- **check text**: text `a`\n- **check url**: ")
    assert meaning_at(case, case.lines, 0, 2) is None
    assert meaning_at(case, ["changed"], 0, 2) is None
    feature = read(folder / "a.feature", GHERKIN)
    claim = meaning_at(feature, feature.lines, 5, 12)
    assert claim
    assert "Your cart is empty" in claim.text


@pytest.mark.parametrize(
    ("name", "text"), [("a.yaml", CASE), ("a.feature", GHERKIN), ("a.md", MARKDOWN), ("phrases/shop.yaml", TAUGHT)]
)
def test_no_text_that_is_being_typed_is_a_fault(folder: Path, name: str, text: str):
    whole = read(folder / name, text)
    for end in range(0, len(text), 11):
        typed = read(folder / name, text[:end])
        lines = text[:end].split("\n")
        at_end = (len(lines) - 1, len(lines[-1]))
        assert all(one.begin <= at_end[1] for one in proposals(whole, lines, *at_end))
        assert all(0 <= one.line <= max(1, len(typed.lines)) for one in typed.findings)
        meaning_at(typed, typed.lines, *at_end)
        repairs(typed, lines, 0, at_end[0])

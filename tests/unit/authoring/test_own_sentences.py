"""Sentences that a team teaches: what they fit, what they become, and what is refused at the door."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_authoring.book_checks import find_problems
from muster_authoring.own_cases import gather, load_cases
from muster_authoring.phrase_book import OwnSentenceError, PhraseBook, Unfolding
from muster_authoring.phrase_files import MOST_SENTENCES, read_phrases
from muster_cases.case_loader import CaseError, LoadedCase
from muster_grammar import parse_action, parse_expectation
from muster_grammar.unread_sentences import unread_in
from muster_protocol.requests import TestCase, Written

EXAMPLES = Path(__file__).parents[3] / "examples/own-sentences"
TODO = """\
steps:
  Add the todo {text}:
    - Type {text} into the "New todo" field
    - action: Press Enter
      expected: The text "Todo {text}" is visible
  Add {text} twice over: ['Add the todo {text}', 'Add the todo {text}']
  Rest for {count} seconds: ['Wait {count} seconds']
expectations:
  The list is done with:
    - The text "All done" is visible
    - There is no "Delete" button
"""


def book_of(text: str) -> PhraseBook:
    taught = read_phrases(text, "p.yaml")
    assert taught.problems == []
    return PhraseBook(taught.sentences)


def wrong_with(text: str) -> list[str]:
    taught = read_phrases(text, "p.yaml")
    return [str(problem) for problem in taught.problems or find_problems(PhraseBook(taught.sentences))]


def steps_of(action: str, expected: str = "", taught: str = TODO) -> tuple[tuple[str, str], ...]:
    return Unfolding(book_of(taught)).step(action, expected)


def cases_of(tmp_path: Path, case: str, taught: str = TODO, name: str = "a.yaml") -> list[LoadedCase]:
    folder = tmp_path / "phrases"
    folder.mkdir(exist_ok=True)
    (folder / "todo.yaml").write_text(taught)
    (tmp_path / name).write_text(case)
    return load_cases([tmp_path])


def job_of(case: LoadedCase) -> TestCase:
    assert isinstance(case.request.job, TestCase)
    return case.request.job


def test_the_taught_sentences_themselves_are_sound():
    assert wrong_with(TODO) == []


@pytest.mark.parametrize(
    "said",
    ['Add the todo "Buy milk"', 'I add a todo "Buy milk".', "add todo 'Buy milk'", "Then add the todo “Buy milk”"],
)
def test_a_sentence_fits_in_each_wording_the_grammar_folds(said: str):
    assert steps_of(said) == (
        ('Type "Buy milk" into the "New todo" field', ""),
        ("Press Enter", 'The text "Todo Buy milk" is visible'),
    )


def test_a_value_may_be_a_variable_a_secret_or_a_number():
    assert steps_of("Add the todo ${item}")[0][0] == 'Type "${item}" into the "New todo" field'
    assert steps_of('Add the todo "${secret:X}"')[1][1] == 'The text "Todo ${secret:X}" is visible'
    assert steps_of("Rest for 2 seconds") == (("Wait 2 seconds", ""),)


def test_own_sentences_may_be_joined_with_each_other_and_with_phrases_and_stand_for_others():
    assert [action for action, _ in steps_of('Click "A", then add the todo "x" and press Tab')] == [
        'Click "A"',
        'Type "x" into the "New todo" field',
        "Press Enter",
        "press Tab",
    ]
    assert len(steps_of('Add "x" twice over')) == 4


def test_what_a_step_expects_joins_what_its_last_sentence_expects():
    (_, (_, expected)) = steps_of('Add the todo "x"', 'The list is done with and the text "x" is visible')
    assert expected.splitlines() == [
        'The text "Todo x" is visible',
        'The text "All done" is visible',
        'There is no "Delete" button',
        'the text "x" is visible',
    ]


@pytest.mark.parametrize(
    ("action", "expected", "why"),
    [
        ('Add the todo "x" and frobnicate "y"', "", "no phrase fits «frobnicate"),
        ('Add the todo "x" and "y"', "", 'no phrase fits «"y"»'),
        ('Add the todo "x"', "visible", "name its subject"),
        ('Click "A"', "The list is done with and enabled", "no phrase fits «enabled»"),
        ("Add the todo:\n  two\n  lines", "", "several lines"),
        (f'Add the todo "{"x" * 1990}"', "", "too long"),
    ],
)
def test_nothing_beside_an_own_sentence_is_guessed(action: str, expected: str, why: str):
    with pytest.raises(OwnSentenceError, match=why.replace("(", r"\(")):
        steps_of(action, expected)


@given(st.text(alphabet=st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=40))
def test_no_value_breaks_out_of_its_quotes(value: str):
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    (typing, _), (_, expected) = steps_of(f'Add the todo "{escaped}"')
    (call,) = parse_action(typing)
    assert call.arguments["text"] == value
    (check,) = parse_expectation(expected)
    assert f"Todo {value}" in check.arguments.values()


@pytest.mark.parametrize(
    ("taught", "why"),
    [
        ("steps: {'Add {a}': ['Add {a}']}", "stands for itself"),
        ("steps: {'Do {a}': ['Undo {a}'], 'Undo {a}': ['Do {a}']}", "stands for itself: «Do {a}» (p.yaml:1)"),
        ("steps: {'Click {a}': [Press Enter, 'Click {a}']}", "is a phrase already"),
        ("expectations: {'The text {a} is visible': ['The URL contains {a}']}", "is a phrase already"),
        ("steps: {'Add {a}': ['Type {a} into \"F\"'], 'Add {b}': ['Click {b}']}", "can be read as «Add {a}» too"),
        ("steps: {'Add {a}': ['Type {a} into \"F\"'], 'Add \"x\"': [Press Enter]}", "can be read as «Add {a}» too"),
        ("steps: {'Add {a}': [Press Enter]}", "has {a}, which none of its steps uses"),
        ("steps: {'Add a thing': ['Click {b}']}", "has no {b}, which one of its steps uses"),
        ("steps: {'Add {a} to {a}': ['Click {a}']}", "has {a} twice"),
        ("steps: {'{a} {b}': ['Click {a}', 'Click {b}']}", "no words beside"),
        ("steps: {'Add {a} and go': ['Click {a}']}", "has an 'and'"),
        ("steps: {'Add \"x {a}\"': ['Click {a}']}", "within a text in quotes"),
        ("steps: {'Add {a}': ['Frobnicate {a}']}", "p.yaml:1:21: no phrase fits «Frobnicate"),
        ("steps: {'Add {a}': ['Click {a}'], 'Go on {b}': ['Ad {b}']}", "Did you mean «Add {a}» (p.yaml:1)?"),
        ("steps: {'Add {a}': []}", "stands for nothing"),
        ("step: {'Add {a}': ['Click {a}']}", "unknown key 'step'"),
        ("steps: {'Add {a}': [{action: 'Click {a}', expect: x}]}", "unknown key 'expect'"),
    ],
)
def test_what_cannot_be_taught_is_refused_with_its_place(taught: str, why: str):
    (first, *_) = wrong_with(taught)
    assert first.startswith("p.yaml:1:")
    assert why in first


def test_a_sentence_that_is_a_phrase_as_well_is_not_told_that_it_was_misspelt():
    found = wrong_with("steps: {'Click the {a} button': ['Click the {a} link'], 'Go on': ['Click the \"x\" button']}")
    told = [one for one in found if "is a phrase, and a sentence of your own too" in one]
    assert told
    assert all(one.endswith("reword yours") for one in told)


def test_a_bomb_is_refused_at_the_door_with_numbers():
    doubling = [
        f"  Level {name} {{x}}: ['Level {below} {{x}}', 'Level {below} {{x}}']"
        for below, name in zip("abcdefghijklmnop", "bcdefghijklmnopq", strict=True)
    ]
    wide = "steps:\n  Level a {x}: ['Click {x}']\n" + "\n".join(doubling)
    assert any("more than 200 steps" in why for why in wrong_with(wide))
    long = "steps:\n  Say a {x}: ['Click {x}']\n" + "\n".join(
        f"  Say {name} {{x}}: ['Say {below} \"{{x}}{{x}}{{x}}{{x}}\"']"
        for below, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert any("the limit is 2,000" in why for why in wrong_with(long))
    many = "steps:\n" + "\n".join(f"  Do number{at}: [Press Enter]" for at in range(MOST_SENTENCES + 1))
    assert wrong_with(many) == [
        f"p.yaml: the files for one case teach {MOST_SENTENCES + 1:,} sentences; the limit is 1,000"
    ]


def test_workers_and_judge_see_known_sentences_and_people_what_was_written(tmp_path: Path):
    (case,) = cases_of(
        tmp_path, 'name: A\nsteps:\n  - Press Tab\n  - action: Add the todo "x"\n    expected: The list is done with\n'
    )
    steps = job_of(case).steps
    assert unread_in(job_of(case)) == []
    assert [step.written for step in steps] == [
        None,
        Written(action='Add the todo "x"', expected="The list is done with", steps=2),
        None,
    ]
    assert case.step_lines == (3, 4, 4)


def test_a_slip_of_the_pen_is_told_with_the_sentence_that_was_meant(tmp_path: Path):
    with pytest.raises(CaseError) as caught:
        cases_of(tmp_path, 'name: A\nsteps:\n  - action: Ad the todo "x"\n    expected: The text "x" is visible\n')
    (why,) = caught.value.reasons
    assert f"{tmp_path}/a.yaml:3:1: no phrase fits «Ad the todo" in why
    assert "Did you mean «Add the todo {text}»" in why


def test_sentences_are_taught_from_above_up_to_the_root_of_the_repository(tmp_path: Path):
    deep = tmp_path / "repo/cases/shop"
    deep.mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "repo", deep):
        (folder / "phrases").mkdir()
        (folder / "phrases/p.yaml").write_text(f"steps:\n  Go by {folder.name}: [Press Enter]\n")
    (deep / "a.yaml").write_text(
        'name: A\nsteps: ["Go by shop", "Go by repo", {action: Press Tab, expected: The title is "x"}]\n'
    )
    assert job_of(load_cases([deep / "a.yaml"])[0]).steps[1].action == "Go by repo"
    (tmp_path / "repo/.git").mkdir()
    assert [step.action for step in job_of(load_cases([deep])[0]).steps] == ["Press Enter", "Press Enter", "Press Tab"]
    (tmp_path / "repo/cases/.git").write_text("gitdir: elsewhere")
    assert job_of(load_cases([deep])[0]).steps[1].action == "Go by repo"


def test_the_examples_use_their_sentences_in_each_form_of_case():
    found = gather([EXAMPLES])
    assert found.problems == []
    assert {Path(case.source).suffix for case in found.cases} == {".yaml", ".feature", ".md"}
    for case in found.cases:
        assert unread_in(job_of(case)) == []
        assert any(step.written for step in job_of(case).steps)

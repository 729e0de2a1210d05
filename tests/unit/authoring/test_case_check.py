"""What `muster check` finds in cases of each form, and where."""

from pathlib import Path

import pytest

from muster_authoring.case_check import Finding, check_paths

YAML = """\
name: A
variables: {known: "1"}
steps:
  - action: Click "A" and frobnicate the "B" thing
    expected: The URL contains "${nope}" and the URL contains "${known}"
  - action: Remember the "Total" as ${sum}
    expected: >-
      The text "${sum}" is visible and the
      wumpus sings
  - action: 'Type "${secret:TOKEN}" into the "Sign-in ''code''" field'
"""
GHERKIN = """\
Feature: F
  Background:
    Given the wumpus sings
  Scenario: S
    When I frobnicate "B"
    Then the URL contains "${nope}"
"""
MARKDOWN = """\
# M

Secrets: A

1. Frobnicate "B"
   → The text "${secret:B}" is visible
"""
TAUGHT = """\
steps:
  Add the todo {text}:
    - Type {text} into the "New todo" field
    - Wait {text} seconds
expectations:
  The day is done: The text "${empty}" is visible
"""


def found_in(tmp_path: Path, text: str, name: str = "a.yaml", *variables: str) -> list[Finding]:
    (tmp_path / name).write_text(text)
    return list(check_paths([tmp_path / name], variables).findings)


def told(findings: list[Finding]) -> list[tuple[str, int, int]]:
    return [(one.kind, one.line, one.column) for one in findings]


def test_each_problem_of_a_yaml_case_has_its_own_place(tmp_path: Path):
    found = found_in(tmp_path, YAML)
    assert told(found) == [("unread", 4, 27), ("variable", 5, 33), ("unread", 8, 40), ("secret", 10, 20)]
    assert found[0].sentence == 'Click "A" and «frobnicate the "B" thing»'
    assert str(found[0]).startswith(f"{tmp_path}/a.yaml:4:27: no phrase fits «frobnicate")
    assert "${nope}" in found[1].text and "known, " not in found[1].text
    assert [one.kind for one in found_in(tmp_path, YAML, "a.yaml", "nope")] == ["unread", "unread", "secret"]


@pytest.mark.parametrize(
    ("text", "name", "places"),
    [
        (GHERKIN, "a.feature", [("unread", 3, 11), ("unread", 5, 10), ("variable", 6, 28)]),
        (MARKDOWN, "a.md", [("unread", 5, 4), ("secret", 6, 16)]),
        (
            'name: A\nstepz: []\nsteps: [{action: Press Tab, expected: The text "x" is visible}]\n',
            "b.yaml",
            [("file", 2, 1)],
        ),
    ],
)
def test_and_so_in_the_other_forms(tmp_path: Path, text: str, name: str, places: list[tuple[str, int, int]]):
    assert told(found_in(tmp_path, text, name)) == places


def test_what_an_own_sentence_stands_for_is_told_at_the_sentence(tmp_path: Path):
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases/p.yaml").write_text(TAUGHT)
    case = """\
name: A
steps:
  - action: Add the todo 3
    expected: The day is done
  - action: Add the todo "milk"
  - action: Append the todo "x"
"""
    found = found_in(tmp_path, case)
    assert told(found) == [("variable", 4, 15), ("unread", 5, 13), ("unread", 6, 13)]
    assert "«The day is done» stands for this" in found[0].text
    assert '«Add the todo "milk"» stands for this' in found[1].text
    assert "Did you mean «Add the todo {text}»" in found[2].text


@pytest.mark.parametrize(
    ("limits", "steps", "most", "found"),
    [
        ("", 30, 30, False),
        ("", 31, 30, True),
        ("", 31, 31, False),
        ("limits: {max_subtasks: 31}", 31, 30, False),
        ("limits: {max_subtasks: 4}", 5, 30, True),
        ('limits: {max_subtasks: 4}\npreconditions: [The text "x" is visible]', 4, 30, True),
    ],
)
def test_more_steps_than_a_run_may_have_are_found(tmp_path: Path, limits: str, steps: int, most: int, found: bool):
    step = '{action: Press Tab, expected: The text "x" is visible}'
    (tmp_path / "a.yaml").write_text(f"name: A\n{limits}\nsteps: [{', '.join([step] * steps)}]\n")
    kinds = [one.kind for one in check_paths([tmp_path], most=most).findings]
    assert kinds == ["limit"] * found


@pytest.mark.parametrize("taught", ["steps:\n  Go {a}: [Frobnicate]\n", "steps:\n  Go {a}: [Press Tab\n"])
def test_of_a_broken_file_that_teaches_only_its_own_problem_is_told(tmp_path: Path, taught: str):
    (tmp_path / "phrases").mkdir()
    (tmp_path / "phrases/p.yaml").write_text(taught)
    found = found_in(tmp_path, YAML)
    assert [one.kind for one in found] == ["secret", "file"]  # a sentence that no phrase reads may be taught there
    assert found[-1].file.endswith("phrases/p.yaml")

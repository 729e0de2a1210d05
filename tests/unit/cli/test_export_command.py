"""`muster export` as one calls it: where files go, and what the exit code says."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from muster_cli.cli import muster

SAID = """\
name: A button
steps:
  - {action: 'Click the "Save" button', expected: 'The text "Saved" is visible'}
"""
UNSAID = SAID.replace('The text "Saved" is visible', "the wumpus sings")


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    (tmp_path / "one.yaml").write_text(SAID)
    (tmp_path / "two.yaml").write_text(UNSAID)
    return tmp_path


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(muster, ["export", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_one_file_is_printed(cases: Path):
    code, out, err = run(cases / "one.yaml", "--to", "pytest")
    assert (code, err) == (0, "")
    assert "def test_a_button(page: Page)" in out


def test_what_is_left_is_told_with_its_line_and_by_the_exit_code(cases: Path):
    code, out, err = run(cases / "two.yaml", "--to", "playwright-ts")
    assert code == 1
    assert f"{cases / 'two.yaml'}:3: not exported: the wumpus sings: no phrase reads it" in err
    assert "throw new Error(" in out


def test_several_files_need_a_folder(cases: Path):
    code, out, err = run(cases, "--to", "pytest")
    assert (code, out) == (2, "")
    assert "--output" in err
    target = cases / "made/tests"
    assert run(cases, "--to", "pytest", "--output", target)[0] == 1
    assert sorted(file.name for file in target.iterdir()) == ["test_one.py", "test_two.py"]


def test_files_that_would_have_the_same_name_are_refused_and_so_is_what_is_not_there(cases: Path):
    (cases / "more").mkdir()
    (cases / "more/one.yaml").write_text(SAID)
    code, _, err = run(cases, "--to", "pytest", "--output", cases / "made")
    assert code == 2
    assert "test_one.py" in err
    assert not (cases / "made").exists()
    assert run(cases / "none.yaml", "--to", "pytest")[0] == 2


def test_recordings_that_cannot_be_read_are_told(cases: Path):
    (cases / "kept").mkdir()
    (cases / "kept/step.yaml").write_text("nonsense: 1\n")
    code, _, err = run(cases / "one.yaml", "--to", "pytest", "--recordings", cases / "kept")
    assert code == 2
    assert "step.yaml" in err

"""Files and folders of cases: which are taken, and what is said about those that cannot be read."""

from pathlib import Path

import pytest

from muster_cases.case_loader import CaseError, load_paths, load_text

CASE = "name: {name}\nsteps: [{{action: x, expected: y}}]\n"


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CASE.format(name=path.stem))


def test_a_folder_is_walked_in_order_and_gives_its_name_as_suite(tmp_path: Path):
    write(tmp_path / "shop", "b.yaml", "a.yml", "cart/c.yaml", ".hidden/d.yaml", "notes.txt")
    loaded = load_paths([tmp_path / "shop"])
    assert [(case.request.job.name, case.request.suite) for case in loaded] == [
        ("a", "shop"),
        ("b", "shop"),
        ("c", "cart"),
    ]
    assert loaded[0].source == str(tmp_path / "shop" / "a.yml")


def test_a_file_named_twice_is_read_once(tmp_path: Path):
    write(tmp_path, "a.yaml")
    assert len(load_paths([tmp_path / "a.yaml", tmp_path])) == 1


def test_a_folder_without_cases_and_a_missing_file_are_errors(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(CaseError) as caught:
        load_paths([tmp_path / "empty", tmp_path / "gone.yaml"])
    assert [problem.text for problem in caught.value.problems] == [
        "no test case files in this folder (*.yaml, *.yml, *.feature, *.md, *.markdown)",
        "there is no such file or folder",
    ]


FEATURE = "Feature: {name}\n  Scenario: S\n    When x\n    Then y\n"


MARKDOWN = "# {name}\n\n1. x\n   - Expected: y\n"


README = "# About\n\n1. Install it\n2. Run it\n\n| Option | Meaning |\n|---|---|\n| -v | more |\n"


def test_all_kinds_of_files_are_taken_from_a_folder_and_a_readme_is_left_out(tmp_path: Path):
    write(tmp_path, "c.yaml", "z.YML")
    (tmp_path / "a.feature").write_text(FEATURE.format(name="a"))
    (tmp_path / "b.markdown").write_text(MARKDOWN.format(name="b"))
    (tmp_path / "d.md").write_bytes(b"\xef\xbb\xbf" + MARKDOWN.format(name="d").replace("\n", "\r\n").encode())
    (tmp_path / "README.md").write_text(README)
    assert [case.request.job.name for case in load_paths([tmp_path])] == ["a: S", "b", "c", "d", "z"]
    assert {case.request.suite for case in load_paths([tmp_path])} == {tmp_path.name}


def test_a_markdown_file_without_a_case_is_an_error_when_it_is_named(tmp_path: Path):
    write(tmp_path, "a.yaml")
    (tmp_path / "README.md").write_text(README)
    with pytest.raises(CaseError, match=r"README.md: no test case found; a case is a heading with"):
        load_paths([tmp_path, tmp_path / "README.md"])


def test_a_folder_in_which_no_markdown_file_holds_a_case_is_an_error(tmp_path: Path):
    (tmp_path / "README.md").write_text(README)
    with pytest.raises(CaseError, match="no test case in the Markdown files of this folder"):
        load_paths([tmp_path])


@pytest.mark.parametrize("name", ["a.yaml", "a.feature"])
def test_an_empty_file_of_a_kind_that_holds_nothing_but_cases_is_an_error(tmp_path: Path, name: str):
    write(tmp_path, "good.yaml")
    (tmp_path / name).write_text("")
    with pytest.raises(CaseError, match=f"{name}: no test case found"):
        load_paths([tmp_path])
    with pytest.raises(CaseError) as caught:
        load_paths([tmp_path / name])
    assert len(caught.value.problems) == 1  # it is a file: nothing else is wrong with it


@pytest.mark.parametrize("name", ["a.yaml", "a.feature", "a.md"])
def test_a_file_of_more_than_a_megabyte_is_refused_at_once(tmp_path: Path, name: str):
    (tmp_path / name).write_text("# é" * 250_001)
    with pytest.raises(CaseError) as caught:
        load_paths([tmp_path / name])
    assert caught.value.problems[0].text.startswith("has 1,000,004 bytes, the limit is 400,000")
    with pytest.raises(CaseError, match="the limit is 400,000"):
        load_text("# é" * 250_001)


def test_the_problems_of_all_files_are_told_together(tmp_path: Path):
    write(tmp_path, "good.yaml")
    (tmp_path / "bad.yaml").write_text("name: a")
    (tmp_path / "latin.yaml").write_bytes(b"name: \xe9")
    with pytest.raises(CaseError) as caught:
        load_paths([tmp_path])
    assert {Path(problem.source).name for problem in caught.value.problems} == {"bad.yaml", "latin.yaml"}

"""Files that go into the fleet's library and come out of it again."""

from pathlib import Path

import pytest

from muster_cli.stored_selection import is_name, refuse_names
from muster_cli.subcommands.case_admin import check_files, write_files
from muster_protocol.errors import InvalidRequest

CASE = 'name: {name}\nsteps:\n  - action: {action}\n    expected: The output contains "hi"\n'


def write(path: Path, name: str, action: str = 'Run "echo hi"') -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(CASE.format(name=name, action=action))
    return path


def test_files_of_folders_are_stored_by_their_names_and_the_folder_is_their_suite(tmp_path: Path):
    write(tmp_path / "shop" / "TC_1.yaml", "One")
    write(tmp_path / "mail" / "TC_2.yaml", "Two")
    (tmp_path / "shop" / "README.md").write_text("# Notes\n\nNothing here.\n")
    checked = check_files([tmp_path])
    assert sorted((one.id, one.cases[0].suite) for one in checked) == [("TC_1", "shop"), ("TC_2", "mail")]


def test_two_files_of_one_name_and_sentences_of_ones_own_are_refused(tmp_path: Path):
    write(tmp_path / "a" / "TC_1.yaml", "One")
    write(tmp_path / "b" / "TC_1.yaml", "Two")
    with pytest.raises(InvalidRequest, match="its id 'TC_1' is that of another file"):
        check_files([tmp_path])
    own = tmp_path / "own"
    write(own / "TC_3.yaml", "Three", "Say hi")
    (own / "phrases").mkdir()
    (own / "phrases" / "own.yaml").write_text('steps:\n  Say hi:\n    - Run "echo hi"\n')
    with pytest.raises(InvalidRequest, match="sentences of your own"):
        check_files([own])


def test_a_file_that_differs_is_not_overwritten_unless_that_is_wanted(tmp_path: Path):
    (tmp_path / "TC_1.yaml").write_text("mine")
    with pytest.raises(InvalidRequest, match="differs from the stored case"):
        write_files(tmp_path, {"TC_1.yaml": "theirs", "TC_2.yaml": "x"}, force=False)
    assert not (tmp_path / "TC_2.yaml").exists()
    write_files(tmp_path, {"TC_1.yaml": "theirs"}, force=True)
    assert (tmp_path / "TC_1.yaml").read_text() == "theirs"


def test_what_is_no_file_and_has_the_form_of_a_name_is_one(tmp_path: Path):
    assert [is_name(Path(text)) for text in ("TC_AUTH_01", "suite:shop", "login.yaml", str(tmp_path))] == [
        *(True, True, False, False)
    ]
    with pytest.raises(InvalidRequest, match="needs --nats URL"):
        refuse_names([Path("TC_AUTH_01")])

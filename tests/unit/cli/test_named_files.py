"""Files that a command line names: an error says which, and comes before the work where it can."""

from collections.abc import Callable
from pathlib import Path

import pytest

from muster_cli.named_files import read_named, require_folder, require_writable, write_named
from muster_protocol.errors import InvalidRequest

FULL = Path("/dev/full")
"""A file that always is on a full disk (Linux)."""


def test_a_full_disk_is_told_with_the_name_of_the_file():
    with pytest.raises(OSError, match="No space left") as raised:
        write_named(FULL, "text")
    assert raised.value.filename == "/dev/full"


def test_folders_above_a_file_are_made(tmp_path: Path):
    write_named(tmp_path / "a" / "b.txt", "ä")
    assert (tmp_path / "a" / "b.txt").read_bytes() == "ä".encode()


def test_a_file_that_cannot_be_read_is_told_with_its_option(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"\xff")
    with pytest.raises(InvalidRequest, match=r"--from .*/a: line 1 is not UTF-8 text"):
        read_named(tmp_path / "a", "--from")


@pytest.mark.parametrize("check", [require_writable, require_folder])
def test_what_cannot_be_written_is_known_before_the_work(check: Callable[[Path, str], None], tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidRequest, match=r"--out: .*/file.* cannot be made: "):
        check(tmp_path / "file" / "below" / "it", "--out")
    check(tmp_path / "new" / "one", "--out")
    assert (tmp_path / "new").is_dir()


def test_a_folder_is_no_file(tmp_path: Path):
    with pytest.raises(InvalidRequest, match="this is a folder; name a file"):
        require_writable(tmp_path, "--out")

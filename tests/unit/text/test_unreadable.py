"""A file that cannot be read is told with what mends it, never with what is in it."""

from pathlib import Path

import pytest

from muster_text.unreadable import why_unreadable


def problem_of(path: Path) -> str:
    with pytest.raises((OSError, UnicodeDecodeError)) as raised:
        path.read_text("utf-8")
    return why_unreadable(raised.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"a\nb\ncaf\xe9\n", "line 3 is not UTF-8 text (byte 0xe9): save the file as UTF-8"),
        ("name: a".encode("utf-16"), "it is UTF-16 text: save it as UTF-8"),
    ],
)
def test_other_encodings_are_named(content: bytes, told: str, tmp_path: Path):
    (tmp_path / "a").write_bytes(content)
    assert problem_of(tmp_path / "a") == told


def test_what_the_system_says_is_told_without_its_number(tmp_path: Path):
    assert problem_of(tmp_path / "none") == "there is no such file"
    assert problem_of(tmp_path) == "Is a directory"

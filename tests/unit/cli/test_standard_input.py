"""What is piped into a command."""

import io
import sys

import pytest

from muster_cli.standard_input import input_lines, is_typed, read_input
from muster_protocol.errors import InvalidRequest


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes, encoding: str = "ascii") -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding=encoding, errors="surrogateescape"))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_it_is_read_as_utf_8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch, encoding: str):
    pipe(monkeypatch, "\ufeffé\r\n\n  b".encode(), encoding)
    assert not is_typed()
    assert list(input_lines()) == ["é", "", "  b"]
    pipe(monkeypatch, "é\r\nb\n".encode(), encoding)
    assert read_input() == "é\r\nb\n"


def test_what_is_not_utf_8_is_told_by_its_line_and_what_came_before_is_read(monkeypatch: pytest.MonkeyPatch):
    pipe(monkeypatch, b"a\n\n\xff\n")
    lines = input_lines()
    assert [next(lines), next(lines)] == ["a", ""]
    with pytest.raises(InvalidRequest, match=r"line 3 of stdin is not UTF-8 text \(byte 0xff\)"):
        next(lines)
    pipe(monkeypatch, b"a\nb\xe9\n")
    with pytest.raises(InvalidRequest, match=r"line 2 of stdin is not UTF-8 text \(byte 0xe9\)"):
        read_input()


def test_a_closed_one_is_empty(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert (is_typed(), read_input(), list(input_lines())) == (False, "", [])

"""What is printed of texts that pages and commands wrote."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.table import Table

from muster_bus.connection import without_password
from muster_cli.app import console
from muster_views.texts import format_seconds, strip_controls, to_one_line, to_slug, to_xml


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[2J\x1b[Hcleared", "cleared"),
        ("\x9b31mred", "red"),
        ("a\x00b\x08c\x7fd", "abcd"),
        ("line\r\nnext\rlast", "line\nnext\nlast"),
        ("\u202etxt.exe", "txt.exe"),
        ("\u061ctxt.exe", "txt.exe"),
        ("\x1b", ""),
        ("tab\tstays", "tab\tstays"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
    ],
)
def test_escape_sequences_and_control_characters_are_taken_out(text: str, shown: str):
    assert strip_controls(text) == shown


@settings(deadline=None)
@given(st.text())
def test_no_text_keeps_a_character_that_a_terminal_acts_on(text: str):
    assert not [
        char for char in strip_controls(text) if char not in "\n\t" and (ord(char) < 32 or 127 <= ord(char) < 160)
    ]
    assert "\n" not in to_one_line(text)


def test_a_long_line_ends_in_an_ellipsis():
    assert to_one_line("one  two\nthree", 9) == "one two …"


def test_characters_that_xml_cannot_hold_are_replaced():
    assert to_xml("a\x00\ufffe\x1b[1mb") == "a\ufffdb"


@pytest.mark.parametrize(
    ("value", "shown"), [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.6, "1 min 0 s"), (12.2, "12 s"), (200, "3 min 20 s")]
)
def test_durations_are_told_as_people_read_them(value: float, shown: str):
    assert format_seconds(value) == shown


def test_passwords_in_addresses_are_not_told():
    assert without_password("nats://me:pa:ss@a:4222,tls://token@b,nats://c") == "nats://a:4222,tls://b,nats://c"


@pytest.mark.parametrize(("text", "name"), [("../../etc/passwd", "etc-passwd"), ("", "run"), (".hidden", "hidden")])
def test_a_slug_is_a_plain_file_name(text: str, name: str):
    assert to_slug(text) == name


def test_the_words_of_a_product_are_no_markup_of_the_terminal(capsys: pytest.CaptureFixture[str]):
    words = "[/cart] [link=http://evil.test]Log in[/link]"
    table = Table("state")
    table.add_row(words)
    for shown in (words, table):
        console().print(shown)
        assert words in capsys.readouterr().out

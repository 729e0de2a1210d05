"""Comparing, shortening and naming texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whole_numbers import WHOLE

from muster_devices.domains import address, allowed, checked
from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure
from muster_subagent.tools import ToolError
from muster_subagent.tools.comparisons import Match, Relating, compares, hides_choice, is_told_by_signs, says
from muster_text.key_names import key_name
from muster_text.text_match import has_whole, listed, nearest, quote, shorten, signed_form


@pytest.mark.parametrize(
    ("seen", "expected", "match", "holds"),
    [
        ("Your  cart\n", "Your cart", "is", True),
        ("Your cart", "your cart", "is", False),
        ("It’s “new”", 'It\'s "new"', "is", True),
        ("Your cart (2)", "cart", "contains", True),
        ("Your cart (2)", "Your", "starts", True),
        ("Your cart (2)", "(2)", "ends", True),
        ("Your cart (2)", r"\((\d)\)", "matches", True),
        ("one\ntwo", "^two$", "matches", True),
        ("Your cart", "carts", "contains", False),
        ("", "", "is", True),
        ("16 products", "6 products", "ends", False),
        ("6 products", "6 products", "ends", True),
        ("$59.98 in all", "$59", "starts", False),
        ("$59 in all", "$59", "starts", True),
        ("10 errors", "0 errors", "contains", False),
        ("Dark red, blue", "blue", "includes", True),
        ("Dark red, blue", "red", "includes", False),
    ],
)
def test_texts_are_compared(seen: str, expected: str, match: Relating, holds: bool) -> None:
    assert compares(seen, expected, match) is holds


@pytest.mark.parametrize(
    ("seen", "expected", "hides"),
    [
        ("CSS HTML JS", "JS", True),
        ("CSS, JS", "JS", False),
        ("JS", "JS", False),
        ("Dark red, blue", "red", False),
        ("CSS HTML", "JS", False),
        ("2 selected", "JS", True),
        ("CSS, +3", "JS", True),
    ],
)
def test_a_list_that_does_not_part_its_choices_tells_none_of_them(seen: str, expected: str, hides: bool) -> None:
    assert hides_choice(seen, expected) is hides


@pytest.mark.parametrize(("have", "want", "there"), WHOLE)
def test_a_number_at_the_edge_of_a_text_is_no_part_of_a_longer_one(have: str, want: str, there: bool) -> None:
    assert has_whole(have, want) is there


def test_what_is_no_regular_expression_is_said_to_be_none() -> None:
    with pytest.raises(ToolError, match="is not a regular expression") as caught:
        compares("x", "(", "matches")
    assert caught.value.failure == Failure.INVALID_CALL


@pytest.mark.parametrize(
    ("have", "want", "form"),
    [
        ("Now -5 °C", "5 °C", "-5 °C"),
        ("Saldo -€15.00", "€15.00", "-€15.00"),
        ("Saldo -€15.00", "1", ""),
        ("Saldo -€15.00", "€15", ""),
        ("-5 miles", "5 mile", ""),
    ],
)
def test_a_sign_is_told_of_a_number_that_is_whole_but_for_it(have: str, want: str, form: str):
    assert signed_form(have, want) == form


@pytest.mark.parametrize("match", ["contains", "starts", "ends", "matches"])
def test_an_empty_text_is_not_looked_for_in_another(match: Match) -> None:
    with pytest.raises(ToolError, match="part of any text") as caught:
        compares("Your cart", " ", match)
    assert caught.value.failure == Failure.NO_EVIDENCE


def test_a_comparison_is_put_into_words() -> None:
    assert says("is", "Cart") == 'is "Cart"'
    assert says("starts", "Cart") == 'starts with "Cart"'
    assert says("is", "Cart", negate=True) == 'is not "Cart"'


def test_names_that_are_most_alike_come_first() -> None:
    names = ["Register", "Log in", "Log in with a code", "Password"]
    assert nearest("Login", names)[0] == "Log in"
    assert nearest("Log in", names)[:2] == ["Log in", "Log in with a code"]
    assert nearest("Zzz", names) == []


def test_a_name_far_less_alike_than_the_best_is_left_out() -> None:
    assert nearest("Hello, tesster", ["Onesie", "Hello, tester"], least=0.4) == ["Hello, tester"]
    assert nearest("Hello, nobody", ["Onesie", "Hey there", "Hello page"], least=0.2) == ["Hello page", "Hey there"]


def test_lists_of_names_are_bounded() -> None:
    assert listed(["a", "b", "a"]) == '"a", "b"'
    assert listed([str(number) for number in range(12)], 3) == '"0", "1", "2" and 9 more'
    assert quote("x" * 300, 10) == f'"{"x" * 9}…"'


@given(st.text(max_size=400), st.integers(min_value=30, max_value=300))
def test_a_shortened_text_keeps_head_and_tail_and_says_how_much_is_gone(text: str, limit: int) -> None:
    short = shorten(text, limit)
    if len(text) <= limit:
        assert short == text
        return
    head, _, rest = short.partition("\n… ")
    gone = int(rest.partition(" characters")[0])
    tail = short.rpartition(" left out …\n")[2]
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + gone + len(tail) == len(text)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("enter", "Enter"),
        ("Esc", "Escape"),
        ("down", "ArrowDown"),
        ("ArrowDown", "ArrowDown"),
        ("ctrl + A", "Control+a"),
        ("Ctrl-S", "Control+s"),
        ("Control+Shift+T", "Control+Shift+T"),
        ("cmd+c", "Meta+c"),
        ("Space key", "Space"),
        ("f5", "F5"),
        ("a", "a"),
        ("+", "+"),
        (" ", "Space"),
    ],
)
def test_keys_are_named_as_the_browser_does(said: str, name: str) -> None:
    assert key_name(said) == name


@pytest.mark.parametrize(
    ("url", "domains", "ok"),
    [
        ("http://shop.test/cart", (), True),
        ("http://shop.test/cart", ("shop.test",), True),
        ("http://www.shop.test", ("shop.test",), True),
        ("http://www.shop.test", ("*.shop.test",), True),
        ("http://evil-shop.test", ("shop.test",), False),
        ("http://shop.test.evil.test", ("shop.test",), False),
        ("http://shop.test@evil.test/", ("shop.test",), False),
        ("http://127.0.0.1:8000/", ("127.0.0.1:8000",), True),
        ("http://127.0.0.1:8001/", ("127.0.0.1:8000",), False),
        ("about:blank", ("shop.test",), True),
        ("HTTP://SHOP.TEST/", ("Shop.Test",), True),
    ],
)
def test_a_host_is_allowed_if_it_is_a_domain_or_below_one(url: str, domains: tuple[str, ...], ok: bool) -> None:
    assert allowed(url, domains) is ok


def test_addresses_are_completed_and_only_web_addresses_are_taken() -> None:
    assert address("/cart", "http://shop.test/login?x=1") == "http://shop.test/cart"
    assert address("?page=2", "http://shop.test/list") == "http://shop.test/list?page=2"
    assert address("localhost:8000/x") == "http://localhost:8000/x"
    assert address("https://shop.test") == "https://shop.test"
    assert address("//[shop", "http://shop.test/") == "//[shop"
    for url in ("file:///etc/passwd", "javascript:alert(1)", "/cart", "mailto:a@b.test"):
        with pytest.raises(DeviceRefused, match="is not a web address"):
            checked(url, ())
    with pytest.raises(DeviceRefused, match="not among the allowed hosts"):
        checked("http://evil.test/", ("shop.test",))


@pytest.mark.parametrize(
    ("seen", "expected", "is_so"),
    [
        ("★★★☆☆", "3", True),
        ("✔️", "Yes", True),
        ("★★★☆☆", "★★★☆☆", False),
        ("★★★☆☆ 3.0", "3", False),
        ("—", "3", False),
        ("", "3", False),
        ("$", "3", False),
    ],
)
def test_signs_alone_are_not_compared_with_words(seen: str, expected: str, is_so: bool) -> None:
    assert is_told_by_signs(seen, expected) is is_so

"""A quote from a field that the step itself has filled shows what was typed, and nothing of the product."""

import pytest

from muster_devices.screen import Element, Place, Screen
from muster_subagent.tools.quotes import is_own_input

MILK = "Buy milk"
FIELD = Element(role="textbox", name="What needs to be done?", value=MILK, text=MILK)


def screen(*elements: Element, title: str = "todos") -> Screen:
    return Screen(place=Place(address="http://s/", title=title), version=1, elements=elements)


@pytest.mark.parametrize("quote", [MILK, "buy milk", "milk", f'textbox "What needs to be done?": {MILK}'])
def test_what_a_filled_field_alone_shows_is_own_input(quote: str):
    assert is_own_input(quote, [MILK], ["todos", MILK], screen(FIELD))


def test_a_row_that_is_called_like_the_field_in_it_is_no_other_place():
    row = Element(role="row", name=f"{MILK} ×")
    assert is_own_input(MILK, [MILK], [MILK], screen(row, FIELD))


@pytest.mark.parametrize(
    ("quote", "lines", "elements"),
    [
        (MILK, ["todos", MILK, MILK], (FIELD,)),
        (MILK, [MILK], (Element(role="listitem", name="", text=MILK),)),
        ("1 item left", ["1 item left", MILK], (FIELD,)),
        (MILK, [f"{MILK} added", MILK], (FIELD,)),
        ("milk bottle", [MILK], (FIELD, Element(role="img", name="milk bottle"))),
        ("", [MILK], (FIELD,)),
    ],
)
def test_what_the_product_shows_beside_the_field_is_not(quote: str, lines: list[str], elements: tuple[Element, ...]):
    assert not is_own_input(quote, [MILK], lines, screen(*elements))


def test_what_a_field_held_before_is_the_products():
    assert not is_own_input(MILK, ["Buy bread"], [MILK], screen(FIELD))
    assert not is_own_input(MILK, [], [MILK], screen(FIELD))

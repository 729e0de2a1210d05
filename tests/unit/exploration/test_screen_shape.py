"""What makes two screens the same state, and what does not."""

import pytest

from muster_exploration.abstraction import abstract_address, abstract_text, is_sequence
from muster_exploration.screen_shape import Part, shape_of

BASE = "http://app.test"


def listed(names: list[str], folder: str = "/product/", *, level: int = 0) -> list[Part]:
    parts = [Part("list", "", level)]
    for number, name in enumerate(names, 1):
        parts += [
            Part("listitem", "", level + 1),
            Part("heading", name, level + 2),
            Part("link", name, level + 2, f"{BASE}{folder}{number}"),
            Part("button", "Add to cart", level + 2),
        ]
    return parts


def test_a_longer_list_with_other_rows_is_the_same_state() -> None:
    short, long = listed(["Mug", "Cup"]), listed([f"Thing {number}" for number in range(40)])
    assert shape_of(short, BASE).id == shape_of(long, BASE).id != shape_of([], BASE).id


def test_one_row_is_a_list_as_well() -> None:
    assert shape_of(listed(["Mug"]), BASE).id == shape_of(listed(["Cup", "Jar"]), BASE).id


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Cart (2)", "Cart (15)"),
        ("Order of 24 December 2026", "Order of 3 May 2027"),
        ("Order of Dec 24, 2026", "Order of May 3, 2027"),
        ("Ticket 8f14e45f-ceea-467a-9d3b-1c2d3e4f5a6b", "Ticket 11111111-ceea-467a-9d3b-1c2d3e4f5a6b"),
        ("Updated 12:07:31", "Updated 03:00:02"),
    ],
)
def test_numbers_dates_and_ids_tell_no_states_apart(one: str, two: str) -> None:
    assert abstract_text(one) == abstract_text(two)
    screens = [shape_of([Part("heading", name, 0), Part("button", name, 0)], BASE) for name in (one, two)]
    assert screens[0].id == screens[1].id
    assert screens[0].exact != screens[1].exact


def test_words_of_headings_controls_and_addresses_do() -> None:
    about, terms = [Part("heading", "About", 0)], [Part("heading", "Terms", 0)]
    same = [Part("heading", "Info", 0)]
    ids = {shape_of(about, BASE).id, shape_of(terms, BASE).id, shape_of(same, f"{BASE}/a").id}
    ids |= {shape_of(same, f"{BASE}/b").id, shape_of(same, f"{BASE}/#/b").id, shape_of(same, f"{BASE}/?view=list").id}
    assert len(ids) == 6


def test_a_menu_of_few_different_entries_is_no_list() -> None:
    def menu(*names: str) -> list[Part]:
        entries = [(Part("listitem", "", 1), Part("link", name, 2, f"{BASE}/{name.lower()}")) for name in names]
        return [Part("list", "", 0), *(part for entry in entries for part in entry)]

    assert shape_of(menu("Home", "Cart"), BASE).id != shape_of(menu("Home", "Cart", "Admin"), BASE).id


def test_what_is_typed_checked_or_said_in_passing_makes_no_state() -> None:
    empty = [Part("textbox", "Name", 0), Part("checkbox", "Gift", 0)]
    filled = [
        Part("textbox", "Name", 0, value="Ada"),
        Part("checkbox", "Gift", 0, checked=True),
        Part("alert", "Oh", 0),
    ]
    assert shape_of(empty, BASE).id == shape_of(filled, BASE).id


def test_an_open_dialog_and_a_disabled_button_do() -> None:
    shut = [Part("button", "Save", 0)]
    ids = {shape_of(shut, BASE).id, shape_of([*shut, Part("dialog", "Sure?", 0)], BASE).id}
    assert len(ids | {shape_of([Part("button", "Save", 0, enabled=False)], BASE).id}) == 3


def test_pages_that_differ_in_numbers_of_their_address_are_kin() -> None:
    one, two = (shape_of([Part("heading", "Item", 0)], f"{BASE}/item/{number}") for number in (7, 8))
    assert one.kin == two.kin
    assert one.id != two.id


@pytest.mark.parametrize(
    ("address", "abstract"),
    [
        ("http://a.test/orders/1001/lines/2", "http://a.test/orders/#/lines/#"),
        ("http://a.test/list?page=3&sort=price", "http://a.test/list?page=#,sort=price"),
        ("http://a.test/x?q=my+cat", "http://a.test/x?q=#"),
        ("http://a.test", "http://a.test/"),
        ("http://a.test/t/k3jd92kfj3kd93kd/", "http://a.test/t/#"),
        ("http://a.test/page#top", "http://a.test/page"),
    ],
)
def test_addresses_without_ids(address: str, abstract: str) -> None:
    assert abstract_address(address) == abstract


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (["/list?page=4", "/list?page=2", "/cart"], True),
        (["/list?page=4"], True),
        (["/list?page=4", "/list?page=9", "/list?page=1"], True),
        (["/list?page=7", "/list?page=9", "/list?page=1"], False),
        (["/cart"], True),
    ],
)
def test_a_sequence_leads_to_the_next_and_the_previous_alone(links: list[str], expected: bool) -> None:
    assert is_sequence("http://a.test/list?page=3", links) is expected

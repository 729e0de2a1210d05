"""Which acts a written action demands, and on what; and which acts do not carry it out though something was done."""

import random
from collections.abc import Callable, Sequence
from typing import get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from stated import act

from muster_evidence.action_demands import VERBS, demands, find_unbound
from muster_protocol.facts import Act, Does

MILK = "Buy milk"
TICK = act("check", element=MILK)
SWEEP = act("click", element="Clear completed")
WIPE = act("click", element="×", within=MILK)
ENTER = act("press", key="Enter")


def typed(text: str, field: str) -> Act:
    return act("type", element=field, text=text)


CARRIED_OUT: list[tuple[str, list[Act]]] = [
    ('Click "Save"', [act("click", element="Save")]),
    ('As a careful visitor would, take care of this: Click the "Save" button', [act("click", element="Save")]),
    ('Click "Cart"', [act("click", element="Cart (2)")]),
    ('Click "OK" in the dialog', [act("dialog", accept=True)]),
    ('Click "Delete" next to "Mug"', [act("click", element="Delete", within="Mug")]),
    ('In the row "Mug", click "Delete"', [act("click", element="Delete", within="Mug")]),
    ('On the "Settings" page click "Save"', [act("click", element="Save")]),
    ('Click the row "Mug"', [act("click", element="open", within="Mug")]),
    ('Tick "Buy milk"', [TICK]),
    ('Tick "Buy milk"', [act("click", element="", role="checkbox", within=MILK)]),
    ('Check the box "Buy milk"', [TICK]),
    ('Delete the todo "Buy milk"', [act("hover", element=MILK), WIPE]),
    ('Delete the todo "Buy milk"', [TICK, act("click", element="Delete selected")]),
    ('Add the todo "Buy milk"', [typed(MILK, "What needs to be done?"), ENTER]),
    ('Type "2" into "Quantity" and press "Enter"', [typed("2", "Quantity"), ENTER]),
    ('Type "2" into "Quantity"', [act("click", element="Quantity"), act("press", key="2")]),
    ('Type "a" into "X" and "b" into "Y"', [typed("b", "Y"), typed("a", "X")]),
    ('Press "ctrl + A" in "Search"', [act("press", key="Control+a", element="Search")]),
    ('Select "Red" in "Colour"', [act("select", element="Colour", options=["Red"])]),
    ('Select "Red" in "Colour"', [act("click", element="Colour"), act("click", element="Red", role="option")]),
    ('Click "A", "B" and "C"', [act("click", element=name) for name in "ABC"]),
    ('Double-click "Mug"', [act("double_click", element="Mug")]),
    ('Right-click "Mug"', [act("browser_right_click", element="Mug")]),
    (
        'Hover over "Menu", then click the "Log out" link',
        [act("hover", element="Menu"), act("click", element="Log out")],
    ),
    ('Upload "cat.png" to "Photo"', [act("browser_upload", element="Photo", files=["cat.png"])]),
    ("Scroll down", [act("scroll", direction="down")]),
    ('Scroll until "Terms" is visible', [act("press", key="PageDown")]),
    ('Log in as "ada" with "${secret:PIN}"', [typed("ada", "User"), typed("${secret:PIN}", "PIN"), ENTER]),
    ('Open "${base}/cart"', [act("browser_navigate", url="http://s/cart")]),
    ('Run the command "make test"', [act("execute_command", command="make test")]),
    ('Click "Save" and check that "Saved" is shown', [act("click", element="Save")]),
    ('Remember the price of "Mug" as ${price} and click "Buy"', [act("click", element="Buy")]),
    ('Wait until "Done" is visible, then click "Next"', [act("click", element="Next")]),
    ("Get rid of the banner", [act("click", element="Accept")]),
]
NOT_CARRIED_OUT: list[tuple[str, list[Act]]] = [
    ('Click "Save"', []),
    ('Click "Save"', [act("execute_command", command="true")]),
    ('Click "Save"', [act("execute_command", command="echo Save")]),
    ('Click "Save"', [act("http_request", method="POST", url="http://s/Save")]),
    ('Click "Save"', [act("browser_navigate", url="http://s/Save")]),
    ('Click "Save"', [typed("Save", "Search")]),
    ('Click "Save"', [act("hover", element="Save")]),
    ('Click "Save"', [act("press", key="Enter")]),
    ('Click "Save"', [act("click", element="Cancel")]),
    ('Click "Save"', [act("click", element="Cancel", within="Save")]),
    ('Click "Save"', [replace(act("click", element="Save"), status="error")]),
    ('Click "Save"', [replace(act("click", element="Save"), status="unknown")]),
    ('Click "Save"', [act("click", element="Save", ref="e7")]),
    ('Click "Delete" next to "Mug"', [act("click", element="Delete", within="Lamp"), act("click", element="Mug")]),
    ('In the row "Mug", click "Delete"', [act("click", element="Delete", within="Lamp")]),
    ('Tick "Buy milk"', [WIPE]),
    ('Tick "Buy milk"', [act("check", element="Buy bread")]),
    ('Delete the todo "Buy milk"', [TICK, SWEEP]),
    ('Delete the todo "Buy milk"', [act("click", element=MILK, role="checkbox"), SWEEP]),
    ('Delete the todo "Buy milk"', [act("click", element="×", within="Buy bread")]),
    ('Type "2" into "Quantity"', [typed("2", "Search"), act("click", element="Quantity")]),
    ('Type "2" into "Quantity"', [typed("20", "Quantity")]),
    ('Click "Save"', [act("click", element="Save a copy")]),
    ('Tick "Buy milk"', [act("check", element="Buy milk and eggs")]),
    ('Delete the todo "Buy milk"', [act("click", element="×", within="Buy milk and eggs")]),
    ('Type "milk" into "Todo"', [typed("milk and eggs", "Todo")]),
    ('Type "a" into "X" and "b" into "Y"', [typed("a", "Y"), typed("b", "X")]),
    ('Select "Red" in "Colour"', [act("select", element="Colour", options=["Blue"])]),
    ('Select "Red" in "Colour"', [act("select", element="Size", options=["Red"])]),
    ('Double-click "Mug"', [act("click", element="Mug")]),
    ('Right-click "Mug"', [act("click", element="Mug")]),
    ('Hover over "Menu"', [act("click", element="Menu")]),
    ('Drag "Mug" to the "Cart"', [act("click", element="Mug"), act("click", element="Cart")]),
    ("Scroll down", [act("click", element="Down")]),
    ('Upload "cat.png"', [typed("cat.png", "Photo")]),
    ('Click "A", "B" and "C"', [act("click", element=name) for name in "AB"]),
    ('Buy the "Mug"', [act("click", element="Buy", within="Lamp")]),
    ('Open the order "4711"', [act("browser_navigate", url="http://s/orders/4712")]),
    ('Click "Save" and press "Enter"', [act("click", element="Save")]),
]


@pytest.mark.parametrize(("action", "acts"), CARRIED_OUT)
def test_acts_of_that_kind_on_what_is_named_carry_a_step_out(action: str, acts: Sequence[Act]):
    assert find_unbound(action, acts, {"base": "http://s"}) == ""


@pytest.mark.parametrize(("action", "acts"), NOT_CARRIED_OUT)
def test_acts_of_another_kind_or_on_something_else_do_not(action: str, acts: Sequence[Act]):
    assert find_unbound(action, acts, {}).startswith("the step says to ")


def test_what_a_call_by_ref_acts_on_is_what_the_device_knew():
    by_ref = act("click", element="Save", ref="e7")
    assert by_ref.target == ()
    assert find_unbound('Click "Save"', [replace(by_ref, target=("Save",), role="button")], {}) == ""
    assert find_unbound('Click "Save"', [replace(by_ref, target=("Delete",), role="button")], {})


def test_every_kind_of_act_that_a_verb_names_is_one():
    assert {does for verb in VERBS for does in verb.does or ()} <= set(get_args(Does)) - {"unknown"}


NAMES = st.text("bcdfgh ÄßéØ", min_size=1, max_size=12).map(str.strip).filter(bool)
SENTENCES: tuple[tuple[str, Callable[[str, str], list[Act]]], ...] = (
    ('Click "{0}"', lambda a, b: [act("click", element=a)]),
    ('Click "{0}" next to "{1}"', lambda a, b: [act("click", element=a, within=b)]),
    ('Type "{0}" into "{1}"', lambda a, b: [typed(a, b)]),
    (
        'Select "{0}" in "{1}" and click "{0}"',
        lambda a, b: [act("select", element=b, options=[a]), act("click", element=a)],
    ),
    (
        'Delete the item "{0}", then click "{1}"',
        lambda a, b: [act("click", element="Delete", within=a), act("click", element=b)],
    ),
)


@given(NAMES, NAMES, st.sampled_from(SENTENCES), st.randoms(use_true_random=False))
def test_any_names_bind_and_a_failed_or_missing_act_never_does(
    one: str, two: str, sentence: tuple[str, Callable[[str, str], list[Act]]], chance: random.Random
):
    assume(one not in two and two not in one)
    action = sentence[0].format(one, two)
    acts = sentence[1](one, two)
    noise = [act("click", element="zzz"), act("execute_command", command="true"), act("scroll")]
    assert find_unbound(action, [*noise, *acts, *noise], {}) == ""
    lost = chance.randrange(len(acts))
    without = [*acts[:lost], replace(acts[lost], status="error"), *acts[lost + 1 :]]
    assert find_unbound(action, [*noise, *without, *noise], {})


@given(st.text(max_size=300) | st.text("⟦⟧01\"'` clickandtype,", max_size=60))
def test_it_is_total(action: str):
    demands(action)
    find_unbound(action, [TICK, SWEEP], {})


def test_its_time_grows_with_the_length_and_not_faster():
    for piece in ('click "a" and ', "enter and write in ", "and ", "⟦ ", 'on the "x" page ', '"a", '):
        assert len(demands(piece * 4_000)) <= 4_000


@pytest.mark.parametrize(
    ("action", "acts", "met"),
    [
        ('Archive the message "Rent"', [act("click", element="Archive", within="Rent")], True),
        ('Archive the message "Rent"', [act("type", element="Find", text="Rent")], False),
        ('Archive "Rent"', [act("type", element="Find", text="Rent"), act("click", element="Archive")], False),
        ('Archive "Rent"', [act("hover", element="Rent"), act("click", element="Archive", within="Gym")], False),
        ('Delete "Rent"', [act("type", element="Find", text="Rent"), act("click", element="Delete")], False),
        ('Delete "Rent"', [act("click", element="Rent"), act("click", element="Delete")], True),
        (
            'Buy "2" of "Mug"',
            [act("type", element="Pieces", text="2"), act("click", element="Buy", within="Mug")],
            True,
        ),
        ('Book a seat for "Ann"', [act("type", element="Name", text="Ann"), act("click", element="Book")], True),
        ('Search the shop for "Mug"', [act("type", element="Search", text="Mug")], True),
        ('Add the todo "Milk"', [act("type", element="New", text="Milk"), act("press", key="Enter")], True),
        ('Archive "Rent"', [act("click", element="Delete", within="Rent")], False),
        ('Clear the cart of "Mug"', [act("click", element="Remove", within="Mug")], True),
    ],
)
def test_what_a_step_names_is_acted_on_where_it_is_and_not_by_typing_its_name(action: str, acts: list[Act], met: bool):
    assert (find_unbound(action, acts, {}) == "") is met

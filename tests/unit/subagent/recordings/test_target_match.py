"""Exactly one element of a screen may be the recorded target."""

import pytest

from muster_devices.observations import ElementsSeen
from muster_devices.screen import Element, Place, States
from muster_protocol.step_recordings import Described
from muster_subagent.recordings.target_match import Found, Missed, find_target

REMOVE = Described(role="button", name="Remove", place="Backpack", beside=("Backpack", "Bike"))
EDIT = Described(role="button", name="Edit", place="Ada", beside=("Remove", "Remove"))
SAVE = Described(role="button", name="Save", beside=("Name", "Cancel"))


def seen(*elements: Element) -> ElementsSeen:
    return ElementsSeen(version=1, place=Place(address="http://x"), matches=elements, total=len(elements))


def button(name: str = "Remove", place: str = "", beside: tuple[str, ...] = (), **more: object) -> Element:
    return Element(role="button", name=name, place=place, beside=beside, **more)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("target", "elements", "number"),
    [
        (REMOVE, [button(place="Bike"), button(place="Backpack")], 2),
        (REMOVE, [button(place="Rucksack", beside=("Backpack", "Bike"))], 1),
        (SAVE, [button("save")], 1),
        (SAVE, [button("Save", place="Profile", beside=("Name", "Cancel"))], 1),
        (SAVE, [button("Save", beside=("Name", "Cancel")), button("Save", place="Newsletter")], 1),
    ],
    ids=["by its part", "part renamed", "letters", "wrapped", "a second one elsewhere"],
)
def test_a_target_is_found_again(target: Described, elements: list[Element], number: int):
    found = find_target(target, seen(*elements))
    assert isinstance(found, Found), found
    assert found.number == number


@pytest.mark.parametrize(
    ("target", "elements", "reason"),
    [
        (REMOVE, [], "none"),
        (REMOVE, [button("Delete", place="Backpack")], "none"),
        (REMOVE, [button(place="Bike", beside=("Bike", "Total"))], "changed"),
        (EDIT, [button("Edit", place="Bob", beside=EDIT.beside)], "changed"),
        (SAVE, [button("Save", framed=True)], "changed"),
        (SAVE, [button("Save", place="Newsletter", beside=("Mail", "Imprint"))], "changed"),
        (REMOVE, [button(place="Backpack"), button(place="Backpack")], "changed"),
        (REMOVE, [button(place="Backpack", beside=REMOVE.beside)] * 2, "ambiguous"),
        (REMOVE, [button(place="Backpack", hidden=True)], "not_eligible"),
        (REMOVE, [button(place="Backpack", states=States(enabled=False))], "not_eligible"),
    ],
    ids=[
        "gone",
        "renamed",
        "another row's",
        "the next row's",
        "a frame's",
        "another part's",
        "twice, moved",
        "twice",
        "hidden",
        "disabled",
    ],
)
def test_a_target_that_is_not_certain_is_a_miss_with_its_reason(
    target: Described, elements: list[Element], reason: str
):
    missed = find_target(target, seen(*elements))
    assert isinstance(missed, Missed)
    assert missed.reason == reason


def test_more_elements_than_are_told_of_are_ambiguous():
    many = ElementsSeen(version=1, place=Place(address=""), matches=(button(place="Backpack"),), total=40)
    missed = find_target(REMOVE, many)
    assert isinstance(missed, Missed)
    assert missed.reason == "ambiguous"


def test_an_icon_without_a_name_is_known_by_its_other_words():
    icon = Described(role="button", aliases=("cart-icon",))
    assert isinstance(find_target(icon, seen(button("", aliases=("cart-icon", "x")))), Found)
    assert isinstance(find_target(icon, seen(button("", aliases=("heart-icon",)))), Missed)


def test_a_part_that_is_known_by_what_is_in_it_is_the_same_in_any_order():
    field = Described(role="textbox", name="Name", place="Mail Send")
    assert isinstance(find_target(field, seen(Element(role="textbox", name="Name", place="Send Name Mail"))), Found)
    assert isinstance(find_target(field, seen(Element(role="textbox", name="Name", place="Search Name Go"))), Missed)

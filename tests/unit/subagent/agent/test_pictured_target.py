"""Which elements that a picture shows fit a step: by name where there is one, else by what was read."""

from typing import Any

import pytest

from muster_protocol.detector_work import Located, PicturedElement
from muster_protocol.tool_calls import Box, Touched
from muster_subagent.agent.picture_detection import (
    BoxAnswer,
    Detection,
    ElementAnswer,
    alternatives_of,
    find_refusal,
    size_of,
)
from muster_subagent.agent.pictured_target import find_misfit

BOX = Box(x=10, y=10, width=40, height=20)
SIZE = (1280, 720)


def located(known: Touched | None = None, **seen: Any) -> Located:
    return Located(seen=PicturedElement(box=BOX, confidence=0.9, **seen), known=known)


def named(name: str, role: str = "button") -> Touched:
    return Touched(role=role, names=(name,))


@pytest.mark.parametrize(
    ("action", "found"),
    [
        ('Click the "Start" button', located(named("Start"))),
        ('Click "Cart"', located(named("Cart (2)"))),
        ("Press the yellow cart symbol", located(named("Basket"))),
        ('Click the "Start" button', located(type="button", text="START")),
        ("Click the green button", located(type="button", attributes={"colour": "green"})),
        ("Click the green button", located(Touched(unnamed=True, native="div"), attributes={"colour": "Green"})),
        ('Double-click "Map"', located(text="Map")),
        ('Click "Delete"', located(named("Delete"))),
        ('Click "${what}"', located(named("Ada"))),
    ],
)
def test_what_has_the_name_or_the_description_fits(action: str, found: Located):
    assert find_misfit(action, found, {"what": "Ada"}) == ""


@pytest.mark.parametrize(
    ("action", "found"),
    [
        ('Click the "Start" button', located(named("Quit"), text="Start")),  # what the device knows counts
        ('Click the "Start" button', located(named("Restart"))),
        ('Click the "Start" button', located(type="button")),
        ('Click the "Start" button', located(text="Quit")),
        ("Click the green button", located(type="button", attributes={"colour": "red"})),
        ("Click the green button", located()),
        ("Press the cart symbol", located(named("Delete all"))),
        ("Press the cart symbol", located(named("Pay now"))),
        ("Press the cart symbol", located(type="cart", text="Pay now")),
        ('Type "x" into the "Name" field', located(named("Name", "textbox"))),
        ('Hover over "Menu"', located(named("Menu"))),
        ('Click "A" and click "B"', located(named("B"))),
        ("", located(named("A"))),
    ],
)
def test_a_decoy_and_what_is_not_pointed_at_first_do_not(action: str, found: Located):
    assert find_misfit(action, found, {})


def answer(box: BoxAnswer | None = None, confidence: float = 0.9, *others: ElementAnswer) -> Detection:
    element = ElementAnswer(box or BoxAnswer(10, 10, 40, 20), confidence, "button", "Start", [])
    return Detection(True, element, list(others))


NOT_A_NUMBER, ENDLESS = float("nan"), float("inf")


@pytest.mark.parametrize(
    "wrong",
    [
        Detection(found=False, element=None, alternatives=[]),
        Detection(found=True, element=None, alternatives=[]),
        answer(BoxAnswer(NOT_A_NUMBER, 10, 40, 20)),
        answer(BoxAnswer(10, 10, ENDLESS, 20)),
        answer(BoxAnswer(10, 10, -40, 20)),
        answer(BoxAnswer(10, 10, 40, 0)),
        answer(BoxAnswer(-50, 10, 40, 20)),
        answer(BoxAnswer(1270, 10, 40, 20)),
        answer(BoxAnswer(0, 0, 1280, 720)),
        answer(None, NOT_A_NUMBER),
        answer(None, -0.1),
        answer(None, 0.59),
        answer(None, 1.1),
        answer(None, 0.9, ElementAnswer(BoxAnswer(500, 10, 40, 20), 0.9, "button", "Start", [])),
    ],
)
def test_what_a_model_may_make_up_is_refused(wrong: Detection):
    assert find_refusal(wrong, SIZE)


def test_alternatives_that_are_less_sure_or_in_the_same_place_are_told_and_refuse_nothing():
    less = ElementAnswer(BoxAnswer(500, 10, 40, 20), 0.5, "icon", "Stop", [])
    same = ElementAnswer(BoxAnswer(12, 12, 36, 16), 0.95, "icon", "Start", [])
    outside = ElementAnswer(BoxAnswer(9000, 10, 40, 20), 0.99, "icon", "Stop", [])
    found = answer(None, 0.9, less, same, outside)
    assert find_refusal(found, SIZE) == ""
    assert [it.text for it in alternatives_of(found, SIZE)] == ["Stop", "Start"]


def test_the_size_of_a_picture_is_read_from_it():
    png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (1280).to_bytes(4) + (720).to_bytes(4)
    assert size_of(png) == SIZE

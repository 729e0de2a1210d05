"""Sentences about an element, as `muster look` proposes them; and the case that tried sentences make up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_cases.case_loader import load_text
from muster_cli.page_sentences import NOUNS, Spot, actions, claim, page_claims, probe, spots, text_claim, wordings
from muster_cli.tried_case import TriedStep, case_text
from muster_devices.screen import Element, Place, States
from muster_grammar import parse_action, parse_expectation
from muster_protocol.requests import TestCase

STATES = (States(), States(enabled=False), States(checked=True), States(readonly=True))


def element(role: str, name: str = "It", **fields: object) -> Element:
    return Element(role=role, name=name, value="old", options=("old", "new"), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("role", sorted(NOUNS))
@pytest.mark.parametrize("states", STATES)
def test_each_proposal_for_each_kind_of_element_is_a_phrase(role: str, states: States):
    one = element(role, states=states)
    (what, *_) = wordings(one, Spot())
    for action in (probe(what), *actions(one, what)):
        (call,) = parse_action(action)
        assert "It" in call.arguments.values()
    assert parse_expectation(claim(one, what))


def test_what_can_be_done_and_what_is_so_follow_from_the_state():
    box = element("checkbox", states=States(checked=True))
    assert [*actions(box, "the box"), claim(box, "the box")] == ["Uncheck the box", "The box is checked"]
    assert list(actions(element("button", states=States(enabled=False)), "the X")) == []
    assert list(actions(element("combobox"), "the X")) == ['Select "new" in the X']
    assert claim(element("textbox"), "the X") == 'The X has the value "old"'
    assert claim(element("textbox", secret=True), "the X") == "The X is visible"


def test_the_second_of_a_name_is_told_by_what_holds_it():
    screen = [
        Element(role="list"),
        *(Element(role="listitem", level=1), Element(role="heading", name="Backpack", level=2)),
        *(Element(role="button", name="Add", level=2), Element(role="listitem", level=1)),
        *(Element(role="heading", name="Light", level=2), Element(role="button", name="Add", level=2)),
    ]
    found = list(spots(screen))
    assert (found[3].places, found[6].places, found[6].number) == (("Backpack",), ("Light",), 2)
    assert list(wordings(screen[6], found[6])) == [
        'the "Add" button',
        'the "Add" button in the "Light" item',
        'the second "Add" button',
    ]


def test_what_has_no_name_has_no_wording_and_a_page_its_title_and_path():
    assert list(wordings(element("button", ""), Spot())) == []
    assert list(page_claims(Place(address="http://h/cart?x", title="Cart"))) == [
        'The page title is "Cart"',
        'The URL contains "/cart"',
    ]
    assert list(page_claims(Place(address="http://h/"))) == []


NASTY = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=30)


@given(NASTY)
def test_any_name_is_read_back_as_it_is(name: str):
    one = element("button", name)
    (what, *_) = wordings(one, Spot())
    (call,) = parse_action(next(actions(one, what)))
    assert call.arguments["element"] == name
    (check,) = parse_expectation(text_claim(name))
    assert name in check.arguments.values()


@given(NASTY, NASTY)
def test_the_case_of_tried_sentences_is_read_as_it_was_typed(action: str, value: str):
    steps = [
        TriedStep("Press Tab"),
        TriedStep(action, ["One is so.", "two is so"], stands_for=['Open "${base}/${secret:PIN}"']),
    ]
    (loaded,) = load_text(case_text("A: 'b'", steps, {"base": value, "other": "x"}))
    job = loaded.request.job
    assert isinstance(job, TestCase)
    assert (job.name, job.variables, job.secrets) == ("A: 'b'", {"base": value}, ("PIN",))
    assert [(step.action, step.expected) for step in job.steps] == [
        ("Press Tab", ""),
        (action, "One is so and two is so"),
    ]

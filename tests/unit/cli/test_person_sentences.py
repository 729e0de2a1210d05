"""What a person did becomes sentences that are read, and what no sentence says is told."""

import pytest

from muster_cli.person_sentences import write_steps
from muster_devices.screen import Element
from muster_devices.web.person_recorder import PersonAct
from muster_grammar import parse_action, parse_expectation

SITE = "http://shop.test"
SHOWN = PersonAct(kind="shown", title="Shop", shown=("Welcome",))


def button(name: str = "Add", *, place: str = "", number: int = 1, total: int = 1, here: int = 1) -> PersonAct:
    element = Element(role="button", name=name, place=place)
    return PersonAct(kind="click", element=element, number=number, total=total, here=here)


def enter(name: str, value: str, role: str = "textbox", *, secret: bool = False) -> PersonAct:
    return PersonAct(kind="enter", element=Element(role=role, name=name, secret=secret), value=value)


def actions(*acts: PersonAct) -> list[str]:
    return [step.action for step in write_steps(f"{SITE}/a", SITE, acts).steps[1:]]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (button(), 'Click the "Add" button'),
        (button(place="Mug", number=2, total=2), 'Click the "Add" button in "Mug"'),
        (button(place="Mug Add", number=2, total=2), 'Click the "Add" button in "Mug"'),
        (button(place="Mug", number=2, total=2, here=2), 'Click the second "Add" button'),
        (enter("Name", 'Ann "A"'), 'Type "Ann \\"A\\"" into the "Name" field'),
        (enter("Name", ""), 'Clear the "Name" field'),
        (enter("Your PIN", "", secret=True), 'Type "${secret:YOUR_PIN}" into the "Your PIN" field'),
        (enter("Volume", "30", role="slider"), 'Set the "Volume" slider to "30"'),
        (
            PersonAct(kind="select", element=Element(role="combobox", name="Plan"), value="a\nb"),
            'Select "a" and "b" in the "Plan" dropdown',
        ),
        (PersonAct(kind="check", element=Element(role="radio", name="Fast")), 'Check the "Fast" radio button'),
        (
            PersonAct(kind="press", element=Element(role="searchbox", name="Search"), value="Enter"),
            'Press Enter in the "Search" field',
        ),
    ],
)
def test_each_act_is_a_sentence_that_is_read(act: PersonAct, sentence: str):
    assert actions(act) == [sentence]
    assert parse_action(sentence)


def test_of_several_texts_in_a_field_the_last_one_counts():
    assert actions(enter("Name", "A"), enter("Name", "Ann"), button("Go"), enter("Name", "Bob")) == [
        'Type "Ann" into the "Name" field',
        'Click the "Go" button',
        'Type "Bob" into the "Name" field',
    ]


def test_a_dialog_belongs_to_the_act_that_opened_it():
    dialog = PersonAct(kind="dialog", value="dismiss", shown=("Really?",))
    [_, step] = write_steps(f"{SITE}/a", SITE, [button("Send"), dialog]).steps
    assert (step.action, step.expected) == (
        'Click the "Send" button and dismiss the dialog',
        ['A dialog says "Really?"'],
    )
    assert parse_action(step.action)


def test_what_is_new_on_the_page_is_suggested_as_an_expectation():
    after = PersonAct(kind="shown", title="Cart", shown=("Welcome", "Mug added\nUndo"))
    opened, added = write_steps(f"{SITE}/a", SITE, [SHOWN, button(), after]).steps
    assert (opened.action, opened.expected) == (
        'Open "${base_url}/a"',
        ['The page title is "Shop"', 'The text "Welcome" is visible'],
    )
    assert added.expected == ['The page title is "Cart"', 'The text "Mug added" is visible']
    assert parse_expectation(" and ".join(added.expected))


@pytest.mark.parametrize(
    "act",
    [
        button(""),
        button("x" * 200),
        button("Pay ${secret:PIN}"),
        enter("Name", "${secret:PIN}"),
        PersonAct(kind="select", element=Element(role="combobox", name="P")),
        enter("Notes", "two\nlines", "textbox"),
    ],
)
def test_what_no_sentence_says_is_told(act: PersonAct):
    steps, unsaid = write_steps(f"{SITE}/a", SITE, [act])
    assert len(steps) == 1
    assert unsaid[0].startswith("after step 1: ")


def test_a_page_cannot_write_a_placeholder_into_an_expectation():
    [step] = write_steps(
        f"{SITE}/a", SITE, [PersonAct(kind="shown", title="${secret:PIN}", shown=("${secret:PIN}",))]
    ).steps
    assert not step.expected

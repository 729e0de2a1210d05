"""What a person did becomes sentences that are read, and what no sentence says is told."""

import pytest

from muster_cli.person_sentences import write_steps, written_address
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
        (enter("2FA code", "", secret=True), 'Type "${secret:SECRET_2FA_CODE}" into the "2FA code" field'),
        (enter("Volume", "30", role="slider"), 'Set the "Volume" slider to "30"'),
        (PersonAct(kind="click", element=Element(role="", text="Premium plan")), 'Click the "Premium plan"'),
        (PersonAct(kind="click", element=Element(role="link", name="A"), value="ctrl"), 'Ctrl+click the "A" link'),
        (PersonAct(kind="open", element=Element(role="link", name="A")), 'Open the "A" link in a new tab'),
        (PersonAct(kind="right-click", element=Element(role="row", name="A")), 'Right-click the "A"'),
        (
            PersonAct(
                kind="drag", element=Element(role="listitem", text="A"), onto=Element(role="region", name="Done")
            ),
            'Drag the "A" to the "Done" section',
        ),
        (PersonAct(kind="press", value="Escape"), "Press Escape"),
        (PersonAct(kind="press", value="ctrl+s"), "Press Ctrl+s"),
        (PersonAct(kind="go", value="back"), "Go back"),
        (PersonAct(kind="go", value="forward"), "Go forward"),
        (PersonAct(kind="go", value="reload"), "Reload the page"),
        (PersonAct(kind="go", value=f"{SITE}/b?c"), 'Open "${base_url}/b?c"'),
        (PersonAct(kind="go", value=f"{SITE}.example/b"), f'Open "{SITE}.example/b"'),
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
        PersonAct(kind="click", element=Element(role="", text="x" * 200)),
        PersonAct(kind="click", element=Element(role="link", name="A"), value="ctrl+shift"),
        PersonAct(kind="drag", element=Element(role="", text="Map"), onto=Element(role="", text="Map")),
        PersonAct(kind="go", value=f"{SITE}/${{secret:PIN}}"),
    ],
)
def test_what_no_sentence_says_is_told(act: PersonAct):
    steps, unsaid = write_steps(f"{SITE}/a", SITE, [act])
    assert len(steps) == 1
    assert unsaid[0].startswith("after step 1: ")
    assert steps[0].remarks == [f"not said: {unsaid[0].removeprefix('after step 1: ')}"], "the case tells it, too"


def test_what_comes_of_an_act_that_no_sentence_says_is_expected_of_no_step():
    after = PersonAct(kind="shown", title="Cart", shown=("Mug added",))
    asked = PersonAct(kind="dialog", value="accept", shown=("Really?",))
    steps, unsaid = write_steps(f"{SITE}/a", SITE, [SHOWN, button(""), asked, after])
    assert [(step.action, step.expected) for step in steps] == [
        ('Open "${base_url}/a"', ['The page title is "Shop"', 'The text "Welcome" is visible'])
    ]
    assert unsaid[1] == 'after step 1: accept a dialog that says "Really?"'


def test_only_what_a_page_shows_at_last_is_expected():
    waiting = PersonAct(kind="shown", title="Shop", shown=("Welcome", "Please wait"))
    after = PersonAct(kind="shown", title="Shop", shown=("Welcome", "Mug added"))
    _, added = write_steps(f"{SITE}/a", SITE, [SHOWN, button(), waiting, after]).steps
    assert added.expected == ['The text "Mug added" is visible']


def test_a_message_that_comes_while_a_text_is_typed_belongs_to_that_text():
    short = PersonAct(kind="shown", title="Shop", shown=("Welcome", "Too short"))
    opened, typed = write_steps(f"{SITE}/a", SITE, [SHOWN, enter("Name", "A"), short, enter("Name", "An")]).steps
    assert "Too short" not in " ".join(opened.expected)
    assert typed.expected == ['The text "Too short" is visible']


def test_a_click_is_left_out_where_the_next_act_says_it():
    field = Element(role="textbox", name="Name")
    row = Element(role="row", name="Mug")
    twice = [PersonAct(kind=kind, element=row) for kind in ("click", "click", "double-click")]
    assert actions(PersonAct(kind="click", element=field), enter("Name", "Ann"), *twice) == [
        'Type "Ann" into the "Name" field',
        'Double-click the "Mug"',
    ]
    assert actions(PersonAct(kind="click", element=field), button()) == [
        'Click the "Name" field',
        'Click the "Add" button',
    ]


def test_tabs_are_told_as_a_run_goes_through_them():
    """A tab that a page opens is the current one of a run; one that the person opens is a step."""
    elsewhere = PersonAct(kind="click", element=Element(role="button", name="Use"), tab=2)
    mine = [PersonAct(kind="opened", tab=3, value="own"), PersonAct(kind="go", tab=3, value=f"{SITE}/b")]
    closed = [PersonAct(kind="closed", tab=tab) for tab in (3, 2, 1)]
    assert actions(
        button(), PersonAct(kind="opened", tab=2), elsewhere, button("Back"), *mine, closed[0], elsewhere
    ) == [
        'Click the "Add" button',
        'Click the "Use" button',
        "Switch to tab 1",
        'Click the "Back" button',
        "Open a new tab",
        'Open "${base_url}/b"',
        "Close the tab",
        'Click the "Use" button',
    ]
    assert actions(button(), *mine, *closed) == [
        'Click the "Add" button',
        "Open a new tab",
        'Open "${base_url}/b"',
    ], "closing the window ends the recording"


def test_what_a_page_does_with_its_history_and_window_is_no_act():
    by_page = PersonAct(kind="scripted")
    popup = [PersonAct(kind="opened", tab=2), by_page, PersonAct(kind="closed", tab=2)]
    assert actions(button(), by_page, PersonAct(kind="go", value="back"), *popup, button("On")) == [
        'Click the "Add" button',
        'Click the "On" button',
    ]


def test_the_answer_to_a_prompt_is_written():
    asked = PersonAct(kind="dialog", value="accept\nBob", shown=("Your name?",))
    [_, step] = write_steps(f"{SITE}/a", SITE, [button("Ask"), asked]).steps
    assert step.action == 'Click the "Ask" button and answer the prompt with "Bob"'
    assert parse_action(step.action)


def test_a_password_in_an_address_is_a_secret():
    assert written_address("https://ann:pw@shop.test/a?b") == (
        "https://ann:${secret:SITE_PASSWORD}@shop.test/a?b",
        "https://shop.test",
    )
    assert written_address("http://shop.test:8000") == ("http://shop.test:8000", "http://shop.test:8000")
    typed = PersonAct(kind="go", value=f"http://ann:pw@{SITE.removeprefix('http://')}/b")
    assert actions(typed) == ['Open "http://ann:${secret:SITE_PASSWORD}@shop.test/b"']


def test_a_page_cannot_write_a_placeholder_into_an_expectation():
    [step] = write_steps(
        f"{SITE}/a", SITE, [PersonAct(kind="shown", title="${secret:PIN}", shown=("${secret:PIN}",))]
    ).steps
    assert not step.expected

"""What sentences point at: ordinals, kinds without a name, places, possessives; and which words are refused."""

import pytest

from muster_grammar import PhraseError, UnknownPhrase, parse_action, parse_expectation
from muster_protocol.narrowing import Narrowing, Relation, narrowing_of

POINTED = {
    'the last "Add" button': ("Add", "button", ["last"]),
    "the last row": ("", "row", ["last"]),
    'the 2nd item in the "Orders" table': ("", "row", ["2nd", 'in table "Orders"']),
    'the 2nd item in the "Cart" list': ("", "listitem", ["2nd", 'in "Cart"']),
    "row 3 of the table": ("", "row", ["3rd", "in table"]),
    "the twelfth link": ("", "link", ["12th"]),
    "the first Remove button": ("Remove", "button", ["1st"]),
    "the first name field": ("first name", "", ""),
    "the last page link": ("last page", "link", ""),
    "the search field": ("", "textbox", ["of type search"]),
    "the Search field": ("Search", "", ""),
    '"search" button': ("search", "button", ""),
    "the email input": ("", "textbox", ["of type email"]),
    "the text area": ("", "textbox", ["of type multiline"]),
    "the logo": ("logo", "", ""),
    "the cart icon": ("cart", "icon", ""),
    'the checkbox for "Buy milk"': ("", "checkbox", ['of "Buy milk"']),
    'the "Remove" button for "Backpack"': ("Remove", "button", "Backpack"),
    'the field below "Email"': ("", "field", ['below "Email"']),
    'the button next to the "Name" field': ("", "button", ['next to field "Name"']),
    'the "Save" button under the heading "Profile"': ("Save", "button", ['below heading "Profile"']),
    'the "OK" button in the footer of the dialog': ("OK", "button", ["in contentinfo", "in dialog"]),
    'the link of the third item in the "Cart" list': ("", "link", ["in 3rd listitem", 'in "Cart"']),
    'the cell in the "Price" column of the "Ada" row': ("", "cell", ['in column "Price"', 'in "Ada"']),
    'the "Edit" link above the table': ("Edit", "link", ["above table"]),
    '"Ada"\'s "Edit" link': ("Edit", "link", "Ada"),
    'the element with test id "cart"': ("cart", "test id", ""),
    'the "A" link in the left menu': ("A", "link", ["in menu"]),
    'the "A" link in the Main menu': ("A", "link", "Main"),
    'the "#news" link': ("#news", "link", ""),
    "css=#a>.b": ("#a>.b", "css", ""),
    'css="a > b"': ("a > b", "css", ""),
}
PLAIN = {
    "Click Save in the Account section": {"element": "Save", "within": ["by its whole name", 'in "Account"']},
    "Click on Log out": {"element": "Log out", "within": ["by its whole name"]},
}
NOTHING = (
    "the box",
    "the following link",
    "the first",
    "the second links",
    "the first first link",
    'the "A" button in the box',
    'the "Labels" column in the dialog',
    "first result",
    "anywhere",
    "the name of the column",
    "Terms and Conditions",
    'the "A" link in the "B" row in the "C" table in the "D" card in the "E" form in the "F" card',
)


@pytest.mark.parametrize(("words", "expected"), POINTED.items())
def test_words_point_at_an_element(words: str, expected: tuple[str, str, str | list[str]]):
    [call] = parse_action(f"Click {words}")
    said = {key: value for key, value in zip(("element", "role", "within"), expected, strict=True) if value}
    assert call.arguments == {"element": ""} | said


@pytest.mark.parametrize(("sentence", "arguments"), PLAIN.items())
def test_a_name_alone_counts_as_a_whole(sentence: str, arguments: dict[str, object]):
    assert [call.arguments for call in parse_action(sentence)] == [arguments]


@pytest.mark.parametrize("words", NOTHING)
def test_words_that_tell_no_element_are_refused(words: str):
    with pytest.raises(UnknownPhrase):
        parse_action(f"Click {words}")


@pytest.mark.parametrize("words", ['the second "Price"', "the last row", "css=.price", "the search field"])
def test_a_value_is_remembered_by_its_label_alone(words: str):
    with pytest.raises(UnknownPhrase):
        parse_action(f"Remember {words} as ${{price}}")


@pytest.mark.parametrize(
    "claim",
    [
        'The third "Remove" button is not visible',
        "The search field is not visible",
        "The table is not visible",
        "The logo has disappeared",
        "There is no first row",
        "There is no submit button",
    ],
)
def test_what_a_page_may_never_have_had_proves_nothing_by_its_absence(claim: str):
    with pytest.raises(PhraseError):
        parse_expectation(claim)


@pytest.mark.parametrize(
    ("claim", "call"),
    [
        ('"Backpack"\'s price is "9"', ("check_value", {"element": "price", "within": "Backpack", "value": "9"})),
        (
            'The "Email" column of the row with "Ada" is "x"',
            (
                "check_value",
                {"element": "", "role": "cell", "within": ['in column "Email"', 'of "Ada"'], "value": "x"},
            ),
        ),
        (
            'The field below "Email" has the value "x"',
            ("check_value", {"element": "", "role": "field", "within": ['below "Email"'], "value": "x"}),
        ),
        ("The table has 3 rows", ("check_count", {"element": "", "role": "row", "within": ["in table"], "count": 3})),
        ('The last row contains "Ada"', ("check_text", {"text": "Ada", "within": ["in last row"]})),
        ("The dialog is visible", ("check_dialog", {"text": "", "match": "contains"})),
    ],
)
def test_a_claim_is_about_what_it_points_at(claim: str, call: tuple[str, dict[str, object]]):
    assert [(it.tool, it.arguments) for it in parse_expectation(claim)] == [call]


@pytest.mark.parametrize(
    "narrowing",
    [
        Narrowing(),
        Narrowing(relations=(Relation("in", 'a "b" c'),)),
        Narrowing(ordinal=-1),
        Narrowing(ordinal=113, trait="search", exact=True),
        Narrowing(relations=(Relation("in", "", "row", 2), Relation("below", 'x"', "heading"), Relation("of", "2nd"))),
    ],
)
def test_a_narrowing_is_the_same_after_it_was_said(narrowing: Narrowing):
    assert narrowing_of(narrowing.argument()) == narrowing


@pytest.mark.parametrize("words", ["in", 'in ""', "near the table", "0", 'next to "', "in column", "2"])
def test_words_that_say_no_place_are_an_error(words: str):
    with pytest.raises(ValueError, match="does not say where"):
        narrowing_of([words])

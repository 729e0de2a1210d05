"""What ends a name without quotes and belongs to something else: prepositions, places, nouns for texts, values."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.advice import Role
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten
from muster_grammar.unread_sentences import unread_action


@pytest.mark.parametrize(
    "sentence",
    [
        "Click Text to Image",  # an image called "Text to"
        "Click Save to Table",
        "Click add to list",
        "Click top right cart icon",
        "Click right top cart icon",
        "Click the left sidebar toggle button",
        "Hover over the World top nav item",
        "Click the Settings sidebar link",
        'Click the "Home" nav link',  # anywhere on the page
        "Enter IBAN DE89",  # both words, where the focus is
        "Enter Email ada@x.test",
        "Enter weight 72.5 and height 180",
        'Scroll to the "Mail" field and type "a"',
        'Hover over "Mail" and type "a"',
        'Type "{{email}}" into "Mail"',
        'Type saved value "total"',  # what was remembered, not this word
        "Click rating popup close button",
        "Verify Add to cart button changes to Remove",  # no button is called "Add"
        "Press the left mouse button",
        'Click the "Buy" button on the cheapest item',
        'Type "Ada" in the name field and email field',
        'Enter a date between 1 "May"',
        "Set the price range from 10 to 50",
        'Change the "Opening hours" from "8" to "17"',
    ],
)
def test_an_action_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_action(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The page title contains Mercury word",
        "The Name field contains Ada string",
        "The heading contains Welcome text",
        "Text to Image is visible",
        "Search results contain Wikipedia articles",
        "The total is just below 50",
        'The text "{{email}}" is visible',
    ],
)
def test_a_claim_is_refused(sentence: str):
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ('Fill the Assigned to field with "A"', 'type(element="Assigned to", text="A")'),
        ("Click the Back to top button", 'click(element="Back to top", role="button")'),
        ("Click the left arrow icon", 'click(element="left arrow", role="icon")'),
        ("Click Top Stories link", 'click(element="Top Stories", role="link")'),
        ("Click the Collapse sidebar button", 'click(element="Collapse sidebar", role="button")'),
        (
            'Change the "Status" from "Open" to "Done"',
            'check_value(element="Status", value="Open"), type(element="Status", text="Done")',
        ),
        ("Enter PIN 1234", 'type(element="PIN", text="1234")'),
        ("Scroll down and type “a”", 'scroll(direction="down"), type(text="a")'),
        (
            'Find the "Mail" field and type "a"',
            'scroll(element="Mail"), type(element="Mail", text="a")',
        ),
        ('In the confirmation popup, the user selects "Yes"', 'click(element="Yes", within=["in dialog"])'),
        ('Click "A" just above "B"', 'click(element="A", within=["above \\"B\\""])'),
        ('Wait for "A" with a timeout of 5 seconds', 'wait_for(text="A", seconds=5)'),
    ],
)
def test_an_action_is_read(sentence: str, calls: str):
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ("The heading is Body Text", 'check_value(element="", role="heading", value="Body Text")'),
        (
            'I see the error "Low" right below the "Amount" field',
            'check_text(text="Low", within=["below field \\"Amount\\""])',
        ),
        (
            'The URL includes "/a" with a timeout of 10 seconds',
            'check_url(url="/a", match="contains", up_to_seconds=10)',
        ),
        ('The text "{{email}}" is not visible', 'check_text(text="{{email}}", absent=true)'),
    ],
)
def test_a_claim_is_read(sentence: str, calls: str):
    assert shown(parse_expectation(sentence)) == calls


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ("Click Text to Image", 'Click "Text to Image"'),
        ("Hover over the World top nav item", 'Hover over the "World" item in the top nav'),
        ("Click the Settings sidebar link", 'Click the "Settings" link in the sidebar'),
        ("Click the footer Contact link", 'Click the "Contact" link in the footer'),
        ('Click the "Home" nav link', 'Click the "Home" link in the nav'),
        ("Enter IBAN DE89", 'Type "DE89" into "IBAN"'),
        ("Enter weight 72.5 kg", 'Type "72.5 kg" into "weight"'),
        ("Fill the username field with %username%", "Fill the username field with ${username}"),
        ("Type {{mail}} into the email field", "Type ${mail} into the email field"),
        ('Clikc teh "Save" buton', 'Click the "Save" button'),
        ('Enter stored value "total" into "Amount"', 'Enter "${total}" into "Amount"'),
    ],
)
def test_an_act_is_proposed(sentence: str, proposal: str):
    assert rewritten(sentence, "action", parse_action) == proposal


@pytest.mark.parametrize(
    ("sentence", "proposal"),
    [
        ("The page title contains Mercury text", 'The page title contains "Mercury"'),
        ("The nav Home link is visible", 'The "Home" link is visible in the nav'),
        ('Teh "Like" button is pressed', 'The "Like" button is pressed'),
        ("Verifies Merchant Dashboard page opens", 'I am on the "Merchant Dashboard" page'),
    ],
)
def test_a_claim_is_proposed(sentence: str, proposal: str):
    assert rewritten(sentence, "expectation", parse_expectation) == proposal


@pytest.mark.parametrize(
    ("sentence", "role"),
    [
        ("Open the 2nd result", "action"),
        ("Select RTX 4090 from GPU options", "action"),
        ('Launch the "1 password" app', "action"),
        ("I wait for the ISIR import to complete", "action"),
        ("Click top right cart icon", "action"),
        ("Click ad page close button", "action"),
        ("Open Maps app", "action"),
        ("Enter a date between 1 May", "action"),
        ("Press Windows key", "action"),
        ("Run script", "action"),
        ("Select practice page breadcrumb", "action"),
        ("Search results contain Wikipedia articles", "expectation"),
        ("Search results do not contain Wikipedia articles", "expectation"),
        ("The list does not show Deleted users", "expectation"),
    ],
)
def test_what_would_say_something_else_is_not_proposed(sentence: str, role: Role):
    assert not rewritten(sentence, role, parse_action if role == "action" else parse_expectation)


def test_which_of_several_asks_for_their_kind():
    (told,) = unread_action("Click the first tweet")
    assert "Say which kind of element it is" in str(told)

"""Ways in which different people write the same act or claim: each means what the plain sentence means."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten

ACTS = {
    'Click the "Login" button': (
        'Perform a click on the "Login" button',
        'Click the "Login"-button',
        'Auf den Button "Login" klicken',
        'Klicken Sie auf die Schaltfläche "Login"',
        'Klicke den Button "Login" an',
    ),
    'Double-click the "Ada" row': ('Do a double click on the "Ada" row', 'Doppelklick auf die Zeile "Ada"'),
    'Right-click the "Ada" row': (
        'Click the "Ada" row with the right mouse button',
        'Open the context menu of the "Ada" row',
    ),
    'Hover over the "Help" menu': (
        'Move the mouse pointer over the "Help" menu',
        'Place the cursor over the "Help" menu',
        'Hover with the mouse over the "Help" menu',
        'Bewege den Mauszeiger über das Menü "Help"',
    ),
    'Type "x" into the "Name" field': (
        'Into the "Name" field, type "x"',
        'Enter "x" as the value of the "Name" field',
        'Replace the contents of the "Name" field by "x"',
        'Geben Sie "x" in das Feld "Name" ein',
        '"x" in das Feld "Name" eingeben',
        'Fülle das Feld "Name" mit "x" aus',
    ),
    'Clear the "Name" field': (
        'Erase the text in the "Name" field',
        'Remove all text from the "Name" field',
        'Make the "Name" field empty',
        'Clear the "Name" field\'s content',
        'Lösche den Inhalt des Feldes "Name"',
    ),
    'Select "M" from the "Size" dropdown': (
        'Switch the "Size" dropdown to "M"',
        'Use the "Size" dropdown to select "M"',
        'Select "M" from the options in the "Size" dropdown',
        'Wählen Sie "M" in der Auswahlliste "Size" aus',
    ),
    'Uncheck the "News" checkbox': (
        'Clear the "News" checkbox',
        'Remove the check mark from the "News" checkbox',
        'Deactivate the "News" checkbox',
    ),
    "Press Enter": ("Press [Enter]", "Press the Enter button on the keyboard", "Drücke die Enter-Taste"),
    "Press Tab 3 times": ("Press Tab three times in a row", "Press Tab 3x"),
    "Press Ctrl+A": ("Use the keyboard shortcut Ctrl+A",),
    "Scroll to the bottom of the page": ("Scroll all the way down", "Scrolle zum Ende der Seite"),
    'Open "/cart"': ('Go directly to "/cart"', 'Point the browser to "/cart"', 'Rufen Sie die Seite "/cart" auf'),
    "Reload the page": ("Perform a page reload", "The page is refreshed", "Laden Sie die Seite neu"),
    'Wait until the text "Busy" is not visible': ('Wait for "Busy" to go away',),
    "Switch to the second tab": ("Switch to the 2nd tab", "Switch to the second browser tab"),
    'Click "A" and "B"': ('Click "A" as well as "B"', 'Click "A" along with "B"'),
    'Find the "Save" button and click the "Save" button': ('Find the "Save" button and click on it',),
    "Click the last row": ("Click the bottom row",),
}
CLAIMS = {
    'The text "Saved" is visible': (
        'Es wird die Meldung "Saved" angezeigt',
        'Prüfe, dass der Text "Saved" immer noch sichtbar ist',
        'Der Text "Saved" sollte sichtbar sein',
    ),
    'The text "Saved" is not visible': (
        '"Saved" can\'t be seen',
        'Expect "Saved" not to be visible',
        'Verify the absence of the text "Saved"',
        'No message saying "Saved" is shown',
        'Ich sehe den Text "Saved" nicht',
        'Der Text "Saved" wird nicht mehr angezeigt',
        'Der Text "Saved" darf nicht angezeigt werden',
    ),
    'The texts "A-1" and "B-2" are visible': (
        '"A-1" as well as "B-2" are visible',
        'I see "A-1" along with "B-2"',
        'Sowohl "A-1" als auch "B-2" werden angezeigt',
    ),
    'The text "Saved" is visible within 10 seconds': (
        '"Saved" appears in at most 10 seconds',
        '"Saved" is displayed in less than 10 seconds',
    ),
    "There are at most 3 rows": (
        "There are no more than 3 rows",
        "There are 3 rows or less",
        "There are 3 rows at most",
    ),
    "There are 3 rows": ("There are 3 rows left", "3 rows are left", "There are 3 rows in total"),
    "The table has 3 rows": ("Verify the table has 3 rows", "In der Tabelle gibt es 3 Zeilen"),
    "The total is more than 10": ("The total > 10", "The total exceeds 10"),
    "The total is at most 10": ("The total <= 10", "The total does not exceed 10", "The total is not more than 10"),
    "The total is at least 10": ("The total >= 10", "The total is 10 or higher", "The total is not less than 10"),
    "The total is between 10 and 20": ("The total is in the range of 10 to 20", "The total lies between 10 and 20"),
    'The total is "$5"': ('The total = "$5"', 'The total amounts to "$5"'),
    'The "Name" field is empty': (
        'The "Name" field contains nothing',
        'There is no text in the "Name" field',
        'Das Feld "Name" sollte leer sein',
    ),
    'The "Name" field is not empty': ('The "Name" field has a value', 'The "Name" field contains some text'),
    'The "Save" button is not enabled': (
        'Expect the "Save" button not to be enabled',
        'Prüfe, dass der Button "Save" nicht aktiviert ist',
    ),
    'The "Songs" tab is active': ('The "Songs" tab is the active tab',),
    'The page title contains "Shop"': ('"Shop" is part of the page title',),
    'The URL contains "cart"': ('"cart" is in the URL',),
    'The order number matches "[0-9]+"': ('The order number matches the regular expression "[0-9]+"',),
    'The "Size" dropdown has the option "S"': ('"S" is available in the "Size" dropdown',),
    'The list contains only "A" and "B"': ('The list contains exactly "A" and "B"',),
    'Each row contains "Open"': ('"Open" is shown in each row', 'Every single row contains "Open"'),
    'The last row contains "Zoe"': ('The bottom row contains "Zoe"', 'The bottommost row contains "Zoe"'),
}
REFUSED_ACTS = (
    "Go to the new tab",
    "Switch to the latest tab",
    'Activate the "Login" button',
    'Activate the user "Ada"',
    'Click the "Edit" button and click it',
    'Drag "A" to "B" and click it',
    'Enter "User name" as "tester"',
)
REFUSED_CLAIMS = (
    '"A" is visible and so is "B"',
    'The "Mail" field must be filled in',
    "The total is not between 10 and 20",
    'Die Checkbox "AGB" ist aktiviert',
    'Die Checkbox "AGB" ist nicht deaktiviert',
)


@pytest.mark.parametrize(("plain", "said"), [(plain, one) for plain, row in ACTS.items() for one in row])
def test_an_act_may_be_said_otherwise(plain: str, said: str) -> None:
    assert shown(parse_action(said)) == shown(parse_action(plain))


@pytest.mark.parametrize(("plain", "said"), [(plain, one) for plain, row in CLAIMS.items() for one in row])
def test_a_claim_may_be_said_otherwise(plain: str, said: str) -> None:
    assert shown(parse_expectation(said)) == shown(parse_expectation(plain))


@pytest.mark.parametrize("said", REFUSED_ACTS)
def test_an_act_that_may_be_another_is_refused(said: str) -> None:
    with pytest.raises(PhraseError):
        parse_action(said)


@pytest.mark.parametrize("said", REFUSED_CLAIMS)
def test_a_claim_that_may_be_another_is_refused(said: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(said)


def test_the_place_before_a_comma_is_where_the_text_is() -> None:
    checks = parse_expectation('In the row with "Ada", "Admin" is shown')
    assert {(check.arguments["text"], check.arguments["within"]) for check in checks} == {("Admin", "Ada")}


@pytest.mark.parametrize("said", ['Die Seite hat keinerlei Text "A"', 'The lack of "A" is shown'])
def test_no_proposal_says_the_opposite_or_half(said: str) -> None:
    assert rewritten(said, "expectation", parse_expectation) == ""


MENDED_ACTS = {
    'The user clicked the "Save" button': 'Click the "Save" button',
    'Entering "x" in the "Name" field and clicking "Save"': 'Enter "x" in the "Name" field and click "Save"',
    'Clcik the "Save" button': 'Click the "Save" button',
    'Enter "Name": "x"': 'Type "x" into "Name"',
    'Select "Country": "Norway"': 'Select "Norway" in "Country"',
    'Remember the order number as "order"': "Remember the order number as ${order}",
    'Store the value of the "Total" field in the variable "total"': 'Store the value of the "Total" field in ${total}',
    'Click "Save". The text "Saved" appears.': 'Click "Save" and verify that the text "Saved" appears',
    'Close the "A" dialog': 'Click "Close" in the "A" dialog',
    'Store the document in "archive"': "",
}
MENDED_CLAIMS = {
    'The "Save" button looks disabled': 'The "Save" button is disabled',
    'The user can click the "Save" button': 'The "Save" button is enabled',
    'The "Name" field must be filled in': 'The "Name" field is required',
    'Not only "A-1" but also "B-2" is visible': '"A-1" is visible and "B-2" is visible',
    '"A-1" is not visible and neither is "B-2"': '"A-1" is not visible and "B-2" is not visible',
    'The "Save" button is not grey': "",
}


@pytest.mark.parametrize("said", MENDED_ACTS)
def test_the_form_of_an_act_is_mended(said: str) -> None:
    assert rewritten(said, "action", parse_action) == MENDED_ACTS[said]


@pytest.mark.parametrize("said", MENDED_CLAIMS)
def test_the_form_of_a_claim_is_mended(said: str) -> None:
    assert rewritten(said, "expectation", parse_expectation) == MENDED_CLAIMS[said]

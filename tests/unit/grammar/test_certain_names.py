"""Names and texts without quotes whose ends other words tell, and the sentences beside them that must not be read."""

import pytest

from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten
from muster_protocol.tool_calls import ArgumentValue

CLAIMS = {
    "The Edit and Delete buttons are displayed": 'visible("Edit" button) visible("Delete" button)',
    "User should see the Edit and Delete buttons": 'visible("Edit" button) visible("Delete" button)',
    "Username, Password fields are displayed": 'visible("Username") visible("Password")',
    "The name, the email and the phone fields are displayed": 'visible("name") visible("email") visible("phone")',
    "Sidebar contains Home, Users and Settings links": (
        'visible("Home" link in complementary) visible("Users" link in complementary) '
        'visible("Settings" link in complementary)'
    ),
    "The Save button, the Cancel button and the Help link are visible": (
        'visible("Save" button) visible("Cancel" button) visible("Help" link)'
    ),
    "Save and Cancel buttons are enabled": 'state("Save" button enabled) state("Cancel" button enabled)',
    "Name and Email columns are displayed": 'visible("Name" columnheader) visible("Email" columnheader)',
    "The columns Name and Email are displayed": 'visible("Name" columnheader) visible("Email" columnheader)',
    "Error message Invalid username or password is displayed": 'text("Invalid username or password")',
    "Error message: Email is required": 'text("Email is required")',
    "Success message Profile updated successfully is shown": 'text("Profile updated successfully")',
    "The error message Email is required should be displayed below the Email field": (
        'text("Email is required" below field "Email")'
    ),
    "Thank you for your order! is displayed": 'text("Thank you for your order!")',
    "Transfer Complete! message should be displayed": 'text("Transfer Complete!")',
    "The login form is displayed": 'visible("login" section)',
    "The Add to cart button should be displayed": 'visible("Add to cart" button)',
    "The Forgot password? link is displayed": 'visible("Forgot password?" link)',
    '"Buy milk" is displayed in the cart': 'text("Buy milk" cart)',
    'In the cart, the total is "5"': 'value("total" cart 5) value("total" cart 5)',
    'Row "A" comes before row "B"': "order(A | B)",
    '"X" is above the password field': 'text("X" above field "password")',
    '"Invalid" is displayed below the email field': 'text("Invalid" below field "email")',
    '"Required" error under Username field': 'text("Required" below field "Username")',
    "Verify the presence of the Save button": 'visible("Save" button)',
    'Card "A" should be moved to the "Done" list': 'visible("A" Done)',
    "The list shows 2 notes": "count(listitem in list 2)",
    'The "Acme" logo is displayed': 'visible("Acme" image)',
    "Error message: Invalid email and the Save button is disabled": 'text("Invalid email") state("Save" button disabled)',
}
ACTIONS = {
    "Click the Forgot your password? link": 'click("Forgot your password?" link)',
    "Check the I agree to the terms and conditions checkbox": 'check("I agree to the terms and conditions" checkbox)',
    "Click the Make an Appointment button": 'click("Make an Appointment" button)',
    "Click on + Add Item": 'click("+ Add Item")',
    "Click on [View Cart] link": 'click("View Cart" link)',
    "Select Price (low to high) from the sort dropdown": 'select("sort" Price (low to high))',
    "Select option Medium from the Size dropdown": 'select("Size" Medium)',
    "Type Hello there in the message input": 'type("message" Hello there)',
    "Fill in First Name: John, Last Name: Doe": 'type("First Name" John) type("Last Name" Doe)',
    "Set Email to a@b.test and Phone to 123": 'type("Email" a@b.test) type("Phone" 123)',
    "Click on the first product in the list": 'click("" listitem 1st in list)',
    'Click the "Save" button in the toolbar to open the panel': 'click("Save" button in toolbar)',
    "Upload the file avatar.png": 'browser_upload("" avatar.png)',
}


def _told(sentence: str, *, claim: bool) -> str:
    """Return the calls of a sentence in short."""
    told: list[str] = []
    for call in (parse_expectation if claim else parse_action)(sentence):
        given = dict(call.arguments)
        if call.tool == "check_order":
            rest = [" | ".join(map(str, texts)) for texts in given.values() if isinstance(texts, list)]
            told.append(f"order({' '.join(rest)})")
            continue
        name = given.pop("element", given.pop("text", None) if call.tool == "check_text" else None)
        named = [] if name is None or (call.tool == "check_count" and not name) else [f'"{name}"']
        told.append(f"{call.tool.removeprefix('check_')}({' '.join([*named, *map(_of, given.values())])})")
    return " ".join(told)


def _of(value: ArgumentValue) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_read_with_the_names_that_its_words_tell(sentence: str) -> None:
    assert _told(sentence, claim=True) == CLAIMS[sentence]


@pytest.mark.parametrize("sentence", ACTIONS)
def test_an_action_is_read_with_the_names_that_its_words_tell(sentence: str) -> None:
    assert _told(sentence, claim=False) == ACTIONS[sentence]


@pytest.mark.parametrize(
    "sentence",
    (
        "New Item fields should be displayed",  # those of what is called so
        "Please fill out this field is displayed",  # no field "fill out"
        "All fields and buttons are displayed",
        "Valid and invalid fields are displayed",
        "User details and the Save and Cancel buttons are displayed",  # what is a detail?
        "Error message: Invalid username or Invalid password",  # either
        "Error Message Is Displayed",
        "An error message is displayed",
        "The Save or Cancel button is displayed",
        "The correct form is displayed",
        "The login form is not displayed",  # what may be called otherwise is not absent for that
        "The user menu is displayed",
        '"Buy milk" is not displayed in the cart',  # which the page need not call so
        "There are 0 items in the cart",
        '"A" is displayed in the background',
        'I see the price of "Mug"',  # what a mug costs, not "Mug"
        "Email fields are displayed",
        'First product is "Mug"',
        "User is navigated to the Dashboard page",  # pages may show another title, or none
        'The list is sorted by "Price"',  # which way?
        'The status changes from "To Do" to "Done"',  # what it was before no check can tell
        "There are 4 customers",
    ),
)
def test_a_claim_that_only_looks_like_one_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_expectation(sentence)


@pytest.mark.parametrize(
    "sentence",
    (
        "Enter Email in the Email field",  # which one?
        "Enter Valid Email in Email field",
        "Fill in the Email field with Valid Email",
        "Enter Username: Username",
        "I enter 99 characters into the comment field",
        "Enter [username] in the Username field",
        "Click the Delete or Remove button",
        "Click the Edit in the Users button",
        "Check the Do not show again checkbox",
        "Click on the button having search icon",
        "Click Users and Roles",
        'Select the disabled category "Bags" from the "Category" dropdown',
        'Select the label "A" from the "Size" dropdown',
        "Click any product",
    ),
)
def test_an_action_that_only_looks_like_one_is_refused(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_action(sentence)


def test_each_clause_of_a_list_without_quotes_has_a_check_of_its_own() -> None:
    checks = parse_expectation("The name, the email and the phone fields are displayed")
    assert [check.clause for check in checks] == ["The name", "the email", "the phone fields are displayed"]
    assert len(set(shown((check,)) for check in checks)) == 3


@pytest.mark.parametrize(
    ("sentence", "instead"),
    (
        ("Record Found message is displayed", 'The text "Record Found" is visible'),
        ("Your cart is empty message is displayed", 'The text "Your cart is empty" is visible'),
        ("Welcome back, John is displayed", 'The text "Welcome back, John" is visible'),
        ('Red "Delete" button appears', 'The "Delete" button is visible'),
        ('"Saved" is shown on a green box', 'The text "Saved" is visible'),
        ("Counter displays 1 item left", '"Counter" shows "1 item left"'),
        ('The note title is "Meeting"', '"note title" is "Meeting"'),
        ('The "A" task is disappeared from the list as expected', '"A" is not visible in the list'),
    ),
)
def test_a_claim_of_a_manual_tester_is_put_into_words_that_are_read(sentence: str, instead: str) -> None:
    assert rewritten(sentence, "expectation", parse_expectation) == instead


@pytest.mark.parametrize(
    ("sentence", "instead"),
    (
        ("I click on add to cart", 'Click "add to cart"'),
        ("I click Users and Roles", 'Click "Users and Roles"'),
        ("Select Cash on Delivery payment method", 'Choose "Cash on Delivery"'),
        ("Select country Germany", 'Select "Germany" in "country"'),
        ("Enter username admin and password secret", 'Type "admin" into "username" and type "secret" into "password"'),
        ("Enter Email in the Email field", ""),  # what a field is called is no value
        ("Enter Valid Password", ""),
        ("Click save to continue", ""),
    ),
)
def test_an_action_of_a_manual_tester_is_put_into_words_that_are_read(sentence: str, instead: str) -> None:
    assert rewritten(sentence, "action", parse_action) == instead


def test_what_must_hold_before_a_test_is_read_with_the_names_that_its_words_tell() -> None:
    calls = parse_precondition("The Edit and Delete buttons are displayed")
    assert [dict(call.arguments) for call in calls] == [
        {"element": "Edit", "role": "button"},
        {"element": "Delete", "role": "button"},
    ]


@pytest.mark.parametrize("sentence", ["The Edit and Delete button are displayed nicely", "Make the Save great"])
def test_what_must_hold_before_a_test_is_refused_where_no_words_tell_a_name(sentence: str) -> None:
    with pytest.raises(PhraseError):
        parse_precondition(sentence)

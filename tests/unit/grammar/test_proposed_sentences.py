"""Sentences that are proposed in place of unread ones: which they are, and which are none since they would say less."""

import pytest

from muster_grammar import parse_action, parse_expectation
from muster_grammar.engine import shown
from muster_grammar.rewritings import rewritten

ACTS = {
    "Click Approve to accept your approval.": "Click Approve",
    "Press `Ctrl+C` to stop": "Press Ctrl+C",
    "Type `hello` and press **Enter**": "Type `hello` and press Enter",
    "**Confirm Password**: `secret`": 'Type `secret` into "Confirm Password"',
    "Enter invalid phone number: `555-PHONE`": 'Type `555-PHONE` into "phone number"',
    "Enter Email (ada@shop.test)": 'Type "ada@shop.test" into "Email"',
    "Select check-in date 2025-05-01": 'Select "2025-05-01" in "check-in date"',
    "I select Dec 1, 2022 as Check-in": 'Select "Dec 1, 2022" in "Check-in"',
    "Upload a file named avatar.png": 'Upload "avatar.png"',
    'Mark the todo "Report" as completed': 'Check "Report"',
    'Click "Add to cart" button of the first product': 'Click the "Add to cart" button in the first item',
    "Full Name: Ada King": 'Type "Ada King" into "Full Name"',
    'Select Content Type: "Page"': 'Select "Page" in "Content Type"',
    'Select gender as "Female" from the dropdown': 'Select "Female" in "gender"',
    'Change status to "Graded"': 'Select "Graded" in "status"',
    "Select currency euro": 'Select "euro" in "currency"',
    'From the admin dashboard, click "Users"': 'Click "Users"',
    'Click the footer link with value "Book now"': 'Click the "Book now" link in the footer',
    'Click "x" icon displayed on "Low" tag': 'Click the "x" icon in "Low"',
    "Click **Discard button**": 'Click "Discard" button',
    'Select Domain "A"': 'Select "A" in "Domain"',
    "Press login": 'Click "login"',
    "Toggle the outline with `Ctrl+E`": "Press Ctrl+E",
    "I click the 'first' Delete button": 'I click the first "Delete" button',
    "User clicks on Add button present in Add Trigger modal": 'Click the "Add" button in the Add Trigger modal',
    "Open Help Center.": 'Click "Help Center"',
    "the doctor navigates to the Billing section": 'Click "Billing"',
    "Enter voucher (Q6KU6F)": 'Type "Q6KU6F" into "voucher"',
    'The user navigates to the "Timeline" section': 'Click "Timeline"',
    "Navigate to the **“Employees”** section.": 'Click "Employees"',
    'After clicking "A", click "B"': 'Click "A" and click "B"',
    'Close the "Saved" message': 'Click "Close" in "Saved"',
    'Delete the row "Ada"': 'Click "Delete" in the "Ada" row',
    'Set the "Arrival" date to 2026-12-24': 'Set "Arrival" to 2026-12-24',
    'Hold Shift and click "Row 3"': 'Click "Row 3" while holding Shift',
    'Click "Delete" and confirm with "Yes"': 'Click "Delete" and click "Yes"',
    'Check the boxes for "Read" and "Write"': 'Check "Read" and "Write"',
    'I enter password "a1" and confirmation "b2"': 'I enter password "a1" and type "b2" into "confirmation"',
}
CLAIMS = {
    'Registration should fail with validation message "No name."': 'The text "No name." is visible',
    'Must present a message confirming the reply was created. "Done!"': 'The text "Done!" is visible',
    "I verify Tell us how we can improve our site is displayed": (
        'The text "Tell us how we can improve our site" is visible'
    ),
    'The profile page shows the name "John Doe"': 'The text "John Doe" is visible',
    'See "New User" button (enabled)': 'The "New User" button is visible and enabled',
    '"Confirmed" tag is shown next to "Dr. Lee"': '"Confirmed" is visible next to "Dr. Lee"',
    'User "Ada" has role "Admin"': '"role" in "Ada" is "Admin"',
    'Session card with "Team call"': '"Team call" is visible in the "Session" card',
    'Search input with placeholder "Search …"': 'The placeholder of the "Search" field is "Search …"',
    'The total is not "5" but "6"': 'The total is not "5" and the total is "6"',
    'The "To do" column has 3 cards': 'There are 3 items in the "To do" column',
    'The "Name" field has an error': 'The "Name" field is invalid',
    "Step 2 is active": 'The Step "2" is active',
    'The wizard is on step "Payment"': 'The "Payment" step is active',
    'The list shows "A", then "B"': 'The list shows "A" and "B" in this order',
    'In the row of "Bob" the "Role" is "Editor"': 'In the row of "Bob", the "Role" is "Editor"',
    'The "Status" column shows "Active" for "Bob"': 'The "Status" column in the "Bob" row is "Active"',
    '"Bob" comes before "Ada" in the list': '"Bob" is visible before "Ada" in the list',
    'The user can click "Save"': '"Save" is enabled',
    'The empty page opens with the message "No orders."': 'The text "No orders." is visible',
    "I should be redirected to the login page": 'I am on the "login" page',
    "User is navigated to the Order history screen": 'I am on the "Order history" page',
    "Redirects to dashboard": 'I am on the "dashboard" page',
    "the patient is redirected to the billing page": 'I am on the "billing" page',
    "The checkout page should be displayed": 'I am on the "checkout" page',
    "User validates Home page is displayed": 'I am on the "Home" page',
    "The user remains on the settings page": 'I am on the "settings" page',
    "there are 2 Delete buttons displayed on the page": 'There are 2 "Delete" buttons',
    "Error message should state `Coupon expired`": "Error message states `Coupon expired`",
    'Returns "Already in wishlist" message': 'The text "Already in wishlist" is visible',
    'The page with a "Add a note" error message displayed': 'The text "Add a note" is visible',
    'Patient creation should fail with "Name is required" message': 'The text "Name is required" is visible',
    'The "Add event" window is opened': 'The "Add event" dialog is visible',
    "Clear Filters button": 'The "Clear Filters" button is visible',
    "*Data Loss* dialog appears": 'The "Data Loss" dialog is visible',
    "No records found is displayed in the list": '"No records found" is visible in the list',
    '"node1" content is displayed in the "Host" column': '"node1" is visible in the "Host" column',
}
NONE_OF_ACTS = (
    "The user clicks the button to remove a document",  # which?
    "Click Reply under the first comment",
    "Click Save → Dialog closes",
    "Open /users/{id}",
    "Enter Name (required)",
    "Pick tomorrow's date",
    "Mobile web",
    "City: too long",
    "Description: Optional",
    'Click the button left of "Save"',
    "Click the cheapest product",
    'Select a country other than "Norway"',
    'Drag "A" halfway to "B"',
    "Press any key",
    "Change the password successfully",  # it is no value
    "Enter **valid credit card data**",
    'User logs in as "manager"',
    "Use `Tab` to move to the date of birth",
    "The user selects a product",
    "Select the patient",
    "Select a supported payment method",
    "Select valid CSV",
    "I select a Person",
    "I navigate to the Website",
    "Click on the Id searched in the list",
    'Select "Confirm" to complete the "Check details" task',
)
NONE_OF_CLAIMS = (
    'Login fails and "Invalid login" is displayed',
    'Green message appears at the top: "Saved."',
    'All tasks have status "Done"',
    'New task "Milk" is displayed at the top of the list',
    'If the field is empty, show the message "Required"',
    "I should see '4' users listed",
    "Shipping cost is displayed",
    'I should see "A" nowhere',
    'I should hardly see "A"',
    'I fail to see "A"',
    '"A" is visible near "B"',
    '"A" is missing "B"',
    'There is nothing called "A"',
    "Broken Save button",
    "User verifies Patient tab",
    "I should see the row number 3",
    "Validation messages are presented to the user",
    "Checkout is prevented or appropriate message is displayed",
    "Selected product appears in Favorites list",
    "The login screen should be displayed",
    "Returns 200 OK with full list of notifications",
    "User is authenticated and redirected to the home page",
    "User should not be redirected to the login page",
    "The same page is displayed",
    "Text appears in the field",  # the word for a thing
    "File is selected",
    "Product is visible in the cart",
    "Response body should be empty",
    "User will see Time range changed to 30m",
    'The director "1" name should be "Ada"',
    "The user is redirected to the Success/Confirmation page",
    "Observe slider animation during page load",
    "The selected option text is 'Please select'",
    'Login should fail and show the "Try again" message',
    "The Prescription should be added in the Patient section",
)


@pytest.mark.parametrize("sentence", ACTS)
def test_an_act_is_put_into_words_that_are_read(sentence: str) -> None:
    assert rewritten(sentence, "action", parse_action) == ACTS[sentence]


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_put_into_words_that_are_read(sentence: str) -> None:
    assert rewritten(sentence, "expectation", parse_expectation) == CLAIMS[sentence]


@pytest.mark.parametrize("sentence", NONE_OF_ACTS)
def test_no_act_is_proposed_that_says_less(sentence: str) -> None:
    assert rewritten(sentence, "action", parse_action) == ""


@pytest.mark.parametrize("sentence", NONE_OF_CLAIMS)
def test_no_claim_is_proposed_that_says_less(sentence: str) -> None:
    assert rewritten(sentence, "expectation", parse_expectation) == ""


@pytest.mark.parametrize(
    ("sentence", "calls"),
    [
        ("Click logout button to end the session", 'click(element="logout", role="button")'),
        ('The admin enters the email "a@shop.test"', 'type(element="email", text="a@shop.test")'),
        ('The user wants to click "A"', 'click(element="A")'),
        ('Edit the title to "New"', 'type(element="title", text="New")'),
        ('Upload "a.png" as profile picture', 'browser_upload(element="profile picture", files=["a.png"])'),
    ],
)
def test_an_act_in_wider_words_is_read(sentence: str, calls: str) -> None:
    assert shown(parse_action(sentence)) == calls


@pytest.mark.parametrize(
    ("sentence", "checks"),
    [
        ('Loading toast shows "Saved"', 'check_text(text="Saved")'),
        ('Empty state "No tasks yet" is shown', 'check_text(text="No tasks yet")'),
        ('The "Edit user" form opens', 'check_visible(element="Edit user", role="section")'),
        (
            'Modal title: "Create user"',
            'check_visible(element="Create user", role="dialog", within=["by its whole name"])',
        ),
    ],
)
def test_a_claim_in_wider_words_is_read(sentence: str, checks: str) -> None:
    assert shown(parse_expectation(sentence)) == checks

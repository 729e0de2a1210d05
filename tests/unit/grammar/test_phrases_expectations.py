"""The checks that expectations and preconditions stand for: every example, and more of the wordings that testers use."""

import pytest
from claim_readings import CLAIM_WORDINGS, CLAIMS

from muster_grammar import PHRASES, parse_expectation, parse_precondition
from muster_grammar.engine import shown
from muster_text.clauses import literals, split_clauses

EXPECTATIONS = {
    '"orders" is in the URL': 'check_url(url="orders", match="contains")',
    '"Orders" is part of the page title': 'check_title(title="Orders", match="contains")',
    "There are 3 rows or less": 'check_count(element="", role="row", count=3, comparison="at_most")',
    "There are 3 rows or more": 'check_count(element="", role="row", count=3, comparison="at_least")',
    '"Ada" is the value of the "Name" field': 'check_value(element="Name", value="Ada")',
    'The "Search" field contains nothing': 'check_state(element="Search", state="empty")',
    'There is no text in the "Search" field': 'check_state(element="Search", state="empty")',
    'The "Search" field contains some text': 'check_value(element="Search", value="", negate=true)',
    'The "Overview" tab is the active tab': 'check_state(element="Overview", role="tab", state="selected")',
    'The "Mail" field is a required field': 'check_state(element="Mail", state="required")',
    '"S" and "M" are available in the "Size" dropdown': 'check_options(element="Size", options=["S"]), check_options(element="Size", options=["M"])',
    "The total is not more than 10": 'check_value(element="total", value="10", match="at_most")',
    "The total exceeds 10": 'check_value(element="total", value="10", match="above")',
    "The total < 10": 'check_value(element="total", value="10", match="below")',
    "The total >= 10": 'check_value(element="total", value="10", match="at_least")',
    "The total does not exceed 10": 'check_value(element="total", value="10", match="at_most")',
    '"Paid" is shown in each row': 'check_each(role="row", text="Paid")',
    'The page title is "Demo shop"': 'check_title(title="Demo shop")',
    'The title should be "Demo shop"': 'check_title(title="Demo shop")',
    "The title of the page contains 'shop'": 'check_title(title="shop", match="contains")',
    'The page title does not start with "Error"': 'check_title(title="Error", match="starts", negate=true)',
    'The page is titled "Cart"': 'check_title(title="Cart")',
    'The URL is "${base_url}/cart"': 'check_url(url="${base_url}/cart")',
    'The current URL contains "/cart"': 'check_url(url="/cart", match="contains")',
    'The URL ends with "/cart"': 'check_url(url="/cart", match="ends")',
    'The page address must not contain "error"': 'check_url(url="error", match="contains", negate=true)',
    'I am on "${base_url}/login"': 'check_url(url="${base_url}/login", match="ends")',
    'The user is redirected to the "/cart" page': 'check_url(url="/cart", match="ends")',
    'The page shows "A" and "B"': 'check_text(text="A"), check_text(text="B")',
    'The text "Hello, tester" is visible': 'check_text(text="Hello, tester")',
    '"Saved" appears': 'check_text(text="Saved")',
    "I should see the message 'Saved'": 'check_text(text="Saved")',
    'There is a text "Saved" on the page': 'check_text(text="Saved")',
    '"A", "B" and "C" are displayed': 'check_text(text="A"), check_text(text="B"), check_text(text="C")',
    'The text "Onesie" is not visible': 'check_text(text="Onesie", absent=true)',
    'The page does not contain "Error"': 'check_text(text="Error", absent=true)',
    'I don\'t see "Error"': 'check_text(text="Error", absent=true)',
    '"Loading" has disappeared': 'check_text(text="Loading", absent=true)',
    'There is no error message "Wrong password"': 'check_text(text="Wrong password", absent=true)',
    'No "Error" is visible': 'check_text(text="Error", absent=true)',
    'The error message "Too long" is shown below the "Name" field': (
        'check_text(text="Too long", within=["below field \\"Name\\""])'
    ),
    "The dialog is closed": 'check_visible(element="", role="dialog", absent=true)',
    "The popup disappears": 'check_visible(element="", role="dialog", absent=true)',
    'The table headers are "Name" and "Mail"': (
        'check_visible(element="Name", role="columnheader", within=["in table"]), '
        'check_visible(element="Mail", role="columnheader", within=["in table"]), '
        'check_count(element="", role="columnheader", within=["in table"], count=2)'
    ),
    'There is a table with the columns "Name" and "Mail"': (
        'check_visible(element="Name", role="columnheader", within=["in table"]), '
        'check_visible(element="Mail", role="columnheader", within=["in table"])'
    ),
    '"A" is shown in the "Cart" section': 'check_text(text="A", within="Cart")',
    'I see "29.99" in the row with "Backpack"': 'check_text(text="29.99", within="Backpack")',
    '"A" is not shown in the "Cart" section': 'check_text(text="A", within="Cart", absent=true)',
    'The "Cart" section contains "A" and "B"': (
        'check_text(text="A", within="Cart"), check_text(text="B", within="Cart")'
    ),
    'The row with "Backpack" shows "29.99"': 'check_text(text="29.99", within="Backpack")',
    'The "Cart" section does not contain "A"': 'check_text(text="A", within="Cart", absent=true)',
    'Neither "A" nor "B" is visible': 'check_text(text="A", absent=true), check_text(text="B", absent=true)',
    'The exact text "Total" is visible': 'check_text(text="Total", exact=true)',
    'The "Save" button is visible': 'check_visible(element="Save", role="button")',
    'There is a heading "Welcome"': 'check_visible(element="Welcome", role="heading")',
    'I see the "Remove" link in the "Backpack" row': 'check_visible(element="Remove", role="link", within="Backpack")',
    'The page has a "Log in" link': 'check_visible(element="Log in", role="link")',
    'The "Save" button is not visible': 'check_visible(element="Save", role="button", absent=true)',
    'The "Busy" image disappears': 'check_visible(element="Busy", role="image", absent=true)',
    'There is no "Save" button': 'check_visible(element="Save", role="button", absent=true)',
    'There are no rows in the "Cart" table': 'check_count(element="", role="row", within=["in table \\"Cart\\""], count=0)',
    "I do not see the Save button": 'check_visible(element="Save", role="button", absent=true)',
    'There are 6 "Add to cart" buttons': 'check_count(element="Add to cart", role="button", count=6)',
    'There are at least three rows in the "Cart" table': (
        'check_count(element="", role="row", within=["in table \\"Cart\\""], count=3, comparison="at_least")'
    ),
    "I see exactly one heading": 'check_count(element="", role="heading", count=1)',
    "At most 5 links are shown": 'check_count(element="", role="link", count=5, comparison="at_most")',
    '3 rows are shown in the "Cart" table': 'check_count(element="", role="row", within=["in table \\"Cart\\""], count=3)',
    'The "Save" button is visible in the "Cart" section': 'check_visible(element="Save", role="button", within="Cart")',
    'The "Save" button is not visible in the "Cart" section': (
        'check_visible(element="Save", role="button", within="Cart", absent=true)'
    ),
    'The "Cart" table has 3 rows': 'check_count(element="", role="row", within=["in table \\"Cart\\""], count=3)',
    'The list "Wishes" has no items': 'check_count(element="", role="listitem", within="Wishes", count=0)',
    'The text "Sold out" appears 3 times': 'check_count(element="Sold out", count=3)',
    'The total is "29.99"': 'check_value(element="total", value="29.99")',
    'The "Total" field contains "29"': 'check_value(element="Total", value="29", match="contains")',
    'The order number is not "0"': 'check_value(element="order number", value="0", negate=true)',
    'The "Total" cell in the "Backpack" row starts with "$"': (
        'check_value(element="Total", role="cell", within="Backpack", value="$", match="starts")'
    ),
    'The "Quantity" field has the value "2"': 'check_value(element="Quantity", value="2")',
    '"Quantity" has the value 2': 'check_value(element="Quantity", value="2")',
    'The "Quantity" field does not have the value "2"': 'check_value(element="Quantity", value="2", negate=true)',
    'The value of the "Name" field is "Ada"': 'check_value(element="Name", value="Ada")',
    'The text of "Total" matches "[0-9.]+"': 'check_value(element="Total", value="[0-9.]+", match="matches")',
    'The total shows "29.99"': 'check_value(element="total", value="29.99", match="contains")',
    'I see "Ada" as the author': 'check_value(element="author", value="Ada")',
    'I should see "30 years" as the selected loan term': 'check_value(element="loan term", value="30 years")',
    'The user is at the URL "checkout"': 'check_url(url="/checkout", match="ends")',
    'The total does not show "29.99"': 'check_value(element="total", value="29.99", match="contains", negate=true)',
    'The "Log in" button is enabled': 'check_state(element="Log in", role="button", state="enabled")',
    'The "Express" radio button is checked': 'check_state(element="Express", role="radio", state="checked")',
    '"I accept the terms" is not checked': 'check_state(element="I accept the terms", state="unchecked")',
    'The field "Name" is empty': 'check_state(element="Name", state="empty")',
    'The "Name" field is not empty': 'check_value(element="Name", value="", negate=true)',
    'The "Search" field has the focus': 'check_state(element="Search", state="focused")',
    'The focus moves to the "Save" button': 'check_state(element="Save", role="button", state="focused")',
    'The "Details" section expands': 'check_state(element="Details", state="expanded")',
    '"Bags" is selected in "Category"': 'check_value(element="Category", value="Bags", match="includes")',
    'The selected option of "Category" is "Bags"': 'check_value(element="Category", value="Bags")',
    '"Bags" is not selected in "Category"': 'check_value(element="Category", value="Bags", match="includes", negate=true)',
    'The "Bags" option is not selected': 'check_state(element="Bags", role="option", state="unselected")',
    'The "Dark mode" switch is off': 'check_state(element="Dark mode", role="switch", state="unchecked")',
    'The "Bold" button is pressed': 'check_state(element="Bold", role="button", state="checked")',
    'The "src" tree item is expanded': 'check_state(element="src", role="treeitem", state="expanded")',
    'The list "Size" has the option "M"': 'check_options(element="Size", options=["M"])',
    'The "Size" dropdown has the options "S", "M" and "L"': 'check_options(element="Size", options=["S","M","L"])',
    'The output contains "ok" and "done"': 'check_output(text="ok"), check_output(text="done")',
    'The standard output is "ok"': 'check_output(text="ok", stream="stdout", match="is")',
    'The error output does not contain "Traceback"': 'check_output(text="Traceback", stream="stderr", negate=true)',
    'The command prints "ok"': 'check_output(text="ok")',
    'The command should not print "Error"': 'check_output(text="Error", negate=true)',
    "The error output is empty": 'check_output(text="", stream="stderr", match="is")',
    "The output is not empty": 'check_output(text="", match="is", negate=true)',
    "The exit code is 0": "check_exit_code(code=0)",
    "The command exits with code two": "check_exit_code(code=2)",
    "The exit code is not 0": "check_exit_code(code=0, negate=true)",
    "The command succeeds": "check_exit_code(code=0)",
    "The command fails": "check_exit_code(code=0, negate=true)",
    'The file "a.txt" exists': 'check_file(path="a.txt")',
    'There is a file "a.txt"': 'check_file(path="a.txt")',
    "The file report.csv has been downloaded": 'check_file(path="report.csv")',
    'The file "a.txt" does not exist': 'check_file(path="a.txt", absent=true)',
    'The file "a.txt" contains "x" and "y"': 'check_file(path="a.txt", text="x"), check_file(path="a.txt", text="y")',
    'The content of the file "a.txt" is "x"': 'check_file(path="a.txt", text="x", match="is")',
    "The response status is 200": "check_response(status=200)",
    "The page answers with status 404": "check_response(status=404)",
    "The status code should be 2xx": 'check_response(status=2, match="class")',
    "The request succeeds": 'check_response(status=2, match="class")',
    'The response contains "A-17"': 'check_response_text(text="A-17")',
    "The response body is '{\"ok\": true}'": 'check_response_text(text="{\\"ok\\": true}", match="is")',
    'A dialog says "Really?"': 'check_dialog(text="Really?")',
    'The alert text contains "Really"': 'check_dialog(text="Really", match="contains", alert=true)',
    'A dialog with the text "Really" appears': 'check_dialog(text="Really", match="contains")',
    'The alert shows "Saved"': 'check_dialog(text="Saved", match="contains", alert=true)',
    'An alert "Saved" is shown': 'check_dialog(text="Saved", match="contains", alert=true)',
    'The error alert "Too long" is visible': 'check_dialog(text="Too long", match="contains", alert=true)',
    'The "Saved" alert is visible': 'check_dialog(text="Saved", match="contains", alert=true)',
    "A dialog appears": 'check_dialog(text="", match="contains")',
    "There is an alert": 'check_dialog(text="", match="contains", alert=true)',
}

PRECONDITIONS = {
    'The shop is open at "${base_url}"': 'browser_navigate(url="${base_url}"), check_response(status=2, match="class")',
    "The demo shop is running at ${base_url}": (
        'browser_navigate(url="${base_url}"), check_response(status=2, match="class")'
    ),
    'I am on "${base_url}/login"': 'browser_navigate(url="${base_url}/login"), check_response(status=2, match="class")',
    'The page "${base_url}" is open': 'browser_navigate(url="${base_url}"), check_response(status=2, match="class")',
    "The command git is installed": 'execute_command(command="command -v git"), check_exit_code(code=0)',
    'The command "git" exists': 'execute_command(command="command -v git"), check_exit_code(code=0)',
}

WORDINGS = {
    'The page\'s title is "X"': 'check_title(title="X")',
    'The title starts with "Demo" and ends with "shop"': (
        'check_title(title="Demo", match="starts"), check_title(title="shop", match="ends")'
    ),
    'The URL should contain "/cart" and not contain "error"': (
        'check_url(url="/cart", match="contains"), check_url(url="error", match="contains", negate=true)'
    ),
    'The error message "Wrong password" is shown in the "Login" form': (
        'check_text(text="Wrong password", within="Login")'
    ),
    'I see "A" and the "Save" button': 'check_text(text="A"), check_visible(element="Save", role="button")',
    'The page contains "A" but not "B"': 'check_text(text="A"), check_text(text="B", absent=true)',
    'The page shows "A" and does not show "B"': 'check_text(text="A"), check_text(text="B", absent=true)',
    'The page does not show "A" and the "Save" button': (
        'check_text(text="A", absent=true), check_visible(element="Save", role="button", absent=true)'
    ),
    'Both "A" and "B" are visible': 'check_text(text="A"), check_text(text="B")',
    '"A" and "B" are not visible': 'check_text(text="A", absent=true), check_text(text="B", absent=true)',
    'The text "A" and the text "B" are visible': 'check_text(text="A"), check_text(text="B")',
    'The "A" and "B" buttons are visible': (
        'check_visible(element="A", role="button"), check_visible(element="B", role="button")'
    ),
    'The "Save" button should be visible but disabled': (
        'check_visible(element="Save", role="button"), check_state(element="Save", role="button", state="disabled")'
    ),
    'The "Name" field is enabled, has the value "x" and is not empty': (
        'check_state(element="Name", state="enabled"), check_value(element="Name", value="x"), '
        'check_value(element="Name", value="", negate=true)'
    ),
    '"A" is visible in the "Cart" section and "B" in the "Menu" section': (
        'check_text(text="A", within="Cart"), check_text(text="B", within="Menu")'
    ),
    'The text "x" isn\'t shown': 'check_text(text="x", absent=true)',
    'The text "x" will no longer be visible': 'check_text(text="x", absent=true)',
    'There isn\'t a "Delete" button': 'check_visible(element="Delete", role="button", absent=true)',
    "There are more than 2 items": 'check_count(element="", role="listitem", count=3, comparison="at_least")',
    "There are fewer than three links": 'check_count(element="", role="link", count=2, comparison="at_most")',
    "There are two or more rows": 'check_count(element="", role="row", count=2, comparison="at_least")',
    'There are 3 rows and 2 "Add" buttons': (
        'check_count(element="", role="row", count=3), check_count(element="Add", role="button", count=2)'
    ),
    "The total is $29.99": 'check_value(element="total", value="$29.99")',
    'The user name is "x"': 'check_value(element="user name", value="x")',
    'The "Save" button is greyed out': 'check_state(element="Save", role="button", state="disabled")',
    'The "Save" button is not clickable': 'check_state(element="Save", role="button", state="disabled")',
    'The output of the command contains "ok" and the exit code is 0': 'check_output(text="ok"), check_exit_code(code=0)',
    'The exit code is "0"': "check_exit_code(code=0)",
    'The response status is "404"': "check_response(status=404)",
    'The output contains "a" but not "b"': 'check_output(text="a"), check_output(text="b", negate=true)',
    'The file "a.txt" exists and contains "x"': 'check_file(path="a.txt"), check_file(path="a.txt", text="x")',
    'The "Confirm" dialog is visible': 'check_visible(element="Confirm", role="dialog")',
    'A confirmation dialog appears and says "Sure?"': (
        'check_dialog(text="", match="contains"), check_dialog(text="Sure?")'
    ),
    'I see that the title is "X"': 'check_title(title="X")',
    '- The title is "A"\n- The exit code is 0': 'check_title(title="A"), check_exit_code(code=0)',
    'The text "a and b, then c; d. E" is visible': 'check_text(text="a and b, then c; d. E")',
}

STATED = {
    "Given the shop is running on http://127.0.0.1:8000": (
        'browser_navigate(url="http://127.0.0.1:8000"), check_response(status=2, match="class")'
    ),
    'The shop is open at "${base_url}" and the command git is installed': (
        'browser_navigate(url="${base_url}"), check_response(status=2, match="class"), '
        'execute_command(command="command -v git"), check_exit_code(code=0)'
    ),
    'Open "${base_url}/login" and click "A"': ('browser_navigate(url="${base_url}/login"), click(element="A")'),
    'The file "a.txt" exists': 'check_file(path="a.txt")',
    'Send a GET request to "${base_url}/health" and the response status is 200': (
        'http_request(method="GET", url="${base_url}/health"), check_response(status=200)'
    ),
}


READINGS = EXPECTATIONS | WORDINGS | CLAIMS | CLAIM_WORDINGS


def test_the_tables_have_every_example_of_an_expectation_and_a_precondition():
    examples = {(phrase.kind, example) for phrase in PHRASES for example in phrase.examples if phrase.kind != "action"}
    assert examples == {("expectation", one) for one in EXPECTATIONS | CLAIMS} | {
        ("precondition", one) for one in PRECONDITIONS
    }


def test_an_expectation_stands_for_its_checks():
    assert {sentence: shown(parse_expectation(sentence)) for sentence in READINGS} == READINGS


def test_every_clause_has_a_check_that_names_it_and_holds_its_literals():
    for sentence in READINGS:
        checks = parse_expectation(sentence)
        assert tuple(dict.fromkeys(check.clause for check in checks)) == split_clauses(sentence)
        for clause in split_clauses(sentence):
            given = [str(value) for check in checks if check.clause == clause for value in check.arguments.values()]
            assert all(any(text in value for value in given) for text in literals(clause)), clause


@pytest.mark.parametrize("sentence", [*PRECONDITIONS, *STATED])
def test_a_precondition_stands_for_its_calls(sentence: str):
    assert shown(parse_precondition(sentence)) == (PRECONDITIONS | STATED)[sentence]


@pytest.mark.parametrize("sentence", [*PRECONDITIONS, *STATED])
def test_the_checks_of_a_precondition_name_it_and_its_actions_do_not(sentence: str):
    for call in parse_precondition(sentence):
        assert call.clause == (sentence if call.tool.startswith("check_") else "")

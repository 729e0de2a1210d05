"""The calls that actions stand for: every example of the catalogue, and more of the wordings that testers use."""

import pytest

from muster_grammar import PHRASES, parse_action
from muster_grammar.parser import shown

ACTIONS = {
    'Open "${base_url}/login"': 'browser_navigate(url="${base_url}/login")',
    "Go to ${base_url}/login": 'browser_navigate(url="${base_url}/login")',
    "I navigate to the page https://shop.test/cart.": 'browser_navigate(url="https://shop.test/cart")',
    "Please visit “shop.test”": 'browser_navigate(url="shop.test")',
    'Open "/help" in a new tab': 'browser_tab_new(url="/help")',
    'Open a new tab with "/help"': 'browser_tab_new(url="/help")',
    "Open a new tab": "browser_tab_new()",
    "Switch to tab 2": 'browser_tab_switch(tab="2")',
    "Go to tab two": 'browser_tab_switch(tab="2")',
    "Switch to the second tab": 'browser_tab_switch(tab="2")',
    'Switch to the browser tab "Invoice"': 'browser_tab_switch(tab="Invoice")',
    "Close the tab": "browser_tab_close()",
    "Close this browser tab": "browser_tab_close()",
    "Close tab 2": 'browser_tab_close(tab="2")',
    'Close the tab "Invoice"': 'browser_tab_close(tab="Invoice")',
    "Go back": "browser_back()",
    "Go back to the previous page": "browser_back()",
    "Go forward": "browser_forward()",
    "Reload the page": "browser_reload()",
    "Refresh": "browser_reload()",
    'Click the "Log in" button': 'browser_click(element="Log in", role="button")',
    "Click on the Login button": 'browser_click(element="Login", role="button")',
    'Tap "Cart"': 'browser_click(element="Cart")',
    'Press the button named "Save"': 'browser_click(element="Save", role="button")',
    'Click "Remove" in the "Backpack" row': 'browser_click(element="Remove", within="Backpack")',
    'Click the "Remove" button in the row with "Backpack"': (
        'browser_click(element="Remove", role="button", within="Backpack")'
    ),
    'Click "A" and "B"': 'browser_click(element="A"), browser_click(element="B")',
    'Click the "+" button three times': (
        'browser_click(element="+", role="button"), browser_click(element="+", role="button"), '
        'browser_click(element="+", role="button")'
    ),
    'Choose "Settings"': 'browser_click(element="Settings")',
    'Choose the "Express" radio button': 'browser_check(element="Express", role="radio")',
    'Select the "Express" radio button': 'browser_check(element="Express", role="radio")',
    'Select the "Details" tab': 'browser_click(element="Details", role="tab")',
    'Select the "Copy" menu item': 'browser_click(element="Copy", role="menuitem")',
    'Open the "File" menu': 'browser_click(element="File")',
    'Open the "Details" tab': 'browser_click(element="Details", role="tab")',
    'Open the "Cart" link': 'browser_click(element="Cart", role="link")',
    'Double-click the "Backpack" row': 'browser_double_click(element="Backpack", role="row")',
    'Double click on "Backpack"': 'browser_double_click(element="Backpack")',
    'Right-click the "Backpack" row': 'browser_right_click(element="Backpack", role="row")',
    'Hover over the "Account" menu': 'browser_hover(element="Account")',
    'Move the mouse over "Account"': 'browser_hover(element="Account")',
    "Scroll down": 'browser_scroll(direction="down")',
    "Scroll up": 'browser_scroll(direction="up")',
    "Scroll to the bottom of the page": 'browser_scroll(direction="bottom")',
    "Scroll down to the end": 'browser_scroll(direction="bottom")',
    "Scroll to the top of the page": 'browser_scroll(direction="top")',
    'Scroll to the "Reviews" heading': 'browser_scroll(element="Reviews", role="heading")',
    'Scroll "Reviews" into view': 'browser_scroll(element="Reviews")',
    "Press Enter": 'browser_press(key="Enter")',
    "Hit the Escape key": 'browser_press(key="Escape")',
    "Press Ctrl + A": 'browser_press(key="Control+a")',
    "Press the down arrow": 'browser_press(key="ArrowDown")',
    "Press Shift+Tab": 'browser_press(key="Shift+Tab")',
    'Press Ctrl+A in the "Search" field': 'browser_press(key="Control+a", element="Search")',
    'Press Enter in "Search"': 'browser_press(key="Enter", element="Search")',
    "Press Tab 3 times": 'browser_press(key="Tab"), browser_press(key="Tab"), browser_press(key="Tab")',
    'Type "tester" into the "User name" field': 'browser_type(element="User name", text="tester")',
    'Type ${secret:SHOP_PASSWORD} into "Password"': 'browser_type(element="Password", text="${secret:SHOP_PASSWORD}")',
    "The user enters 'a b' in the search box": 'browser_type(element="search", text="a b")',
    'Enter "tester" as the user name': 'browser_type(element="user name", text="tester")',
    'Type "a" into the "X" field and "b" into the "Y" field': (
        'browser_type(element="X", text="a"), browser_type(element="Y", text="b")'
    ),
    'Fill in the "Name" field with "Ada"': 'browser_type(element="Name", text="Ada")',
    'Set the "Quantity" field to 2': 'browser_type(element="Quantity", text="2")',
    'Set the "Category" dropdown to "Bags"': 'browser_select(element="Category", options=["Bags"])',
    'Clear the "Search" field': 'browser_clear(element="Search")',
    'Delete the text in the "Search" field': 'browser_clear(element="Search")',
    'Select "Bags" in "Category"': 'browser_select(element="Category", options=["Bags"])',
    'Choose the option "M" from the "Size" dropdown': 'browser_select(element="Size", options=["M"])',
    'Select "Red" and "Blue" in the "Colours" list': 'browser_select(element="Colours", options=["Red","Blue"])',
    'Check "I accept the terms"': 'browser_check(element="I accept the terms")',
    'Tick the "Newsletter" checkbox': 'browser_check(element="Newsletter", role="checkbox")',
    'Check "A" and "B"': 'browser_check(element="A"), browser_check(element="B")',
    'Uncheck "Newsletter"': 'browser_uncheck(element="Newsletter")',
    'Untick the checkbox "Newsletter"': 'browser_uncheck(element="Newsletter", role="checkbox")',
    'Upload "delivery-note.txt" to "Delivery note"': (
        'browser_upload(element="Delivery note", files=["delivery-note.txt"])'
    ),
    'Attach the files "a.png" and "b.png" to the "Photos" field': (
        'browser_upload(element="Photos", files=["a.png","b.png"])'
    ),
    'Upload the file "cv.pdf" as the delivery note': 'browser_upload(element="delivery note", files=["cv.pdf"])',
    'Download the "Invoice" link': 'browser_download(element="Invoice", role="link")',
    'Download the file by clicking "Export"': 'browser_download(element="Export")',
    'Download "Invoice" as "invoice.pdf"': 'browser_download(element="Invoice", save_as="invoice.pdf")',
    'Click "Export" and save the download as "all.csv"': 'browser_download(element="Export", save_as="all.csv")',
    "Accept the dialog": "browser_dialog(accept=true)",
    "Confirm the alert": "browser_dialog(accept=true)",
    "Accept the confirmation dialog": "browser_dialog(accept=true)",
    "Dismiss the alert": "browser_dialog(accept=false)",
    "Cancel the dialog": "browser_dialog(accept=false)",
    'Answer the prompt with "x"': 'browser_dialog(accept=true, text="x")',
    'Take a screenshot named "cart"': 'browser_take_screenshot(name="cart")',
    "Take a screenshot": "browser_take_screenshot()",
    "Take a screenshot of the page": "browser_take_screenshot()",
    "Wait 3 seconds": "browser_wait_for(seconds=3)",
    "Wait for one minute": "browser_wait_for(seconds=60)",
    'Wait until the text "Done" is visible': 'browser_wait_for(text="Done")',
    'Wait for "Done"': 'browser_wait_for(text="Done")',
    'Wait for "Loading" to disappear': 'browser_wait_for(gone="Loading")',
    'Wait until the "Save" button is enabled': 'check_state(element="Save", role="button", state="enabled")',
    'Wait up to 30 seconds for "Done"': 'browser_wait_for(text="Done", seconds=30)',
    'Wait up to two minutes until "Loading" has disappeared': 'browser_wait_for(gone="Loading", seconds=120)',
    'Wait for the text "Done" for up to 30 seconds': 'browser_wait_for(text="Done", seconds=30)',
    'Verify that the page title is "Cart"': 'check_title(title="Cart")',
    'Check that "A" is visible': 'check_text(text="A")',
    "Make sure the exit code is 0": "check_exit_code(code=0)",
    'Run "ls -la"': 'execute_command(command="ls -la")',
    "Run the command `make test`": 'execute_command(command="make test")',
    'In the terminal, execute "x"': 'execute_command(command="x")',
    "Run the command: ls -la": 'execute_command(command="ls -la")',
    "Run the command:\nmkdir shop\ncd shop": 'execute_command(command="mkdir shop\\ncd shop")',
    'Run "make" within five minutes': 'execute_command(command="make", timeout_seconds=300)',
    'Run "make" with a timeout of 90 seconds': 'execute_command(command="make", timeout_seconds=90)',
    'Start "python server.py" in the background': 'execute_command(command="python server.py", background=true)',
    'Write "x" to the file "a.txt"': 'write_file(path="a.txt", content="x")',
    'Save "x" in the file notes.txt': 'write_file(path="notes.txt", content="x")',
    'Create a file "a.txt" with the content "x"': 'write_file(path="a.txt", content="x")',
    'Create the file "a.txt" with the content:\none\ntwo': 'write_file(path="a.txt", content="one\\ntwo")',
    'Create an empty file "a.txt"': 'write_file(path="a.txt", content="")',
    'Read the file "a.txt"': 'read_file(path="a.txt")',
    "List the files": "list_files()",
    'List the files in the folder "build"': 'list_files(path="build")',
    'Send a GET request to "${base_url}/api/orders"': 'http_request(method="GET", url="${base_url}/api/orders")',
    "GET https://shop.test/api": 'http_request(method="GET", url="https://shop.test/api")',
    'Send a PUT request to "/api/cart" with the body \'{"count": 2}\'': (
        'http_request(method="PUT", url="/api/cart", body="{\\"count\\": 2}")'
    ),
    'POST \'{"a":1}\' to "${base_url}/api"': 'http_request(method="POST", url="${base_url}/api", body="{\\"a\\":1}")',
    'Send a GET request to "/api" with the header "Accept: text/plain"': (
        'http_request(method="GET", url="/api", headers=["Accept: text/plain"])'
    ),
    'Send a POST request to "/api" with the body "a=1" and the header "Accept: text/plain"': (
        'http_request(method="POST", url="/api", body="a=1", headers=["Accept: text/plain"])'
    ),
    'Send a POST request to "/api" with the header "Accept: text/plain" and the body "a=1"': (
        'http_request(method="POST", url="/api", body="a=1", headers=["Accept: text/plain"])'
    ),
    "Remember the order number as ${order}": 'remember(name="order", element="order number")',
    'Remember the "Order number" as ${order}': 'remember(name="order", element="Order number")',
    'Store the text of "Total" in ${total}': 'remember(name="total", element="Total")',
    'Remember the "Price" in the row with "Backpack" as ${price}': (
        'remember(name="price", element="Price", within="Backpack")'
    ),
    'Remember the number in "Total" as ${total}': (
        'remember(name="total", element="Total", pattern="[-+]?\\\\d+(?:[.,]\\\\d+)*")'
    ),
    'Remember the part of the "Order" field matching "A-([0-9]+)" as ${id}': (
        'remember(name="id", element="Order", pattern="A-([0-9]+)")'
    ),
    "Remember the output as ${out}": 'remember(name="out", source="output")',
    "Save the current URL as ${url}": 'remember(name="url", source="url")',
    "Remember the page title as ${title}": 'remember(name="title", source="title")',
    "Remember the number in the output as ${count}": (
        'remember(name="count", pattern="[-+]?\\\\d+(?:[.,]\\\\d+)*", source="output")'
    ),
    'Remember the part of the output matching "id=([0-9]+)" as ${id}': (
        'remember(name="id", pattern="id=([0-9]+)", source="output")'
    ),
    'Ask "What is the code in the mail?" and remember the answer as ${code}': (
        'ask_person(question="What is the code in the mail?", name="code")'
    ),
    'Ask "Please approve the login on the phone" and wait for the answer': (
        'ask_person(question="Please approve the login on the phone")'
    ),
    'Remember what matches "id=([0-9]+)" in the output as ${id}': (
        'remember(name="id", pattern="id=([0-9]+)", source="output")'
    ),
}

WORDINGS = {
    'Ask "What, and why?" and remember the answer as ${why}': 'ask_person(question="What, and why?", name="why")',
    "Ask the tester for “the code” and store the answer in ${code}": 'ask_person(question="the code", name="code")',
    'Type "x" into "F", ask someone "What?" and remember the answer as ${c}': (
        'browser_type(element="F", text="x"), ask_person(question="What?", name="c")'
    ),
    'CLICK THE "LOGIN" BUTTON': 'browser_click(element="LOGIN", role="button")',
    'Please click on the "Save" button, then press Enter.': (
        'browser_click(element="Save", role="button"), browser_press(key="Enter")'
    ),
    'I click "Save" and then I wait until "Saved" is shown': (
        'browser_click(element="Save"), browser_wait_for(text="Saved")'
    ),
    'The user clicks on the link "Terms of Service"': 'browser_click(element="Terms of Service", role="link")',
    "User taps the Terms of Service link": 'browser_click(element="Terms of Service", role="link")',
    "Click the Log in button": 'browser_click(element="Log in", role="button")',
    "Push the 'Send' button": 'browser_click(element="Send", role="button")',
    "Click on “Log in”": 'browser_click(element="Log in")',
    "Click ‘Log in’": 'browser_click(element="Log in")',
    "Click `Log in`": 'browser_click(element="Log in")',
    'Click on the "Remove" button of the "Backpack" card': (
        'browser_click(element="Remove", role="button", within="Backpack")'
    ),
    "Click the Save button in the Backpack row": 'browser_click(element="Save", role="button", within="Backpack")',
    'Click the checkbox in the "Backpack" row': 'browser_click(element="", role="checkbox", within="Backpack")',
    'Click the "OK" button in the dialog': 'browser_click(element="OK", role="button", within="dialog")',
    'Click the text "More"': 'browser_click(element="More")',
    "Click the ${name} button": 'browser_click(element="${name}", role="button")',
    'Press the "Enter" key': 'browser_press(key="Enter")',
    'Press the Enter key in the "Search" field': 'browser_press(key="Enter", element="Search")',
    "Press ctrl-c": 'browser_press(key="Control+c")',
    "Press Control+Shift+K": 'browser_press(key="Control+Shift+K")',
    "Press A": 'browser_press(key="A")',
    "Press the space bar": 'browser_press(key="Space")',
    "Press Page Down twice": 'browser_press(key="PageDown"), browser_press(key="PageDown")',
    "Press Tab and Enter": 'browser_press(key="Tab"), browser_press(key="Enter")',
    'Type "a" in "Name", "b" in "E-mail" and "c" in "Password"': (
        'browser_type(element="Name", text="a"), browser_type(element="E-mail", text="b"), '
        'browser_type(element="Password", text="c")'
    ),
    'Enter the text "tester" in the field "User name"': 'browser_type(element="User name", text="tester")',
    'Fill the Username field with "tester"': 'browser_type(element="Username", text="tester")',
    'Put "a" in the field labelled "X"': 'browser_type(element="X", text="a")',
    'Key in "a" into "X"': 'browser_type(element="X", text="a")',
    'Type ${a}-${b} into "X"': 'browser_type(element="X", text="${a}-${b}")',
    'Change the "Quantity" field to 3': 'browser_type(element="Quantity", text="3")',
    'Pick "M" for "Size"': 'browser_select(element="Size", options=["M"])',
    'Select the option "M" in the "Size" select': 'browser_select(element="Size", options=["M"])',
    'Check the box "I agree"': 'browser_check(element="I agree")',
    'Turn on the "Dark mode" switch': 'browser_check(element="Dark mode", role="switch")',
    'Tick "News" and untick "Offers"': 'browser_check(element="News"), browser_uncheck(element="Offers")',
    'Check the page title is "X"': 'check_title(title="X")',
    'Verify that the page shows "A" and the title is "B"': 'check_text(text="A"), check_title(title="B")',
    'Expect "A" to be visible': 'check_text(text="A")',
    'Wait until "Loading" is no longer visible': 'browser_wait_for(gone="Loading")',
    'Wait for the "Save" button to be enabled': 'check_state(element="Save", role="button", state="enabled")',
    'Wait until "A" is visible and "B" is gone': 'browser_wait_for(text="A"), browser_wait_for(gone="B")',
    'Choose the file "a.txt" in "Delivery note"': 'browser_upload(element="Delivery note", files=["a.txt"])',
    'Open "http://x.y" in a new tab and switch to tab 2': (
        'browser_tab_new(url="http://x.y"), browser_tab_switch(tab="2")'
    ),
    'First, open "http://a.b"; then click "X". Finally, press Enter': (
        'browser_navigate(url="http://a.b"), browser_click(element="X"), browser_press(key="Enter")'
    ),
    '- Click "A"\n- Click "B"': 'browser_click(element="A"), browser_click(element="B")',
    '1. Click "A"\n2. Click "B"': 'browser_click(element="A"), browser_click(element="B")',
    "Run the shell command 'echo \"hi\"'": 'execute_command(command="echo \\"hi\\"")',
    'Run "make" and check that the exit code is 0': 'execute_command(command="make"), check_exit_code(code=0)',
    "Run the command:\n```sh\n  if true; then\n    ls\n  fi\n```": (
        'execute_command(command="  if true; then\\n    ls\\n  fi")'
    ),
    'Create the file "a.txt" with this content:\n  - "one" and\n  - two, then': (
        'write_file(path="a.txt", content="- \\"one\\" and\\n- two, then")'
    ),
    "Make a GET request to /api/orders": 'http_request(method="GET", url="/api/orders")',
    'DELETE "${base_url}/api/1"': 'http_request(method="DELETE", url="${base_url}/api/1")',
    'Remember the total in the "Cart" section as ${t}': 'remember(name="t", element="total", within="Cart")',
    r'Remember the part of the URL matching "id=(\d+)" as ${id}': (
        r'remember(name="id", pattern="id=(\\d+)", source="url")'
    ),
    r'Remember the part of the URL matching "id=(\\d+)" as ${id}': (
        r'remember(name="id", pattern="id=(\\d+)", source="url")'
    ),
}


def test_the_table_has_every_example_of_an_action():
    assert set(ACTIONS) == {example for phrase in PHRASES if phrase.kind == "action" for example in phrase.examples}


@pytest.mark.parametrize("sentence", [*ACTIONS, *WORDINGS])
def test_an_action_stands_for_its_calls(sentence: str):
    assert shown(parse_action(sentence)) == (ACTIONS | WORDINGS)[sentence]


def test_only_checks_of_expectations_name_a_clause():
    assert [call.clause for call in parse_action('Click "A" and verify that "B" is visible')] == ["", ""]

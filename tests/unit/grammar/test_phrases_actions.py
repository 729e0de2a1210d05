"""The calls that actions stand for: every example of the catalogue, and more of the wordings that testers use."""

from phrase_readings import DEED_WORDINGS, DEEDS

from muster_grammar import PHRASES, parse_action
from muster_grammar.engine import shown

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
    "Go back": "back()",
    "Go back to the previous page": "back()",
    "Go forward": "browser_forward()",
    "Reload the page": "browser_reload()",
    "Refresh": "browser_reload()",
    'Click the "Log in" button': 'click(element="Log in", role="button")',
    "Click on the Login button": 'click(element="Login", role="button")',
    'Tap "Cart"': 'click(element="Cart")',
    'Press the button named "Save"': 'click(element="Save", role="button")',
    'Click "Remove" in the "Backpack" row': 'click(element="Remove", within="Backpack")',
    'Click the "Remove" button in the row with "Backpack"': (
        'click(element="Remove", role="button", within="Backpack")'
    ),
    'Click "A" and "B"': 'click(element="A"), click(element="B")',
    'Click the second "Remove" button': 'click(element="Remove", role="button", within=["2nd"])',
    'Click the "Edit" link in the row with "Ada" in the "Users" table': (
        'click(element="Edit", role="link", within=["in \\"Ada\\"","in table \\"Users\\""])'
    ),
    'Click the checkbox next to "Buy milk"': ('click(element="", role="checkbox", within=["next to \\"Buy milk\\""])'),
    "Click the submit button": 'click(element="", role="button", within=["of type submit"])',
    "Click login": 'click(element="login", within=["by its whole name"])',
    "Click on Log out": 'click(element="Log out", within=["by its whole name"])',
    'Click the "+" button three times': (
        'click(element="+", role="button"), click(element="+", role="button"), click(element="+", role="button")'
    ),
    'Click twice on the "+" button': 'click(element="+", role="button"), click(element="+", role="button")',
    'Click in the "Country" dropdown': 'click(element="Country", role="combobox")',
    "Leave the password empty": 'clear(element="password")',
    'Choose "Settings"': 'click(element="Settings")',
    'Choose the "Express" radio button': 'check(element="Express", role="radio")',
    'Select the "Express" radio button': 'check(element="Express", role="radio")',
    'Select the "Details" tab': 'click(element="Details", role="tab")',
    'Select the "Copy" menu item': 'click(element="Copy", role="menuitem")',
    'Open the "File" menu': 'click(element="File")',
    'Open the "Details" tab': 'click(element="Details", role="tab")',
    'Open the "Cart" link': 'click(element="Cart", role="link")',
    "Click outside the dialog": 'click_outside(element="", role="dialog")',
    'Click outside of the "Filters" menu': 'click_outside(element="Filters")',
    "Click outside": "click_outside()",
    "Click anywhere else": "click_outside()",
    "Click on an empty area": "click_outside()",
    'Leave the "Email" field': 'click_outside(element="Email")',
    "Leave the field": 'press(key="Tab")',
    'Tab out of the "Email" field': 'press(key="Tab", element="Email")',
    'Double-click the "Backpack" row': 'double_click(element="Backpack", role="row")',
    'Double click on "Backpack"': 'double_click(element="Backpack")',
    'Right-click the "Backpack" row': 'browser_right_click(element="Backpack", role="row")',
    'Hover over the "Account" menu': 'hover(element="Account")',
    'Move the mouse over "Account"': 'hover(element="Account")',
    "Scroll down": 'scroll(direction="down")',
    "Scroll up": 'scroll(direction="up")',
    "Scroll to the bottom of the page": 'scroll(direction="bottom")',
    "Scroll down to the end": 'scroll(direction="bottom")',
    "Scroll to the top of the page": 'scroll(direction="top")',
    'Scroll to the "Reviews" heading': 'scroll(element="Reviews", role="heading")',
    'Scroll "Reviews" into view': 'scroll(element="Reviews")',
    "Press Enter": 'press(key="Enter")',
    "Hit the Escape key": 'press(key="Escape")',
    "Press Ctrl + A": 'press(key="Control+a")',
    "Press the down arrow": 'press(key="ArrowDown")',
    "Press Shift+Tab": 'press(key="Shift+Tab")',
    'Press Ctrl+A in the "Search" field': 'press(key="Control+a", element="Search")',
    'Press Enter in "Search"': 'press(key="Enter", element="Search")',
    "Press Tab 3 times": 'press(key="Tab"), press(key="Tab"), press(key="Tab")',
    'Type "tester" into the "User name" field': 'type(element="User name", text="tester")',
    'Type ${secret:SHOP_PASSWORD} into "Password"': 'type(element="Password", text="${secret:SHOP_PASSWORD}")',
    "The user enters 'a b' in the search box": (
        'type(element="", role="textbox", within=["of type search"], text="a b")'
    ),
    'Enter "tester" as the user name': 'type(element="user name", text="tester")',
    'Type "a" into the "X" field and "b" into the "Y" field': (
        'type(element="X", text="a"), type(element="Y", text="b")'
    ),
    'Fill in the "Name" field with "Ada"': 'type(element="Name", text="Ada")',
    'Set the "Quantity" field to 2': 'type(element="Quantity", text="2")',
    'Set "Ada" as the name': 'type(element="name", text="Ada")',
    'Set the "Category" dropdown to "Bags"': 'select(element="Category", options=["Bags"])',
    'Clear the "Search" field': 'clear(element="Search")',
    'Delete the text in the "Search" field': 'clear(element="Search")',
    'Select "Bags" in "Category"': 'select(element="Category", options=["Bags"])',
    'Choose the option "M" from the "Size" dropdown': 'select(element="Size", options=["M"])',
    'Select "Red" and "Blue" in the "Colours" list': 'select(element="Colours", options=["Red","Blue"])',
    'Check "I accept the terms"': 'check(element="I accept the terms")',
    'Tick the "Newsletter" checkbox': 'check(element="Newsletter", role="checkbox")',
    'Check "A" and "B"': 'check(element="A"), check(element="B")',
    'Uncheck "Newsletter"': 'uncheck(element="Newsletter")',
    'Untick the checkbox "Newsletter"': 'uncheck(element="Newsletter", role="checkbox")',
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
    "Accept the dialog": "dialog(accept=true)",
    "Confirm the alert": "dialog(accept=true)",
    "Accept the confirmation dialog": "dialog(accept=true)",
    "Dismiss the alert": "dialog(accept=false)",
    "Cancel the dialog": "dialog(accept=false)",
    "Close the alert": "dialog(accept=false)",
    'Answer the prompt with "x"': 'dialog(accept=true, text="x")',
    "Switch to the new tab": 'browser_tab_switch(tab="-1")',
    "Switch to the newly opened window": 'browser_tab_switch(tab="-1")',
    'Take a screenshot named "cart"': 'take_screenshot(name="cart")',
    "Take a screenshot": "take_screenshot()",
    "Take a screenshot of the page": "take_screenshot()",
    "Wait 3 seconds": "wait_for(seconds=3)",
    "Wait for one minute": "wait_for(seconds=60)",
    'Wait until the text "Done" is visible': 'wait_for(text="Done")',
    'Wait for "Done"': 'wait_for(text="Done")',
    'Wait for "Loading" to disappear': 'wait_for(gone="Loading")',
    'Wait until the "Save" button is enabled': 'check_state(element="Save", role="button", state="enabled")',
    'Wait up to 30 seconds for "Done"': 'wait_for(text="Done", seconds=30)',
    'Wait up to two minutes until "Loading" has disappeared': 'wait_for(gone="Loading", seconds=120)',
    'Wait for the text "Done" for up to 30 seconds': 'wait_for(text="Done", seconds=30)',
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
    'Long tap on "Backpack"': 'long_press(element="Backpack")',
    'Long-press the "Photo" image': 'long_press(element="Photo", role="image")',
    'Press and hold "Backpack"': 'long_press(element="Backpack")',
    "Swipe left": 'swipe(direction="left")',
    "Swipe right": 'swipe(direction="right")',
    "Swipe up": 'swipe(direction="up")',
    "Swipe down": 'swipe(direction="down")',
    'Swipe "Backpack" to the left': 'swipe(direction="left", element="Backpack")',
    'Swipe left on the "Backpack" row': 'swipe(direction="left", element="Backpack", role="row")',
    'Swipe right on the "Backpack" row': 'swipe(direction="right", element="Backpack", role="row")',
    'Swipe up on the "Products" list': 'swipe(direction="up", element="Products", role="list")',
    'Swipe down on the "Products" list': 'swipe(direction="down", element="Products", role="list")',
    "Pull to refresh": 'swipe(direction="down")',
    "Open the app": 'use_app(to="open")',
    "Launch the app": 'use_app(to="open")',
    'Launch the app "com.android.settings"': 'use_app(to="open", app="com.android.settings")',
    "Close the app": 'use_app(to="close")',
    'Close the app "com.android.settings"': 'use_app(to="close", app="com.android.settings")',
    "Restart the app": 'use_app(to="close"), use_app(to="open")',
    "Put the app in the background": 'use_app(to="background")',
    "Reset the app": 'use_app(to="clear")',
    "Open the notification shade": 'use_app(to="notifications")',
    "Clear the app data": 'use_app(to="clear")',
    "Rotate the phone to landscape": 'rotate(to="landscape")',
    "Rotate the phone to portrait": 'rotate(to="portrait")',
}

WORDINGS = {
    'Press "Control+a"': 'press(key="Control+a")',
    'Press "Ctrl+Shift+K"': 'press(key="Control+Shift+K")',
    'Press "Shift + Tab"': 'press(key="Shift+Tab")',
    'Ask "What, and why?" and remember the answer as ${why}': 'ask_person(question="What, and why?", name="why")',
    "Ask the tester for “the code” and store the answer in ${code}": 'ask_person(question="the code", name="code")',
    'Type "x" into "F", ask someone "What?" and remember the answer as ${c}': (
        'type(element="F", text="x"), ask_person(question="What?", name="c")'
    ),
    'CLICK THE "LOGIN" BUTTON': 'click(element="LOGIN", role="button")',
    'Please click on the "Save" button, then press Enter.': (
        'click(element="Save", role="button"), press(key="Enter")'
    ),
    'I click "Save" and then I wait until "Saved" is shown': ('click(element="Save"), wait_for(text="Saved")'),
    'The user clicks on the link "Terms of Service"': 'click(element="Terms of Service", role="link")',
    "User taps the Terms of Service link": 'click(element="Terms of Service", role="link")',
    "Click the Log in button": 'click(element="Log in", role="button")',
    "Push the 'Send' button": 'click(element="Send", role="button")',
    "Click on “Log in”": 'click(element="Log in")',
    "Click ‘Log in’": 'click(element="Log in")',
    "Click `Log in`": 'click(element="Log in")',
    'Click on the "Remove" button of the "Backpack" card': (
        'click(element="Remove", role="button", within="Backpack")'
    ),
    "Click the Save button in the Backpack row": 'click(element="Save", role="button", within="Backpack")',
    'Click the checkbox in the "Backpack" row': 'click(element="", role="checkbox", within="Backpack")',
    'Click the "OK" button in the dialog': 'click(element="OK", role="button", within=["in dialog"])',
    'Click the text "More"': 'click(element="More")',
    "Click the ${name} button": 'click(element="${name}", role="button")',
    'Press the "Enter" key': 'press(key="Enter")',
    'Press the Enter key in the "Search" field': 'press(key="Enter", element="Search")',
    "Click the browser's back button": "back()",
    'Click "A". After that, click "B"': 'click(element="A"), click(element="B")',
    "Go to Settings > Users": 'click(element="Settings"), click(element="Users")',
    'Click on `"Set as default"`': 'click(element="Set as default")',
    "Press ctrl-c": 'press(key="Control+c")',
    "Press Control+Shift+K": 'press(key="Control+Shift+K")',
    "Press A": 'press(key="A")',
    "Press the space bar": 'press(key="Space")',
    "Press Page Down twice": 'press(key="PageDown"), press(key="PageDown")',
    "Press Tab and Enter": 'press(key="Tab"), press(key="Enter")',
    'Type "a" in "Name", "b" in "E-mail" and "c" in "Password"': (
        'type(element="Name", text="a"), type(element="E-mail", text="b"), type(element="Password", text="c")'
    ),
    'Enter the text "tester" in the field "User name"': 'type(element="User name", text="tester")',
    'Fill the Username field with "tester"': 'type(element="Username", text="tester")',
    'Put "a" in the field labelled "X"': 'type(element="X", text="a")',
    'Key in "a" into "X"': 'type(element="X", text="a")',
    'Type ${a}-${b} into "X"': 'type(element="X", text="${a}-${b}")',
    'Change the "Quantity" field to 3': 'type(element="Quantity", text="3")',
    'Pick "M" for "Size"': 'select(element="Size", options=["M"])',
    'Select the option "M" in the "Size" select': 'select(element="Size", options=["M"])',
    'Check the box "I agree"': 'check(element="I agree")',
    'Turn on the "Dark mode" switch': 'check(element="Dark mode", role="switch")',
    'Tick "News" and untick "Offers"': 'check(element="News"), uncheck(element="Offers")',
    'Check the page title is "X"': 'check_title(title="X")',
    'Verify that the page shows "A" and the title is "B"': 'check_text(text="A"), check_title(title="B")',
    'Expect "A" to be visible': 'check_text(text="A")',
    'Wait until "Loading" is no longer visible': 'wait_for(gone="Loading")',
    'Wait for the "Save" button to be enabled': 'check_state(element="Save", role="button", state="enabled")',
    'Wait until "A" is visible and "B" is gone': 'wait_for(text="A"), wait_for(gone="B")',
    'Choose the file "a.txt" in "Delivery note"': 'browser_upload(element="Delivery note", files=["a.txt"])',
    'Open "http://x.y" in a new tab and switch to tab 2': (
        'browser_tab_new(url="http://x.y"), browser_tab_switch(tab="2")'
    ),
    'First, open "http://a.b"; then click "X". Finally, press Enter': (
        'browser_navigate(url="http://a.b"), click(element="X"), press(key="Enter")'
    ),
    '- Click "A"\n- Click "B"': 'click(element="A"), click(element="B")',
    '1. Click "A"\n2. Click "B"': 'click(element="A"), click(element="B")',
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


READINGS = ACTIONS | WORDINGS | DEEDS | DEED_WORDINGS


def test_the_table_has_every_example_of_an_action():
    assert set(ACTIONS | DEEDS) == {
        example for phrase in PHRASES if phrase.kind == "action" for example in phrase.examples
    }


def test_an_action_stands_for_its_calls():
    assert {sentence: shown(parse_action(sentence)) for sentence in READINGS} == READINGS


def test_only_checks_of_expectations_name_a_clause():
    assert [call.clause for call in parse_action('Click "A" and verify that "B" is visible')] == ["", ""]

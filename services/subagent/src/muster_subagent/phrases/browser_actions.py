"""Phrases for what is done in the browser."""

from collections.abc import Callable

from muster_subagent.phrases.engine import Calls, action, call
from muster_subagent.phrases.targets import Target

MOST_TIMES = 50
"""How often one sentence may repeat a click or a key."""


def _on(tool: str, *, field: bool = False) -> Callable[[Target], Calls]:
    return lambda target: (call(tool, **target.arguments(field=field)),)


def _open(url: str) -> Calls:
    return (call("browser_navigate", url=url),)


def _open_in_tab(url: str) -> Calls:
    return (call("browser_tab_new", url=url),)


def _plain(tool: str) -> Callable[[], Calls]:
    return lambda: (call(tool),)


def _click_times(target: Target, times: int) -> Calls:
    return _on("browser_click")(target) * times if 0 < times <= MOST_TIMES else ()


def _choose(target: Target) -> Calls:
    """Without a noun, `Choose "B" in "Tags"` is about an option, so only a name alone is clicked."""
    return _pick(target) if target.noun else (() if target.within else _on("browser_click")(target))


def _pick(target: Target) -> Calls:
    if target.role in {"radio", "checkbox", "switch"}:
        return _on("browser_check")(target)
    return _on("browser_click")(target) if target.role not in {"option", "combobox", "textbox"} else ()


def _open_element(target: Target) -> Calls:
    return _on("browser_click")(target) if target.role != "dialog" else ()


def _press(key: str) -> Calls:
    return (call("browser_press", key=key),)


def _press_in(key: str, target: Target) -> Calls:
    return (call("browser_press", key=key, **target.arguments(field=True)),)


def _press_times(key: str, times: int) -> Calls:
    return _press(key) * times if 0 < times <= MOST_TIMES else ()


def _type(text: str, target: Target) -> Calls:
    if target.role in {"textbox", ""} and target.noun not in {"card", "section", "form"}:
        return (call("browser_type", **target.arguments(field=True), text=text),)
    return ()


def _fill(target: Target, text: str) -> Calls:
    if target.role in {"combobox", "list"}:
        return _select((text,), target)
    return _type(text, target)


def _select(options: tuple[str, ...], target: Target) -> Calls:
    if target.role in {"combobox", "list", ""}:
        return (call("browser_select", **target.arguments(field=True), options=list(options)),)
    return ()


def _upload(files: tuple[str, ...], target: Target) -> Calls:
    return (call("browser_upload", **target.arguments(field=True), files=list(files)),)


def _download(target: Target) -> Calls:
    return (call("browser_download", **target.arguments()),)


def _download_as(target: Target, file: str) -> Calls:
    return (call("browser_download", **target.arguments(), save_as=file),)


def _scroll(direction: str) -> Callable[[], Calls]:
    return lambda: (call("browser_scroll", direction=direction),)


def _dialog(*, accept: bool) -> Callable[[str], Calls]:
    return lambda _dialog: (call("browser_dialog", accept=accept),)


def _answer(_dialog: str, text: str) -> Calls:
    return (call("browser_dialog", accept=True, text=text),)


def _switch_tab(tab: str) -> Calls:
    return (call("browser_tab_switch", tab=tab),)


def _switch_tab_number(number: int) -> Calls:
    return _switch_tab(str(number)) if number else ()


def _close_tab(tab: str) -> Calls:
    return (call("browser_tab_close", tab=tab),)


def _close_tab_number(number: int) -> Calls:
    return _close_tab(str(number)) if number else ()


def _screenshot(name: str) -> Calls:
    return (call("browser_take_screenshot", name=name),)


NAVIGATION = (
    action(
        "Open {url}",
        "Open the browser at/on/with {url}",
        build=_open,
        description="Opens an address in the current tab.",
        examples=(
            'Open "${base_url}/login"',
            "Go to ${base_url}/login",
            "I navigate to the page https://shop.test/cart.",
            "Please visit “shop.test”",
        ),
    ),
    action(
        "Open {url} in a new tab",
        "Open a new tab with/at/on {url}",
        build=_open_in_tab,
        description="Opens an address in a new browser tab.",
        examples=('Open "/help" in a new tab', 'Open a new tab with "/help"'),
    ),
    action(
        "Open a new tab",
        "Open a new browser tab",
        build=_plain("browser_tab_new"),
        description="Opens an empty browser tab.",
        examples=("Open a new tab",),
    ),
    action(
        "Switch to tab {number}",
        "Switch to browser tab {number}",
        "Open tab {number}",
        build=_switch_tab_number,
        description="Goes to a browser tab by its number, counted from 1.",
        examples=("Switch to tab 2", "Go to tab two"),
    ),
    action(
        "Switch to the {ordinal} tab",
        "Switch to the {ordinal} browser tab",
        build=_switch_tab_number,
        description="Goes to a browser tab by its place.",
        examples=("Switch to the second tab",),
    ),
    action(
        "Switch to the browser tab {text}",
        "Switch to the {text} browser tab",
        "Switch to the tab {text}",
        "Switch to the {text} tab",
        build=_switch_tab,
        description="Goes to the browser tab whose title or address has this text.",
        examples=('Switch to the browser tab "Invoice"',),
    ),
    action(
        "Close the tab",
        "Close the current tab",
        "Close the browser tab",
        build=_plain("browser_tab_close"),
        description="Closes the current browser tab.",
        examples=("Close the tab", "Close this browser tab"),
    ),
    action(
        "Close tab {number}",
        "Close the {ordinal} tab",
        build=_close_tab_number,
        description="Closes a browser tab by its number, counted from 1.",
        examples=("Close tab 2",),
    ),
    action(
        "Close the browser tab {text}",
        "Close the {text} browser tab",
        "Close the tab {text}",
        "Close the {text} tab",
        build=_close_tab,
        description="Closes the browser tab whose title or address has this text.",
        examples=('Close the tab "Invoice"',),
    ),
    action(
        "Go back",
        build=_plain("browser_back"),
        description="Goes back one page.",
        examples=("Go back", "Go back to the previous page"),
    ),
    action(
        "Go forward",
        build=_plain("browser_forward"),
        description="Goes forward one page.",
        examples=("Go forward",),
    ),
    action(
        "Reload the page",
        "Reload",
        "Reload the current page",
        build=_plain("browser_reload"),
        description="Loads the page again.",
        examples=("Reload the page", "Refresh"),
    ),
)

POINTING = (
    action(
        "Click {target}",
        "Press {target}",
        build=_on("browser_click"),
        description="Clicks an element.",
        examples=(
            'Click the "Log in" button',
            "Click on the Login button",
            'Tap "Cart"',
            'Press the button named "Save"',
            'Click "Remove" in the "Backpack" row',
            'Click the "Remove" button in the row with "Backpack"',
            'Click "A" and "B"',
        ),
    ),
    action(
        "Click {target} {times}",
        "Press {target} {times}",
        build=_click_times,
        description=f"Clicks an element several times, at most {MOST_TIMES}.",
        examples=('Click the "+" button three times',),
    ),
    action(
        "Choose {target}",
        build=_choose,
        description="Clicks an element; checks it when it is a radio button or a checkbox.",
        examples=('Choose "Settings"', 'Choose the "Express" radio button'),
    ),
    action(
        "Select {element}",
        build=_pick,
        description="Clicks an element whose kind is named; checks it when it is a radio button or a checkbox.",
        examples=('Select the "Express" radio button', 'Select the "Details" tab', 'Select the "Copy" menu item'),
    ),
    action(
        "Open {element}",
        "Switch to {element}",
        build=_open_element,
        description="Opens a menu, a tab of the page, a link or a list by a click.",
        examples=('Open the "File" menu', 'Open the "Details" tab', 'Open the "Cart" link'),
    ),
    action(
        "Double-click {target}",
        build=_on("browser_double_click"),
        description="Clicks an element twice in quick succession.",
        examples=('Double-click the "Backpack" row', 'Double click on "Backpack"'),
    ),
    action(
        "Right-click {target}",
        build=_on("browser_right_click"),
        description="Clicks an element with the right mouse button.",
        examples=('Right-click the "Backpack" row',),
    ),
    action(
        "Hover over {target}",
        build=_on("browser_hover"),
        description="Moves the mouse over an element.",
        examples=('Hover over the "Account" menu', 'Move the mouse over "Account"'),
    ),
    action(
        "Scroll down",
        "Scroll the page down",
        "Scroll down the page",
        build=_scroll("down"),
        description="Scrolls down by about a screen.",
        examples=("Scroll down",),
    ),
    action(
        "Scroll up",
        "Scroll the page up",
        "Scroll up the page",
        build=_scroll("up"),
        description="Scrolls up by about a screen.",
        examples=("Scroll up",),
    ),
    action(
        "Scroll (down/page) to the bottom/end",
        "Scroll (down/page) to the bottom/end of the page",
        build=_scroll("bottom"),
        description="Scrolls to the end of the page.",
        examples=("Scroll to the bottom of the page", "Scroll down to the end"),
    ),
    action(
        "Scroll (up/page) to the top",
        "Scroll (up/page) to the top of the page",
        build=_scroll("top"),
        description="Scrolls to the beginning of the page.",
        examples=("Scroll to the top of the page",),
    ),
    action(
        "Scroll (down/up) to {target}",
        "Scroll {target} into view",
        build=_on("browser_scroll"),
        description="Scrolls until an element can be seen.",
        examples=('Scroll to the "Reviews" heading', 'Scroll "Reviews" into view'),
    ),
)

KEYBOARD = (
    action(
        "Press {key}",
        build=_press,
        description="Presses a key or a chord where the focus is.",
        examples=("Press Enter", "Hit the Escape key", "Press Ctrl + A", "Press the down arrow", "Press Shift+Tab"),
    ),
    action(
        "Press {key} in/on/inside {target}",
        build=_press_in,
        description="Presses a key or a chord in an element.",
        examples=('Press Ctrl+A in the "Search" field', 'Press Enter in "Search"'),
    ),
    action(
        "Press {key} {times}",
        build=_press_times,
        description=f"Presses a key several times, at most {MOST_TIMES}.",
        examples=("Press Tab 3 times",),
    ),
)

FORMS = (
    action(
        "Type {text} into/in/to/on {target}",
        "Write/Put/Input/Insert {text} into/in {target}",
        "Fill {text} into/in {target}",
        "Key in {text} into/in {target}",
        "Type {text} as/for {thing}",
        build=_type,
        description="Puts a text into a field in place of what it holds.",
        examples=(
            'Type "tester" into the "User name" field',
            'Type ${secret:SHOP_PASSWORD} into "Password"',
            "The user enters 'a b' in the search box",
            'Enter "tester" as the user name',
            'Type "a" into the "X" field and "b" into the "Y" field',
        ),
    ),
    action(
        "Fill {target} with {text}",
        "Set {target} to {text}",
        build=_fill,
        description="Puts a text into a field; selects the option when the field is called a list.",
        examples=(
            'Fill in the "Name" field with "Ada"',
            'Set the "Quantity" field to 2',
            'Set the "Category" dropdown to "Bags"',
        ),
    ),
    action(
        "Clear {target}",
        "Empty {target}",
        "Clear/Delete/Remove/Empty the text/value/content/contents of/in/from {target}",
        build=_on("browser_clear", field=True),
        description="Empties a field.",
        examples=('Clear the "Search" field', 'Delete the text in the "Search" field'),
    ),
    action(
        "Select/Choose {options} in/from/of/for/on {target}",
        "Select/Choose {options} as {thing}",
        build=_select,
        description="Selects options of a list.",
        examples=(
            'Select "Bags" in "Category"',
            'Choose the option "M" from the "Size" dropdown',
            'Select "Red" and "Blue" in the "Colours" list',
        ),
    ),
    action(
        "Check {target}",
        build=_on("browser_check"),
        description="Checks a checkbox or a radio button.",
        examples=('Check "I accept the terms"', 'Tick the "Newsletter" checkbox', 'Check "A" and "B"'),
    ),
    action(
        "Uncheck {target}",
        build=_on("browser_uncheck"),
        description="Unchecks a checkbox.",
        examples=('Uncheck "Newsletter"', 'Untick the checkbox "Newsletter"'),
    ),
    action(
        "Upload {files} to/into/in/for/with/using/via {target}",
        "Select/Choose the file/files {files} in/for/from {target}",
        "Upload {files} as {thing}",
        build=_upload,
        description="Hands files of the session's directory to a file field.",
        examples=(
            'Upload "delivery-note.txt" to "Delivery note"',
            'Attach the files "a.png" and "b.png" to the "Photos" field',
            'Upload the file "cv.pdf" as the delivery note',
        ),
    ),
    action(
        "Download {target}",
        "Download the file by clicking {target}",
        "Download the file with {target}",
        build=_download,
        description="Clicks an element and stores what it downloads in the session's directory.",
        examples=('Download the "Invoice" link', 'Download the file by clicking "Export"'),
    ),
    action(
        "Download {target} as/to {file}",
        "Download {target} as/to the file {file}",
        "Click {target} and save the download as {file}",
        "Click {target} and save the file as {file}",
        build=_download_as,
        description="Clicks an element and stores what it downloads under this name.",
        examples=('Download "Invoice" as "invoice.pdf"', 'Click "Export" and save the download as "all.csv"'),
    ),
)

DIALOGS = (
    action(
        "Accept/Confirm the {dialog}",
        build=_dialog(accept=True),
        description="Answers the browser's dialog with OK.",
        examples=("Accept the dialog", "Confirm the alert", "Accept the confirmation dialog"),
    ),
    action(
        "Dismiss the {dialog}",
        build=_dialog(accept=False),
        description="Answers the browser's dialog with Cancel.",
        examples=("Dismiss the alert", "Cancel the dialog"),
    ),
    action(
        "Answer the {dialog} with {text}",
        build=_answer,
        description="Puts a text into the browser's prompt and answers with OK.",
        examples=('Answer the prompt with "x"',),
    ),
    action(
        "Take a screenshot named/called/as {text}",
        build=_screenshot,
        description="Stores a picture of the page under this name.",
        examples=('Take a screenshot named "cart"',),
    ),
    action(
        "Take a screenshot",
        build=_plain("browser_take_screenshot"),
        description="Stores a picture of the page.",
        examples=("Take a screenshot", "Take a screenshot of the page"),
    ),
)

BROWSER_ACTIONS = (*NAVIGATION, *POINTING, *KEYBOARD, *FORMS, *DIALOGS)

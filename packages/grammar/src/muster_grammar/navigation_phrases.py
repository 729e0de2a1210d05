"""Phrases for pages, tabs, dialogs and pictures of the browser."""

from collections.abc import Callable

from muster_grammar.engine import Calls, Phrase, action, call
from muster_grammar.page_phrases import may_be_address
from muster_protocol.sessions import NEWEST_TAB


def _open(url: str) -> Calls:
    return (call("browser_navigate", url=url),)


def _open_in_tab(url: str) -> Calls:
    return (call("browser_tab_new", url=url),)


def _on_page(name: str) -> Calls:
    return () if may_be_address(name) else (call("check_page", name=name),)


def _plain(tool: str) -> Callable[[], Calls]:
    return lambda: (call(tool),)


def _switch_tab(tab: str) -> Calls:
    return (call("browser_tab_switch", tab=tab),)


def _switch_tab_number(number: int) -> Calls:
    return _switch_tab(str(number)) if number else ()


def _switch_to_newest() -> Calls:
    return _switch_tab(NEWEST_TAB)


def _close_tab(tab: str) -> Calls:
    return (call("browser_tab_close", tab=tab),)


def _close_tab_number(number: int) -> Calls:
    return _close_tab(str(number)) if number else ()


def _dialog(*, accept: bool) -> Callable[[str], Calls]:
    return lambda _dialog="": (call("dialog", accept=accept),)


def _answer(_dialog: str, text: str) -> Calls:
    return (call("dialog", accept=True, text=text),)


def _prompted(text: str) -> Calls:
    return (call("dialog", text=text),)


def _screenshot(name: str) -> Calls:
    return (call("take_screenshot", name=name),)


NAVIGATION: tuple[Phrase, ...] = (
    action(
        "Open {url}",
        "Open the path/route/endpoint {url}",
        "Open the browser at/on/with {url}",
        "Go back to {url}",
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
        "I am on {url}",
        build=_open,
        description="Opens an address in the current tab.",
        examples=('I am on "/login"',),
    ),
    action(
        "I am on the {text} page",
        "I am on the page {text}",
        build=_on_page,
        description="Checks the name of the page, in its title or as a heading, before the next action.",
        examples=('I am on the "Your orders" page',),
    ),
    action(
        "Open {url} in a new tab",
        "Open a new tab with/at/on {url}",
        "Open tab {url}",
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
        "Switch to the {ordinal} window",
        "Open/Select/Choose/Activate the {ordinal} browser tab",
        build=_switch_tab_number,
        description="Goes to a browser tab by its place.",
        examples=("Switch to the second tab",),
    ),
    action(
        "Switch to the new (browser) tab/window",
        "Switch to the newly opened (browser) tab/window",
        build=_switch_to_newest,
        description="Goes to the browser tab that was opened last.",
        examples=("Switch to the new tab", "Switch to the newly opened window"),
    ),
    action(
        "Switch to the browser tab {text}",
        "Switch to the {text} browser tab",
        build=_switch_tab,
        description="Goes to the browser tab whose title or address has this text.",
        examples=('Switch to the browser tab "Invoice"',),
    ),
    action(
        "Close the tab",
        "Close the current tab",
        "Close the (current) browser tab",
        "Close the (current) (browser) window",
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
        build=_plain("back"),
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
        "Reload the browser page",
        "Reload the document",
        "Reload the (browser) tab/browser/window",
        build=_plain("browser_reload"),
        description="Loads the page again.",
        examples=("Reload the page", "Refresh"),
    ),
)


def _press_in_alert(name: str) -> Calls:
    """The buttons of the browser's own dialogs; others belong to the page."""
    known = {"ok": True, "cancel": False}
    return (call("dialog", accept=known[name.lower()]),) if name.lower() in known else ()


DIALOGS: tuple[Phrase, ...] = (
    action(
        "Accept/Confirm the {dialog}",
        build=_dialog(accept=True),
        description="Answers the browser's dialog with OK.",
        examples=("Accept the dialog", "Confirm the alert", "Accept the confirmation dialog"),
    ),
    action(
        "Click {text} in/on/inside the alert",
        "Click the {text} button in/on/of/inside the alert",
        "Click/Press {alert_button} in/on/of/inside the alert",
        "Click/Press {alert_button} button in/on/of/inside the alert",
        build=_press_in_alert,
        description="Answers the browser's dialog with OK or Cancel.",
        examples=('Click "OK" in the alert', 'Click the "Cancel" button in the alert dialog'),
    ),
    action(
        "Dismiss the {dialog}",
        "Close the alert",
        build=_dialog(accept=False),
        description="Answers the browser's dialog with Cancel.",
        examples=("Dismiss the alert", "Cancel the dialog", "Close the alert"),
    ),
    action(
        "Answer the {dialog} with {text}",
        build=_answer,
        description="Puts a text into the browser's prompt and answers with OK.",
        examples=('Answer the prompt with "x"',),
    ),
    action(
        "Type {text} in/into the alert",
        build=_prompted,
        description="Types into the browser's prompt, which waits for OK or Cancel.",
        examples=('Enter "x" into the prompt',),
    ),
    action(
        "Take a screenshot named/called/as {text}",
        build=_screenshot,
        description="Stores a picture of the page under this name.",
        examples=('Take a screenshot named "cart"',),
    ),
    action(
        "Take a screenshot",
        build=_plain("take_screenshot"),
        description="Stores a picture of the page.",
        examples=("Take a screenshot", "Take a screenshot of the page"),
    ),
)

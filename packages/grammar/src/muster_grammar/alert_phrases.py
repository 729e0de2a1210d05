"""Phrases for what dialogs and alerts say, of the browser or of the page."""

from muster_grammar.engine import Calls, Phrase, call, expectation
from muster_grammar.pattern_parameters import Comparison


def _dialog(kind: str, comparison: Comparison, text: str) -> Calls:
    """Return the check. "Alert" may also mean a message of the page; "JavaScript alert" and "dialog" do not."""
    alert = {"alert": True} if kind == "alert" else {}
    return () if comparison.negate else (call("check_dialog", text=text, **comparison.arguments(), **alert),)


def _dialog_with(kind: str, text: str) -> Calls:
    return _dialog(kind, Comparison("contains", negate=False), text)


def _alert_with(kind: str, text: str) -> Calls:
    """A dialog is called by its name, an alert by what it says."""
    return _dialog_with(kind, text) if kind else ()


def _called_alert(text: str, kind: str) -> Calls:
    return _alert_with(kind, text)


def _no_dialog() -> Calls:
    return (call("check_visible", element="", role="dialog", absent=True),)


def _any_dialog(kind: str) -> Calls:
    return _dialog_with(kind, "")


ALERTS: tuple[Phrase, ...] = (
    expectation(
        "A {dialog} {compare} {text}",
        "The text of the {dialog} {compare} {text}",
        "The {dialog} text {compare} {text}",
        build=_dialog,
        description="Compares what the browser's dialog says, or an alert of the page; without `not`.",
        examples=('A dialog says "Really?"', 'The alert text contains "Really"'),
    ),
    expectation(
        "A (success/text/info) {dialog} with (the) text {text} is visible",
        "A {dialog} with {text} is visible",
        "A {dialog} containing {text} is visible",
        "A {dialog} with (the) text {text} opens",
        "A {dialog} shows {text}",
        "The page shows a {dialog} with (the) text {text}",
        "The page shows a {dialog} with {text}",
        "The page/browser shows a {dialog} {text}",
        "The browser shows a {dialog} with (the) text {text}",
        "A {dialog} is visible with (the) text {text}",
        "A {dialog} is visible {quoted}",
        "A {dialog} is visible asking/saying/stating {text}",
        "A {dialog} opens/open asking/saying/stating {text}",
        build=_dialog_with,
        description="What the browser's dialog says, or an alert of the page, contains this.",
        examples=('A dialog with the text "Really" appears', 'The alert shows "Saved"'),
    ),
    expectation(
        "A (success/text/info) {dialog} {text} is visible",
        build=_alert_with,
        description="What an alert of the browser or of the page says contains this.",
        examples=('An alert "Saved" is shown', 'The error alert "Too long" is visible'),
    ),
    expectation(
        "A {text} {dialog} is visible",
        build=_called_alert,
        description="What an alert of the browser or of the page says contains this.",
        examples=('The "Saved" alert is visible',),
    ),
    expectation(
        "The dialog is not visible",
        "The dialog is not open/opened",
        "No dialog is open/opened",
        "The dialog closes/close",
        "The dialog is closed",
        "The page does not show a dialog",
        build=_no_dialog,
        description="No dialog of the page can be seen.",
        examples=("The dialog is closed", "The popup disappears"),
    ),
    expectation(
        "A {dialog} is visible",
        "A {dialog} opens/open",
        "A {dialog} is opened/open",
        "The page shows a {dialog}",
        build=_any_dialog,
        description="A dialog is open; an alert may also be part of the page.",
        examples=("A dialog appears", "There is an alert"),
    ),
)

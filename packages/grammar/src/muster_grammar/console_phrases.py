"""Phrases for what the browser's console says."""

from collections.abc import Callable

from muster_grammar.engine import Calls, Phrase, call, expectation


def _none(level: str) -> Callable[[], Calls]:
    return lambda: (call("check_console", level=level, absent=True),)


def _no_error(text: str) -> Calls:
    return (call("check_console", level="error", text=text, absent=True),) if text else ()


def _has(text: str) -> Calls:
    return (call("check_console", text=text),) if text else ()


def _has_not(text: str) -> Calls:
    return (call("check_console", text=text, absent=True),) if text else ()


CONSOLE: tuple[Phrase, ...] = (
    expectation(
        "(Browser) console has no/0/zero errors",
        "(Browser) console shows/contains no/0/zero errors",
        "(Browser) console does not have/show/contain errors",
        "(Browser) console does not have/show/contain any errors",
        "(Browser) console is free of errors",
        "No console/javascript/js errors occur/happen",
        "There are no errors in/on (browser) console",
        "The page does not show errors in/on (browser) console",
        "No errors are visible in (browser) console",
        "There are no console/javascript/js errors",
        "The page does not show console/javascript/js errors",
        build=_none("error"),
        description="The browser's console has had no error in this session, neither escaped nor written.",
        examples=("The console has no errors", "There are no JavaScript errors"),
    ),
    expectation(
        "(Browser) console has/shows/contains no error {text}",
        build=_no_error,
        description="The browser's console has had no error with this text or of this address.",
        examples=('The console shows no error "TypeError: cart is undefined"',),
    ),
    expectation(
        "(Browser) console has no warnings",
        "(Browser) console shows/contains no warnings",
        "There are no warnings in/on (browser) console",
        "There are no console warnings",
        build=_none("warning"),
        description="The browser's console has had no warning in this session.",
        examples=("The console shows no warnings",),
    ),
    expectation(
        "Browser console has/shows/contains (text) {quoted}",
        "The page shows {quoted} in/on browser console",
        "(Text) {quoted} is visible in/on browser console",
        build=_has,
        description="The browser's console has had a message with this text.",
        examples=('The browser console shows "Loaded"',),
    ),
    expectation(
        "Browser console does not have/show/contain (text) {quoted}",
        "The page does not show {quoted} in/on browser console",
        build=_has_not,
        description="The browser's console has had no message with this text.",
        examples=('The browser console does not show "Deprecated"',),
    ),
)

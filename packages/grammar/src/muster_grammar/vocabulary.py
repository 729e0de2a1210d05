"""The words that mean the same, as data.

Sentences and patterns go through the same two tables, first `GRAMMAR`, then `SYNONYMS`; what is left stands in place of
the words. Nothing that negates, limits or compares may ever be left out, or a sentence would say something else.
"""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from muster_grammar.verbs import ACTIONS, SIGHTS
from muster_grammar.word_products import deeds, messages, pointings, told, whereabouts


def _abilities(able: str, unable: str, done: str) -> dict[str, str]:
    """Return what can be done to a thing, and what cannot: "is no longer pressed" says neither."""
    words = done.split()
    denied = ("cannot be", "can not be", "can no longer be", "cannot any longer be")
    return {
        able: ", ".join(f"can be {word}" for word in words),
        unable: ", ".join(f"{cannot} {word}" for cannot in denied for word in words),
    }


_GRAMMAR = {
    "": "a, an, the, this, these, those, that, please, kindly, simply, now, still, also, already, currently, again, "
    "yet, anymore, any more, any longer, should, must, will, shall, can, has to, have to, needs to, need to, ought to, "
    "want to, wants to, "
    "is able to, be able to, am able to, are able to, was able to, were able to, "
    "my, your, his, her, their, our, by default, initially, once more, automatically",
    "is": "are, was, were, be, been, being, is being, are being, am, become, becomes, has been, have been, "
    "had been, gets, got, stays, stay, remains, remain",
    **_abilities("is editable", "is readonly", "edited changed modified"),
    **_abilities("is clickable", "is disabled", "clicked pressed tapped"),
    "is not": "not be, no longer is, no longer are, are not, was not, were not, am not, is no longer, are no longer, "
    "has not been, have not been, no longer be, not become",
    "not": "do not, does not, did not, no longer, cannot, can not, is not able to, are not able to, not be able to, "
    "am not able to",
    "then": "after that",
    "at most": "no more than, not more than, no greater than",
    "at least": "no less than, no fewer than, not less than, not fewer than",
}

SHORT_NOT = r"(?:do|does|did|is|are|was|were|has|have|should|ca|wo)nt"
"""A pattern of short denials without their apostrophe: "isnt"."""
IDLE_ADVERBS = frozenset(("now", "still", "also", "already", "currently", "again", "yet"))
IDLE_WORDS = IDLE_ADVERBS | set(("a", "this", "these", "those", "that", "my", "your", "his", "her", "their", "our"))
"""Words of `GRAMMAR` that are left out, and that a name may hold; there they stay (`tokens.english`)."""

_PAGES = ("page", "screen", "site", "website", "web page", "webpage", "app", "application", "system")
_SHOWS = ("show", "shows", "display", "displays", "contain", "contains", "include", "includes", "has", "have", "says")

THINGS = {
    "page": ", ".join(_PAGES[1:]),
    "url": "browser 's address bar, browser address bar, browser 's url, browser address, web-address, webaddress, "
    "current url, current path, url path, page path, page url, page address, "
    "web address, current address, "
    "current page url, address of page, "
    "new page url, new url, url of new page, "
    "url of page, url of current page, browser url, address bar, page 's url, page 's address",
    "page title": "title, title of page, title of current page, page 's title, browser title, window title, "
    "document title, title of browser, title of window, title of browser tab, current page title, "
    "browser tab title",
    "text": "validation error, validation errors, validation message, error messages, errors, "
    "inline error, in-line error, inline message, field error, "
    "texts, message, messages, word, words, phrase, notice, notification, warning, error, string, label, "
    "empty state, helper text, error text, caption, sentence, toast, "
    "snackbar, tooltip, hint, label text, text content, plain text",
    "exit code": "exitcode, exit status, return code, exit code of command, command 's exit code, command exit code",
    "exit code is": "command exits with code, command exits with, command exits with exit code, command returns, "
    "command ends with exit code, command finishes with exit code, command exits with status",
    "output": "command output, output of command, command 's output, terminal output, console output, "
    "output of last command",
    "command print": "it prints, it outputs, "
    "command prints, command outputs, command writes, command shows, command displays, command show",
    "command not print": "command not output, command not show, command not write",
    "stdout": "standard output, standard output of command",
    "stderr": "standard error, error output, standard error output, standard error of command",
    "command succeed": "command succeeds, command succeeded, command is successful",
    "command fail": "command fails, command failed",
    "response status": "status code, response status-code, http response status code, http status, "
    "http status code, response code, response status code, http code, "
    "status of response, response 's status, http response code, http response status, status code of response",
    "response status is": "page answers with status, page answers with, server answers with status, "
    "page responds with, server responds with status, server responds with, server returns status, "
    "page responds with status, response has status, page returns status, server answers with, "
    "request returns status, page answers with status code, api returns, api returns status, "
    "api responds with, api answers with, server answers with status code, api responds with status",
    "response": "http response, server response, api response, json response",
    "response body": "http response body, response text, body of response, response content, response 's body, "
    "text of response",
    "body": "json body, request body, payload, json payload, data",
    "i is on": "",
    "file": "downloaded file",
    "selected": "preselected, pre-selected",
    "enabled": "enabled for clicking, enabled for use, enabled for input, enabled for editing",
}
"""What expectations are about, each with the words that mean the same."""

KINDS = {
    "button": "btn",
    "buttons": "btns",
    "hyperlink": "hyper-link, hyper link",
    "cta": "call to action, call-to-action",
    "ctas": "calls to action, calls-to-action",
    "radio": "radio button, radio-button, radio option, radiobutton, option button",
    "radios": "radio buttons, radio options, radiobuttons, option buttons",
    "checkbox": "check box, check-box, tick box, tickbox",
    "checkboxes": "check boxes, tick boxes, tickboxes",
    "textbox": "text box, text-box, text field, text-field, textfield, text area, textarea, text input, "
    "input field, inputfield, input box",
    "textboxes": "text boxes, text fields, textfields, text areas, textareas, text inputs, input fields, "
    "inputfields, input boxes",
    "searchbox": "search bar, searchbar, search-bar",
    "dropdown": "pull-down, pulldown, pull-down menu, pulldown menu, pull-down list, drop-down, drop down, "
    "drop-down list, dropdown list, drop down list, drop-down menu, dropdown menu, "
    "drop menu, dropdown box, drop-down box, combo-box, multi-select, multiselect, multi-select list, "
    "select box, select list, selection list, combo box, combobox, list box, listbox",
    "dropdowns": "drop-downs, drop downs, select boxes, combo boxes, comboboxes",
    "menu": "submenu, sub-menu",
    "menuitem": "menu item, menu entry, menu option",
    "menuitems": "menu items, menu entries, menu options",
    "tab": "sub-tab, subtab",
    "heading": "h1, h2, h3",
    "treeitem": "tree item, tree node, tree entry",
    "treeitems": "tree items, tree nodes, tree entries",
    "listitem": "list item, list entry",
    "listitems": "list items, list entries",
    "columnheader": "column header, table header, column heading, header cell",
    "columnheaders": "column headers, table headers, column headings, header cells",
    "navigation": "nav, navbar, nav bar, navigation bar, navigation menu, nav menu",
    "toolbar": "tool bar",
    "progressbar": "progress bar, progress indicator",
    "dialog": "dialog box, dialogue, dialogue box, popup, pop-up, modal, modal dialog, modal window, popup window, "
    "confirmation dialog, confirmation dialog box, confirmation popup, confirmation pop-up, confirmation modal, "
    "confirm dialog box",
    "alert": "alert box, alertbox, confirmbox, promptbox, "
    "alert dialog, confirm box, prompt, browser dialog, "
    "javascript dialog, javascript alert, javascript confirm, javascript prompt, native dialog",
}
"""Kinds of elements, each with the words that mean the same."""

_AMOUNTS = {
    "at least": "minimum of",
    "at most": "maximum of, up to",
    "more than": "greater than",
    "less than": "fewer than, lower than, smaller than",
    ">": "→, », ›",
    "times": "time",
    "millisecond": "milliseconds, msec, msecs, ms",
    "second": "seconds, sec, secs, s",
    "minute": "minutes, min, mins",
    "inside": "inside of",
    "beside": "next to, adjacent to, alongside",
    "below": "underneath, beneath, right below, just below, directly below, immediately below, right under, "
    "just under, directly under, directly underneath, directly beneath",
    "above": "right above, just above, directly above, immediately above",
    "within": "with timeout of, with timeout, within at most",
    "left of": "to left of, on left of",
    "right of": "to right of, on right of",
    "testid": "test id, test-id, data-testid, data-test-id, data-test",
    "while holding": "while pressing, with holding, holding, holding down, while holding down, while pressing down",
    "key by key": "letter by letter, character by character, char by char, one key at a time, one letter at a time, "
    "one character at a time, key after key",
}

JOINT = ","
"""The word that stands for "and", "then", a comma, a semicolon, a full stop and a line end."""

_JOINTS = (
    "and",
    "then",
    "and then",
    "then and",
    ", and",
    ", then",
    ", and then",
    ", afterwards",
    "as well as",
    "along with",
    "together with",
    "after that",
    "afterwards",
)


_VAGUE = """
    correctly properly correct proper appropriate appropriately successfully successful valid accordingly expected etc
    fine well normally relevant respective certain some
"""
VAGUE = frozenset(_VAGUE.split())
"""Words that claim something without saying what."""


def split(text: str) -> frozenset[str]:
    """Return the words of a text that lists them."""
    return frozenset(text.split())


def _rows(source: dict[str, str]) -> dict[str, str]:
    """Return what words stand for, from rows that list the words of each."""
    return {words: key for key, row in source.items() for words in (key, *row.split(", ")) if words}


def _page_verbs() -> dict[str, str]:
    positive = {f"{noun} {verb}": "page show" for noun, verb in product(_PAGES, _SHOWS)}
    negative = {f"{noun} not {verb}": "page not show" for noun, verb in product(_PAGES, _SHOWS)}
    return positive | negative | {f"{words} no": "page not show" for words in positive}


BROWSER_BUTTONS = {"back": "go back", "forward": "go forward", "refresh": "reload", "reload": "reload"}
"""The buttons of the browser itself, which are no elements of the page, and what each does."""


def _browser_buttons() -> dict[str, str]:
    verbs = [verb.strip() for row in ("click", "press") for verb in (row, *ACTIONS[row].split(","))]
    named = ("browser {}", "browser 's {}", "{} of browser", "{} in browser", "{} on browser")
    return {
        f"{verb} {place.format(f'{button} button')}": meant
        for (button, meant), verb, place in product(BROWSER_BUTTONS.items(), (*verbs, "use", "uses"), named)
    }


class Table(NamedTuple):
    """Words as written, joined by blanks, and what is left of them."""

    keys: dict[str, str]
    longest: dict[str, int]
    """How many words the longest entry has, by its first word."""
    solid: frozenset[str]
    """Entries that nothing may stand between: "check the box" is no "check box"."""


def table(keys: dict[str, str], solid: Iterable[str] = ()) -> Table:
    """Return a table to look words up in."""
    longest: dict[str, int] = {}
    for entry in keys:
        first, *rest = entry.split(" ")
        longest[first] = max(longest.get(first, 0), 1 + len(rest))
    return Table(keys, longest, frozenset(solid))


GRAMMAR = table(_rows(_GRAMMAR))
SYNONYMS = table(
    _rows(ACTIONS)
    | _rows(SIGHTS)
    | _rows(THINGS)
    | _rows(KINDS)
    | _rows(_AMOUNTS)
    | _page_verbs()
    | whereabouts()
    | messages()
    | told()
    | deeds()
    | pointings()
    | _browser_buttons()
    | dict.fromkeys(_JOINTS, JOINT),
    solid=_rows(KINDS),
)

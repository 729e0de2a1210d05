"""Words beside a name that a reading leaves out, although they may carry meaning. Pure.

Of several words that could be the name a reading takes some; what it leaves out there is no mere wording. "The AI image
gallery" is not the text "AI", and "the Withdraw button will be Active" tells no button that is called "Active".
"""

import re
from collections.abc import Iterator
from itertools import takewhile

from muster_grammar.element_kinds import DEEDS, ENDING_NAMES, KINDS, PARTS, PLURALS, PROPERTIES, ROLES
from muster_grammar.languages import words_of
from muster_grammar.numerals import ORDINALS
from muster_grammar.other_nouns import is_other_noun
from muster_grammar.tokens import LITERAL, Token, scan
from muster_grammar.told_sentences import DESCRIBING, Told, names_of
from muster_grammar.vocabulary import split
from muster_protocol.tool_calls import ToolCall

POINTED = split("click double_click browser_right_click hover drag")
"""Tools that act on an element with the mouse."""
_NAMING = POINTED | {"check_visible"}
_HOLDERS = ENDING_NAMES | PARTS.keys() | {"logo"}
"""Nouns of elements that may belong to the name before them."""
_KNOWN = KINDS | PLURALS.keys() | PROPERTIES | {"step"}
_LED = split("to of for in from with")
"""What makes words behind a kind tell one thing: "the link to a board"."""
_MANNERS = re.compile(
    r'\b(?:in|as|with) (?:" (?:mode|state|status|view)'
    r'|(?:the |an? )?" (?:format|order|style|currency|language|font|size))\b'
)
_APPS = re.compile(r'" (?:app|application|system|website|site)\b', re.IGNORECASE)
_COUNTED = re.compile(r'\bfor " ([a-z]+s)\b')
_OTHER_TABS = split("parent child original popup")
_STATES = split("active inactive enabled disabled checked unchecked selected unselected expanded collapsed")
_COMMANDS = re.compile(r'\bthe "(?! (?:command|script|program)\b)')
_DONE_TO = re.compile(rf'" (?:[a-z]+ )*({"|".join(sorted(DEEDS))}) (?:{"|".join(sorted(set(ROLES) - {"field"}))})\b')
_LISTED = re.compile(r"[^\W\d][^,;]*(?:[,;] ?[^\W\d][^,;]*)+")
OFFERS = re.compile(r"\b(?:drop-?down|combo ?box|list|menu) \w+:? $")
_LONGEST_NAME = 40
_DESCRIBING = split("present blank ready mandatory available free full auto")
"""Adjectives that may follow a name without being part of it."""


def problems_of_drops(told: Told) -> Iterator[str]:
    """Yield what a reading leaves out, or takes for something else, beside the names in it."""
    yield from _of_lists(told)
    if any(call.arguments.get("within") for call in told.calls):
        yield from _of_place(told.bare)
    yield from _of_deed(told)
    for call in told.calls:
        yield from _of_tool(told, call)
        texts = [str(call.arguments.get("text", ""))] if call.tool == "check_text" else []
        for name in [*names_of(call), *texts]:
            behind = _behind(told, name)
            if behind and all(_goes_on(one, call, is_text=name in texts) for one in behind):
                yield f'"{name}" may go on: put what it is called in quotes.'
            if behind and name not in texts:
                yield from _of_name(name, call, behind[0].split()[:1])


def _behind(told: Told, name: str) -> tuple[str, ...]:
    """Return what follows a name each time that it stands without quotes; nothing if it stands in quotes, too."""
    if not name or name in told.quoted:
        return ()
    found = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", told.bare, re.IGNORECASE)
    return tuple(told.bare[match.end() :] for match in found)


def _goes_on(behind: str, call: ToolCall, *, is_text: bool) -> bool:
    """Return whether nouns that no call holds follow a name without quotes."""
    first = next(iter(scan(behind)), None) if behind[:1].isspace() else None
    if first is None or not first.text[:1].isalpha() or behind.startswith(" shown as "):
        return False
    if first.key in ("a", "an"):
        return True  # "Pay an invoice"
    after = words_of(behind)
    if is_text and (after[0].key == "to" or ROLES.get(after[0].key)):
        return True  # "Add to requirement lightbox", "Fee Amount info icon message"
    held = " ".join(str(one) for one in call.arguments.values()).casefold()
    nouns = takewhile(lambda token: _is_noun(token) or token.key in _KNOWN, after)
    said = [token for token in nouns if _is_noun(token)]
    if said and said[0] == after[0] and said[0].text.endswith("s"):
        return False  # "The total exceeds 10"
    return any(token.text.casefold() not in held for token in said)


def _is_noun(token: Token) -> bool:
    return token.key not in _KNOWN | _DESCRIBING and is_other_noun(token)


def _of_name(name: str, call: ToolCall, behind: list[str]) -> Iterator[str]:
    words = name.split()
    if words[0] in ROLES and len(words) > 2 and words[1] in _LED:
        yield f'"{name}" tells a {words[0]} by what it is for: put what it is called in quotes.'
    if len(words) > 1 and words[-1] in ORDINALS:
        yield f'"{name}" may go on: put what it is called in quotes.'
    if name in ("element", "component", "control"):
        yield f'"{name}" is no name: put what it is called in quotes.'
    if call.arguments.get("role") == "tab" and name in _OTHER_TABS:
        yield f'"{name}" may tell a tab of the browser: say which one, by its title in quotes.'
    if call.tool == "check_visible" and name.lower() in _STATES and call.arguments.get("role"):
        yield f'"{name}" may be a state: say of what, as in: The "Save" button is enabled.'
    pointed = call.tool in _NAMING and name == call.arguments.get("element") and not call.arguments.get("role")
    after = behind[0] if pointed and behind else ""
    written = after.istitle() and words[0][:1].isupper()
    holder = after if after == "logo" or written or (after.isupper() and name.isupper()) else ""
    if holder.lower() in _HOLDERS:  # of a menu one clicks what bears the name
        yield f'"{name} {holder}" may be the whole name: put it in quotes.'


def _of_tool(told: Told, call: ToolCall) -> Iterator[str]:
    """Of a name and a value the one in quotes is the value; a command is no name, and a thing on a page no page."""
    element, text = call.arguments.get("element"), str(call.arguments.get("text", ""))
    options = call.arguments.get("options")
    chosen = options[0] if isinstance(options, list) and options else ""
    if " as " in told.bare and told.is_plain(chosen) and element in told.quoted:
        yield f'"{chosen}" may be the list: write: Select "{element}" from the "{chosen}" list.'
    value = str(call.arguments.get("value"))
    if call.tool == "check_value" and " as " in told.bare and told.is_plain(value) and element in told.quoted:
        yield f'"{value}" may be what has the value: put it in quotes, too.'
    before = told.bare[: told.bare.find(text)].split()[-1:]
    if call.tool == "type" and told.is_plain(text) and not DESCRIBING.isdisjoint(before):
        yield f'"{text}" says what kind of text is typed: put the text in quotes.'
    if call.tool == "execute_command" and _COMMANDS.search(told.bare):
        yield f'"{call.arguments["command"]}" may be no command: write "the command", or name what is clicked.'
    if call.tool == "check_page" and _APPS.search(told.bare):
        yield "What a page lists is no page: say what is visible, or which page is open."


def _of_deed(told: Told) -> Iterator[str]:
    """A deed between a name in quotes and its kind: `the "Sales" delete icon` is not called "Sales"."""
    deed = _DONE_TO.search(told.bare)
    if deed and not any(deed[1] in f"{call.tool} {call.arguments}".casefold() for call in told.calls):
        yield f'"{deed[1]}" tells what else it is called: put its whole name in quotes, and say what it is in.'


def _of_place(bare: str) -> Iterator[str]:
    if _MANNERS.search(bare):
        yield "How something looks is no place: say what is visible, or what it shows."
    if (counted := _COUNTED.search(bare)) and _is_plural(counted[1]):
        yield "How many there are is no place: say how many of them there are."


def _of_lists(told: Told) -> Iterator[str]:
    """A name in quotes that is a list, beside a noun of several things: `the options "Edit, Delete"`."""
    around = told.bare.split(LITERAL)
    named = {str(value) for call in told.calls if call.tool != "type" for value in call.arguments.values()}
    for text, before, behind in zip(told.quoted, around, around[1:], strict=False):
        if text not in named or not _LISTED.fullmatch(text) or max(map(len, text.split(","))) > _LONGEST_NAME:
            continue
        several = any(map(_is_plural, (*before.split()[-1:], *behind.split()[:1])))
        if several or (text.count(",") > 1 and OFFERS.search(before)):
            yield f'"{text}" may be several: put each of them in quotes.'


def _is_plural(noun: str) -> bool:
    word = noun.lower()
    if not word.isalpha() or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return False
    return word in PLURALS or words_of(word)[0].key == word

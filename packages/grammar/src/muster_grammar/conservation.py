"""What becomes of words without quotes: none that tells something may end in a name, in a value or in nothing. Pure.

The phrases decide what a sentence may mean; here each reading is held against the sentence once more. A name without
quotes holds words that name, and none that ask, count, judge or describe; of a name and a value the one in quotes is
the value; a denial is of what is surely named, for what nothing is called is absent everywhere.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from muster_grammar.advice import NAMELESS
from muster_grammar.conserved_claims import problems_of_claims
from muster_grammar.conserved_kinds import problems_of_kinds
from muster_grammar.conserved_names import BEHIND, COME, is_tailed, problems_of_names
from muster_grammar.described_names import problems_of_descriptions
from muster_grammar.dropped_words import POINTED, problems_of_drops
from muster_grammar.element_kinds import BESIDE, CHOICES, FIELD_LABELS, OPTION_LABELS, PLURALS, ROLES, SECTIONS
from muster_grammar.ends_of_names import problems_of_ends
from muster_grammar.errors import UnknownPhrase
from muster_grammar.limiting_words import problems_of_limits
from muster_grammar.markup_texts import leaves_value_open
from muster_grammar.name_parameters import WHATEVER
from muster_grammar.plain_values import problems_of_plain_values
from muster_grammar.told_sentences import DESCRIBING, Told, names_of, told_of
from muster_grammar.unquoted_names import UNREAD
from muster_grammar.vocabulary import BROWSER_BUTTONS, split
from muster_protocol.tool_calls import ToolCall
from muster_text.clauses import QUOTED
from muster_text.key_names import KEYS

_FIELDS = re.compile(r"\b(?:field|input|box|column|textbox)\b", re.IGNORECASE)
_MAY_GO = re.compile(r"\bcan be (?:removed|dismissed|hidden)\b", re.IGNORECASE)
_OFFERING = split("autocomplete autosuggest suggestion suggestions typeahead")
_KINDS_OF_MESSAGES = split("success error failure confirmation warning validation welcome login information status")
_SAID = split("element text value title name")
"""Arguments that a page shows or takes as they are."""
_OFF_PAGES = ("check_output", "check_file", "check_response", "write_file", "http_", "execute_")
"""How the tools begin that read and write what is on no page."""
_SORTS_OF_MESSAGES = split("verification toast alert popup system server browser flash inline thank-you feedback")
_PATTERNS = re.compile(r"\b(?:regex|regexp|regular expression)\b", re.IGNORECASE)
_EDITING = re.compile(r"\b(?:edit|change|update|modify|alter)s?\b", re.IGNORECASE)
_GIVING = re.compile(r"\b(?:to|with|as|into|by|from|in)\b|[:=]|\bvalue\b", re.IGNORECASE)
_ONE_OF = re.compile(r'\b(?:an?|any) " (?!button|link|tab)([a-z]+)\b')
_OPENS = re.compile(r"\bopen(?:s|ed)?\b", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|should|must|will|can|cannot|shall|[a-z]{2,}(?:s|n't|ed)|see|contain"
    r"|show|display|exist|appear|remain|include)\b|[:=<>-]"
)
_IMPERATIVES = split("leave enter click press type fill go navigate select choose tap open input")
_LISTED_UNDER = re.compile(r"\b(?:listed|grouped|filed|categori[sz]ed|available) under\b", re.IGNORECASE)
_FOR_ANOTHER = re.compile(rf'\b(?:{"|".join(sorted(SECTIONS))}) for "', re.IGNORECASE)
_BESIDE_ANY = re.compile(rf"\b(?:{'|'.join(BESIDE)}) (?:{'|'.join(ROLES)})\b(?! \")")
_OF_BROWSER = re.compile(r"\bbrowser\b", re.IGNORECASE)
_CONTAINERS = SECTIONS | split("dialog popup pop-up modal overlay window drawer screen page")
"""Nouns of what holds things, of which none is chosen."""
_HAVING = re.compile(r"\b(?:has|have)\b(?! (?:an? |the )?(?:value|text))", re.IGNORECASE)
_MADE = re.compile(rf"\b(?:{'|'.join(sorted(COME))}|removed|saved|pops? up|popped up)\b", re.IGNORECASE)
_UNCHECKED = split("list table heading link image dialog textbox combobox columnheader progressbar slider tab")
"""Roles of what has no mark; to "check" such a thing is to look at it."""
_MERE_PLURAL = re.compile(rf"(?:the )?(?:{'|'.join(sorted(PLURALS))})\b", re.IGNORECASE)
_LENGTH = re.compile(r"\w length$", re.IGNORECASE)
_EVENTS = re.compile(r"\b(?:occurs?|happens?)\b", re.IGNORECASE)
_MESSAGES = re.compile(r"\b(?:errors?|messages?|warnings?|notifications?|alerts?|toasts?|texts?)\b", re.IGNORECASE)
_MODES = split("mode option setting state version")
ELSEWHERE = split("elsewhere anywhere somewhere")
"""Words that are unread but in phrases for a click outside."""
_BY_KEYS = re.compile(r"\b(?:using|with|via|by|on|through|from) (?:the |your |my )?keyboard\b", re.IGNORECASE)
_POINTING = POINTED | split("check uncheck select")


def conserved(text: str, calls: tuple[ToolCall, ...], *, claim: bool) -> tuple[ToolCall, ...]:
    """Return the calls of a reading.

    Raises:
        UnknownPhrase: a word of the sentence that tells something is part of a name or of nothing in them.
    """
    told = told_of(text, calls, claim=claim)
    rules = (
        _of_blanks,
        _of_open_texts,
        _of_words,
        _of_kinds,
        _of_nouns,
        problems_of_names,
        problems_of_claims,
        problems_of_limits,
        problems_of_kinds,
        problems_of_drops,
        problems_of_descriptions,
        problems_of_ends,
        _of_values,
        problems_of_plain_values,
        _of_denials,
    )
    problems = (problem for find in rules for problem in find(told))
    if problem := next(problems, ""):
        raise UnknownPhrase(text, problem)
    return calls


def _of_blanks(told: Told) -> Iterator[str]:
    """An empty text in quotes may be a value, never a name: what is called "" would be anything of its kind."""
    given = [
        one
        for call in told.calls
        for key, value in call.arguments.items()
        if key not in ("element", "within", "to")
        for one in (value if isinstance(value, list) else [value])
    ]
    blank = sum(not text.strip() for text in told.quoted)
    if blank > sum(isinstance(one, str) and not one.strip() for one in given):
        yield NAMELESS
    contained = [call for call in told.calls if call.arguments.get("match") not in (None, "is", "matches")]
    if any(call.arguments.get("value") == "" for call in contained):
        yield "Every text contains nothing: say what it contains, or that it is empty."


def _of_open_texts(told: Told) -> Iterator[str]:
    """A text with a place for a value is on no page, and says nothing of the product where it is typed."""
    for call in told.calls:
        said = [str(one) for key, one in call.arguments.items() if key in _SAID]
        if call.arguments.get("absent") or call.arguments.get("match") == "includes":
            continue  # that it is not shown may well be meant, and lists have options such as "<none>"
        if call.tool.startswith(_OFF_PAGES):
            continue  # programs print such signs, as in "<stdin>"
        if text := next(filter(leaves_value_open, said), ""):
            yield f'A part of "{text}" stands for a value: write which, or only the rest.'


def _of_values(told: Told) -> Iterator[str]:
    for call in told.calls:
        if call.tool == "type":
            yield from _of_typed(told, call)
        if call.tool == "check_text":
            yield from _of_shown(told, str(call.arguments["text"]))
            yield from _of_thing(told, call)
        if call.tool == "check_options" and not call.arguments.get("role"):
            yield from _of_options(told, call)
        holder = str(call.arguments.get("element", ""))
        if call.tool == "select" and told.is_plain(holder) and holder.rsplit(" ", 1)[-1].lower() in _CONTAINERS:
            yield f'"{holder}" is no list: say what is clicked in it.'
        if call.tool == "select" and " as " in told.bare and _is_swapped(told, call):
            yield f'"{call.arguments["element"]}" may be what is selected: write in which list.'
        saved = str(call.arguments.get("save_as", ""))
        if told.is_plain(saved) and "." not in saved:
            yield f'"{saved}" may be a format: write the name of the file in quotes.'
        value = str(call.arguments.get("value")) if call.tool == "check_value" else ""
        if value and told.is_plain(named := str(call.arguments.get("element", ""))) and _LENGTH.search(named):
            yield f'"{named}" is no value of the page: say what is typed, and what is seen then.'
        if told.is_plain(value) and not any(map(str.isdigit, value)):
            yield from _of_plain_value(told, call)


def _of_plain_value(told: Told, call: ToolCall) -> Iterator[str]:
    if told.claim and not _FINITE.search(told.bare):
        yield "It has no verb: say what must be so."
    if call.arguments.get("match") == "matches":
        yield "Put the pattern in quotes."
    if _HAVING.search(told.bare) and not call.arguments.get("element"):
        yield "What these have may be no text: put in quotes what they show."


def _of_options(told: Told, call: ToolCall) -> Iterator[str]:
    options = call.arguments.get("options")
    plain = next(filter(told.is_plain, options), "") if isinstance(options, list) else ""
    if plain:
        yield f'"{plain}" may be no option: put the options in quotes.'


def _of_typed(told: Told, call: ToolCall) -> Iterator[str]:
    text = str(call.arguments.get("text", ""))
    if _EDITING.search(told.bare) and not _GIVING.search(told.bare):
        yield "Say what is typed, and into which field."
    words = text.split()
    if text in told.stressed and words and (words[0] in DESCRIBING or words[-1] in WHATEVER):
        yield f'"{text}" may say what kind of text is typed: put the text in quotes.'
    ends = [one.rsplit(" ", 1)[-1].lower() in FIELD_LABELS for one in (text, str(call.arguments.get("element", "")))]
    if text in told.quoted and " as " in told.bare and ends == [True, False]:
        yield f'"{text}" may be the field: say into which field which text is typed.'
    if not told.is_plain(text):
        return
    named = str(call.arguments.get("element", ""))
    if text in CHOICES or (named and re.search(rf"\b(?:an?|any|some) {re.escape(named)} {re.escape(text)}", told.bare)):
        yield f'"{text}" may say what kind of thing is typed: put the text in quotes.'
    if call.arguments.get("element") in told.quoted and " as " in told.bare:
        yield f'"{text}" may be the field: say into which field which text is typed.'
    if is_tailed(text.split()):
        yield f'"{text}" may be more than the value: put it in quotes.'
    if text.rsplit(maxsplit=1)[-1] in _MODES:
        yield f'"{text}" says what is chosen: name in quotes what is clicked or selected.'


def _of_shown(told: Told, text: str) -> Iterator[str]:
    if not told.is_plain(text):
        return
    *led, last = text.split()
    if re.search(rf"\w with {re.escape(text)}", told.bare, re.IGNORECASE):
        yield f'"{text}" tells which ones: put in quotes what they are called, or what is seen.'
    if re.search(rf"\bboth {re.escape(text)}", told.bare, re.IGNORECASE):
        yield f'Two of these are meant: put in quotes what each of "{text}" is called.'
    of_message = re.search(rf"\b{re.escape(text)} (?:message|toast|notification|alert|banner)s?\b", told.bare)
    sorts = _KINDS_OF_MESSAGES.union(_SORTS_OF_MESSAGES) if of_message else _KINDS_OF_MESSAGES
    if last.lower() in PLURALS or ((led or of_message) and last.lower() in sorts):
        yield f'"{text}" may say what kind of text is meant: put what it says in quotes.'


def _of_thing(told: Told, call: ToolCall) -> Iterator[str]:
    """What is said of a thing without quotes is not said of the text that it would be called by."""
    text = str(call.arguments["text"])
    if _EVENTS.search(told.bare) and not _MESSAGES.search(told.bare):
        yield f'What occurs is no text: put in quotes what is seen when "{text}" does.'
    if text in told.quoted or text.casefold() not in told.bare.casefold():
        return
    if any(text.casefold() in anchor.casefold() for anchor in names_of(call)):
        yield f'"{text}" is part of what its place is called: put in quotes which text is there.'
    if _MADE.search(told.bare.casefold().replace(text.casefold(), "", 1)):
        yield f'"{text}" may be a thing and no text: put in quotes what is seen of it.'


def _is_swapped(told: Told, call: ToolCall) -> bool:
    """Return whether of two names, both with quotes or without, only the selected one ends as lists do."""
    element, options = str(call.arguments["element"]), call.arguments["options"]
    chosen = str(options[0]) if isinstance(options, list) and options else ""
    listed, held = (text.rsplit(" ", 1)[-1].lower() in OPTION_LABELS for text in (chosen, element))
    return listed and not held and told.is_plain(chosen) == told.is_plain(element)


def _of_denials(told: Told) -> Iterator[str]:
    for call in told.calls:
        element = str(call.arguments.get("element", ""))
        if call.tool == "check_value" and told.is_plain(element):
            behind = BEHIND.fullmatch(element) and call.arguments.get("match") == "contains"
            if behind and not _FIELDS.search(told.bare):
                yield f'"{element}" may be a mail, which is not on the page: write the "{element}" field.'
            if not _OFFERING.isdisjoint(element.lower().split()):
                yield f'"{element}" offers texts and holds none: say which option is visible.'
        if call.arguments.get("absent") and _MAY_GO.search(told.bare):
            yield "What can be removed is not gone: say what is done to it, and what is so then."
        if call.arguments.get("absent") and _FOR_ANOTHER.search(told.bare):
            yield "What something is for is not what it is called: put its name in quotes."
        text = str(call.arguments.get("text", ""))
        if call.tool == "check_text" and call.arguments.get("absent") and told.is_plain(text):
            yield f'"{text}" may only describe what must not be there: put it in quotes.'


def _is_carried(one: ToolCall, two: ToolCall) -> bool:
    """Return whether `and not "Cash"` after a state denies a value of what is in it."""
    same = one.arguments.get("element") == two.arguments.get("element")
    short = QUOTED.sub('"', two.clause or "").strip()
    return (one.tool, two.tool, short) == ("check_state", "check_value", 'not "') and same


def _of_words(told: Told) -> Iterator[str]:
    said = told.bare.replace(",", " ").rstrip(".").split()
    if any(call.tool == "click_outside" for call in told.calls):
        said = [one for one in said if one not in ELSEWHERE]
    if unread := next((one for at, one in enumerate(said) if (one if at else one.lower()) in UNREAD), ""):
        yield f'"{unread}" says something that no phrase can tell: say it otherwise, or leave it out.'
    if _BESIDE_ANY.search(told.bare):
        yield "Say beside what it is, by a name in quotes."
    if any(_is_carried(one, two) for one, two in pairwise(told.calls)):
        yield "Say in full what is not so."
    touched = {str(call.arguments.get("element", "")).lower() for call in told.calls if call.tool == "click"}
    own = next((BROWSER_BUTTONS[one] for one in touched & BROWSER_BUTTONS.keys()), "")
    if own and _OF_BROWSER.search(told.bare):
        yield f"If the browser's own button is meant, write: {own.capitalize()}."
    if told.calls and _BY_KEYS.search(told.bare) and all(call.tool in _POINTING for call in told.calls):
        yield "Say which key is pressed: what is clicked need not answer to the keyboard."
    first = told.bare.partition(" ")[0].lower()
    if told.claim and first in _IMPERATIVES and not _FINITE.search(told.bare):
        yield "This says what to do: write it as an action."


def _of_kinds(told: Told) -> Iterator[str]:
    for call in told.calls:
        role = str(call.arguments.get("role", ""))
        if call.tool in ("check", "uncheck") and role in _UNCHECKED:
            yield f"A {role} has no mark: say what must be seen, as an expectation."
        held = str(call.arguments.get("element", "")) if call.tool == "long_press" else ""
        if held.lower() in KEYS and not role and held not in told.quoted:
            yield f"No tool holds a key down: write Press {held}, or name the element in quotes."
        any_of = (
            call.tool == "check_visible"
            and role
            and not (call.arguments.get("element") or call.arguments.get("within"))
        )
        if any_of and not call.arguments.get("absent") and _MERE_PLURAL.match(told.bare):
            yield "One of them would do: say how many there are, or which."


def _of_nouns(told: Told) -> Iterator[str]:
    tools = {call.tool for call in told.calls}
    roles = {str(call.arguments.get("role", "")) for call in told.calls}
    matched = any(call.arguments.get("match") == "matches" for call in told.calls)
    if _PATTERNS.search(told.bare) and not matched:
        yield 'Say what matches the pattern, as in: The page title matches "/Order \\d+/".'
    one_of = _ONE_OF.search(told.bare)
    if one_of and tools == {"click"} and roles == {""}:
        yield f"Which {one_of[1]} is meant? Name it in quotes."
    if _OPENS.search(told.bare) and "check_state" in tools and roles & {"link", "tab", "button"}:
        yield "Say what is visible then."
    if "check_order" in tools and _LISTED_UNDER.search(told.bare):
        yield 'Say what it is in, as in: The "Mug" link is visible in the "Cart" section.'

"""What becomes of words without quotes: none that tells something may end in a name, in a value or in nothing. Pure.

The phrases decide what a sentence may mean; here each reading is held against the sentence once more. A name without
quotes holds words that name, and none that ask, count, judge or describe; of a name and a value the one in quotes is
the value; a denial is of what is surely named, for what nothing is called is absent everywhere.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from muster_grammar.element_kinds import BESIDE, FIELD_LABELS, OPTION_LABELS, PLURALS, ROLES, SECTIONS
from muster_grammar.errors import UnknownPhrase
from muster_grammar.numerals import ORDINALS
from muster_grammar.tokens import LITERAL, SELECTOR, scan
from muster_grammar.unquoted_names import UNREAD
from muster_grammar.vocabulary import BROWSER_BUTTONS, VAGUE, split
from muster_protocol.narrowing import narrowing_of
from muster_protocol.tool_calls import ToolCall
from muster_text.clauses import QUOTED

_ASKING = split("verify verifies validate validates ensure ensures assert asserts observe observes")
_VERBS = split("is are be was were should has")
_EACH = split("all both each every")
_FIRST_OF = ORDINALS.keys() | {"last"}
_LABELLED = FIELD_LABELS | {"login", "line", "page"}
"""What "first" and "last" are part of a name of: "last name", "second address line"."""
_JUDGING = VAGUE - {"some", "valid"} | {"successful", "incorrectly", "wrongly", "unsuccessfully"}
_WHICH = split("following previous corresponding respective appropriate selected")
_COME = split("created added generated uploaded newly recently entered deleted edited updated changed")
"""What tells of a thing only what was done to it."""
_PAGES = split("pages screens hover")
_BEHIND = re.compile(r"e?-?mail(?:'s)? (?:body|subject|content|text)|message body|e?-?mails?", re.IGNORECASE)
"""What a page may show of a mail is not known to be the mail."""
_FIELDS = re.compile(r"\b(?:field|input|box|column|textbox)\b", re.IGNORECASE)
_MAY_GO = re.compile(r"\bcan be (?:removed|dismissed|hidden)\b", re.IGNORECASE)
_OFFERING = split("autocomplete autosuggest suggestion suggestions typeahead")
_KINDS_OF_MESSAGES = split("success error failure confirmation warning validation welcome login information")
_LONG_KIND = re.compile(r"\w (?:drop[- ]down|light)$")
_PATTERNS = re.compile(r"\b(?:regex|regexp|xpath|regular expression)\b", re.IGNORECASE)
_EDITING = re.compile(r"\b(?:edit|change|update|modify|alter)s?\b", re.IGNORECASE)
_GIVING = re.compile(r"\b(?:to|with|as|into|by|from|in)\b|[:=]|\bvalue\b", re.IGNORECASE)
_ONE_OF = re.compile(r'\b(?:an?|any) " (?!button|link|tab)([a-z]+)\b')
_OPENS = re.compile(r"\bopen(?:s|ed)?\b", re.IGNORECASE)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|should|must|will|can|cannot|shall|[a-z]{2,}(?:s|n't|ed)|see|contain"
    r"|show|display|exist|appear|remain|include)\b|[:=<>-]"
)
_IMPERATIVES = split("leave enter click press type fill go navigate select choose tap open input")
_AGAIN = re.compile(r" (?:now|again|still|already|yet|currently|also)\b")
_LISTED_UNDER = re.compile(r"\b(?:listed|grouped|filed|categori[sz]ed|available) under\b", re.IGNORECASE)
_FOR_ANOTHER = re.compile(rf'\b(?:{"|".join(sorted(SECTIONS))}) for "', re.IGNORECASE)
_TAILS = _FIRST_OF | split(
    "before after next then too earlier immediately finally previous different other another same about "
    "around most half till until only just alone once twice either neither while when if without fewer least every any "
    "some each almost even cannot"
)
"""Words that follow a name or a value and are none of its own: "Enter Ada last"."""
_BESIDE_ANY = re.compile(rf"\b(?:{'|'.join(BESIDE)}) (?:{'|'.join(ROLES)})\b(?! \")")
_OF_BROWSER = re.compile(r"\bbrowser\b", re.IGNORECASE)
_CONTAINERS = SECTIONS | split("dialog popup pop-up modal overlay window drawer screen page")
"""Nouns of what holds things, of which none is chosen."""
_SEVERAL = PLURALS.keys() | split("controls elements")
_HAVING = re.compile(r"\b(?:has|have)\b(?! (?:an? |the )?(?:value|text))", re.IGNORECASE)
_MODES = split("mode option setting state version")


class _Told(NamedTuple):
    """A sentence, and what a reading makes of it."""

    bare: str
    """The sentence with a quote in place of each literal."""
    quoted: tuple[str, ...]
    calls: Sequence[ToolCall]
    claim: bool

    def is_plain(self, name: str) -> bool:
        """Return whether a text stands in the sentence without quotes."""
        return bool(name) and all(name not in one for one in self.quoted) and name.casefold() in self.bare.casefold()


def conserved(text: str, calls: tuple[ToolCall, ...], *, claim: bool) -> tuple[ToolCall, ...]:
    """Return the calls of a reading.

    Raises:
        UnknownPhrase: a word of the sentence that tells something is part of a name or of nothing in them.
    """
    told = _told(text, calls, claim=claim)
    problems = (
        problem for find in (_of_words, _of_nouns, _of_names, _of_values, _of_denials) for problem in find(told)
    )
    if problem := next(problems, ""):
        raise UnknownPhrase(text, (), problem)
    return calls


def _told(text: str, calls: tuple[ToolCall, ...], *, claim: bool) -> _Told:
    tokens = scan(text)
    texts = [(token, token.key in (LITERAL, SELECTOR)) for token in tokens]
    bare = "".join(f"{token.before}{LITERAL if whole else token.raw}" for token, whole in texts)
    quoted = tuple(token.text for token, whole in texts if whole)
    return _Told(" ".join(bare.split()), quoted, calls, claim)


def _names(call: ToolCall) -> Iterator[str]:
    """Yield the names of what a call is about, and of what that is in or beside."""
    yield from (str(call.arguments[key]) for key in ("element", "to") if call.arguments.get(key))
    within = call.arguments.get("within")
    told = narrowing_of([str(one) for one in within] if isinstance(within, list) else str(within or ""))
    yield from (relation.anchor for relation in told.relations if relation.anchor)


def _of_names(told: _Told) -> Iterator[str]:
    for call in told.calls:
        for name in filter(told.is_plain, _names(call)):
            if _is_no_name(name, call, begins=told.bare.startswith(name)):
                yield f'"{name}" may describe more than it names: put what it is called in quotes.'
            if not told.claim and _AGAIN.match(told.bare, told.bare.casefold().find(name.casefold()) + len(name)):
                yield f'"{name}" may go on: put what it is called in quotes.'
            if told.claim and call is told.calls[0] and _is_before_several(told.bare, name):
                yield f'"{name}" may be what these are for: put in quotes what each of them is called.'
            if name.endswith("ing") and name.islower() and f"for {name}" in told.bare:
                yield f'"{name}" says what for: name in quotes what it is done to.'


def _is_before_several(bare: str, name: str) -> bool:
    """Return whether the noun after a name is one of several things: "Media controls" are not called "Media"."""
    after = bare[bare.casefold().find(name.casefold()) + len(name) :].split()
    return bool(after) and after[0].lower() in _SEVERAL


def _is_no_name(name: str, call: ToolCall, *, begins: bool) -> bool:
    """Return whether a name rather describes; a capital letter tells nothing of one that begins the sentence."""
    said = name.split()
    if not _ASKING.isdisjoint(said) or not _JUDGING.isdisjoint(one for one in said if one.islower()):
        return True
    if not _VERBS.isdisjoint(said):
        return True
    if len(said) > 1 and said[0].lower() in _EACH and said[1].islower() and (begins or said[0].islower()):
        return True
    if len(said) > 1 and said[0] in _FIRST_OF and said[1].lower() not in _LABELLED:
        return True
    if (" " in name and _BEHIND.fullmatch(name)) or name in _PAGES or _LONG_KIND.search(name):
        return True
    if (name.islower() and "for" in said) or _is_tailed(said):
        return True
    if not (call.arguments.get("role") or said[-1].lower() in FIELD_LABELS or ROLES.keys().isdisjoint(said[1:-1])):
        return True
    return (said[0] in _COME and not call.arguments.get("role") and len(said) > 1) or _is_slip(said[0])


def _is_tailed(said: Sequence[str]) -> bool:
    return len(said) > 1 and said[-1] in _TAILS and said[0][:1].isupper()


@lru_cache(maxsize=1024)
def _is_slip(word: str) -> bool:
    """Return whether a word is a slip of the pen for one that tells which of several is meant."""
    return word.islower() and any(word != one and SequenceMatcher(None, word, one).ratio() >= 0.88 for one in _WHICH)


def _of_values(told: _Told) -> Iterator[str]:
    for call in told.calls:
        if call.tool == "type":
            yield from _of_typed(told, call)
        if call.tool == "check_text":
            yield from _of_shown(told, str(call.arguments["text"]))
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
        if told.is_plain(value) and not any(map(str.isdigit, value)):
            yield from _of_plain_value(told, call)


def _of_plain_value(told: _Told, call: ToolCall) -> Iterator[str]:
    if told.claim and not _FINITE.search(told.bare):
        yield "It has no verb: say what must be so."
    if call.arguments.get("match") == "matches":
        yield "Put the pattern in quotes."
    if _HAVING.search(told.bare) and not call.arguments.get("element"):
        yield "What these have may be no text: put in quotes what they show."


def _of_options(told: _Told, call: ToolCall) -> Iterator[str]:
    options = call.arguments.get("options")
    plain = next(filter(told.is_plain, options), "") if isinstance(options, list) else ""
    if plain:
        yield f'"{plain}" may be no option: put the options in quotes.'


def _of_typed(told: _Told, call: ToolCall) -> Iterator[str]:
    text = str(call.arguments.get("text", ""))
    if _EDITING.search(told.bare) and not _GIVING.search(told.bare):
        yield "Say what is typed, and into which field."
    if not told.is_plain(text):
        return
    if call.arguments.get("element") in told.quoted and " as " in told.bare:
        yield f'"{text}" may be the field: say into which field which text is typed.'
    if _is_tailed(text.split()):
        yield f'"{text}" may be more than the value: put it in quotes.'
    if text.rsplit(maxsplit=1)[-1] in _MODES:
        yield f'"{text}" says what is chosen: name in quotes what is clicked or selected.'


def _of_shown(told: _Told, text: str) -> Iterator[str]:
    *led, last = text.split() or [""]
    if told.is_plain(text) and re.search(rf"\w with {re.escape(text)}", told.bare, re.IGNORECASE):
        yield f'"{text}" tells which ones: put in quotes what they are called, or what is seen.'
    if told.is_plain(text) and (last.lower() in PLURALS or (led and last in _KINDS_OF_MESSAGES)):
        yield f'"{text}" may say what kind of text is meant: put what it says in quotes.'


def _is_swapped(told: _Told, call: ToolCall) -> bool:
    """Return whether of two names in quotes the one that is selected ends as lists do, and the other does not."""
    element, options = str(call.arguments["element"]), call.arguments["options"]
    chosen, held = (
        text.rsplit(" ", 1)[-1].lower() for text in (options[0] if isinstance(options, list) else "", element)
    )
    return not told.is_plain(element) and chosen in OPTION_LABELS and held not in OPTION_LABELS


def _of_denials(told: _Told) -> Iterator[str]:
    for call in told.calls:
        element = str(call.arguments.get("element", ""))
        if call.tool == "check_value" and told.is_plain(element):
            behind = _BEHIND.fullmatch(element) and call.arguments.get("match") == "contains"
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


def _of_words(told: _Told) -> Iterator[str]:
    said = told.bare.replace(",", " ").rstrip(".").split()
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
    first = told.bare.partition(" ")[0].lower()
    if told.claim and first in _IMPERATIVES and not _FINITE.search(told.bare):
        yield "This says what to do: write it as an action."


def _of_nouns(told: _Told) -> Iterator[str]:
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

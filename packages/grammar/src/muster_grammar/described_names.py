"""Refuses readings that take mere descriptions or emphasis for names, texts, values or places. Pure."""

import re
from collections.abc import Iterator

from muster_grammar.conserved_names import COME
from muster_grammar.dropped_words import POINTED
from muster_grammar.element_kinds import FIELD_LABELS, OPTION_LABELS, PROPERTIES, ROLES, SECTIONS
from muster_grammar.name_boundaries import DEEDS
from muster_grammar.tokens import STRESSED, words
from muster_grammar.told_sentences import DESCRIBING, Told, names_of
from muster_grammar.vocabulary import VAGUE, split
from muster_protocol.tool_calls import ToolCall

_QUALITIES = DESCRIBING | split("optional mandatory required")
"""Adjectives that alone tell no field: "leave the optional field blank"."""
WHICH = split("particular specific suitable desired respective corresponding certain given")
_STRESSED_DENIAL = re.compile(r"(?:not|no|never|nothing)\b")
_QUOTE = re.compile(r"[\"“”`]")
_SIGNS = re.compile(r"\*\*|: ")
_EITHER = re.compile(r"(?<![\w./])\w*[a-z]{3,}/[a-z]|\d/[a-z]{3,}|[a-z]{3,}/\d")
"""Alternatives joined by a slash: "404/expected"."""
_JOINED = re.compile(r"\b(?:And|AND) ([A-Z][\w-]*)")
MANNERS = split(
    "format formats colour color colours colors style language font size mode order uppercase lowercase bold italics"
)
"""Nouns of how something is shown: "in US format" is no place."""
_CONTROLS = split("button link checkbox icon dropdown tab field textbox")
WITH_KIND = re.compile(rf"\S.* (?:{'|'.join(_CONTROLS)})", re.IGNORECASE)
TEXTS = re.compile(
    r'\b(?:texts?|messages?|labels?|title|heading|words?|option|errors?|tooltip|caption)[: ]*(?:[a-z]+ )?"'
)
_VALUE = re.compile(r"[-+]?\d[\d.,:/-]+|\S+@\S+")
"""A date, an amount or an address, by which no field is called."""
OF_DEVELOPERS = re.compile(r"\bdev(?:eloper)?[ -]?tools?\b", re.IGNORECASE)
_DOING = re.compile(r"\w+ing \w")
_ARROW = re.compile(r"[→➜»›]|[-=]>")
_WORD = r"(?:[A-Z][a-z'-]*|[A-Z]+)"
_TITLED = re.compile(rf"(?:{_WORD} )*{_WORD}")
_CELLS = re.compile(r"\b(?:cells?|values?|entry|entries)\b", re.IGNORECASE)
HOLDING = split("list table grid card form row section panel")
"""Nouns of what is seldom clicked itself: with a capital letter they end the name of something else."""
_STATE_SLIPS = split("disable enable success successful unsuccessful failed")
_LOOKS = split("background colour color theme cursor layout")
"""What by these words alone is called has a look and no text."""
_AT_TIMES = split("on at by to in from date time")
"""Words after which a participle is a label: "Created on", "Added by"."""
_KIND_AS_NAME = re.compile(
    r"\b(?:[Cc]lick|[Tt]ap|[Pp]ress|[Hh]it|[Ss]elect|[Cc]hoose|[Oo]pen|[Hh]over)(?:e?s)?(?: on| over)?(?: the)?"
    r" ([A-Z][a-z-]*(?: [A-Za-z]+)?)\.?$"
)
"""A kind of element with a capital letter, as names have it: "Click Text box"."""
CHECKED_PART = re.compile(rf'\b[Cc]hecks?(?: the)? " ({"|".join(sorted(SECTIONS))}|card|page)\.?$')
_TITLED_PART = re.compile(r'\b(?:shows?|displays?|contains?|has) (?:the |an? )?" (?:title|header)\.?$')
_MOST_WORDS = 8


def problems_of_descriptions(told: Told) -> Iterator[str]:
    """Yield what a reading takes for a name, a text, a value or a place, though it only describes or stresses."""
    yield from _of_stress(told)
    yield from _of_joined(told)
    for call in told.calls:
        yield from (problem for name in names_of(call) for problem in _of_name(told, call, name))
        yield from _of_kinds(told, call)
        yield from _of_places(told, call)
        yield from _of_texts(told, call)
        yield from _of_values(told, call)


def _of_stress(told: Told) -> Iterator[str]:
    given = {str(one) for call in told.calls for one in call.arguments.values()}
    for said in told.stressed:
        if said in given and only_stresses(said):
            yield f"Bold letters may only stress {said}: write it without asterisks, and put texts in quotes."
        if said in given and said.endswith(":"):
            yield f'"{said}" heads what follows: leave it out.'
    if marked := next((text for text in told.quoted if text in given and STRESSED.fullmatch(text)), ""):
        yield f"No page shows the asterisks of {marked}: write it without them."


def only_stresses(words: str) -> bool:
    """Return whether bold letters stress what is said rather than mark a text: "is **not marked**"."""
    return bool(_STRESSED_DENIAL.match(words) or _QUOTE.search(words))


def _of_joined(told: Told) -> Iterator[str]:
    """In title case "And" may be part of a name: "Terms And Conditions" are one thing."""
    second = _JOINED.search(told.bare) if not told.claim else None
    if second and second[1].lower() not in DEEDS and len(told.calls) > 1:
        yield f'"… And {second[1]}" may be one name: put each name in quotes.'


def _of_name(told: Told, call: ToolCall, name: str) -> Iterator[str]:
    if not told.is_plain(name):
        return
    *led, last = name.split()
    first = name.split(maxsplit=1)[0]
    if first == "browser" or OF_DEVELOPERS.search(name):
        yield f'"{name}" is a part of the browser: say what is clicked on the page.'
    if name in _QUALITIES or first in WHICH:
        yield f'"{name}" tells what it is like: put in quotes what it is called.'
    if _SIGNS.search(name) or len(led) >= _MOST_WORDS:
        yield f'"{name}" is no name: put what it is called in quotes.'
    if led and last.lower() in VAGUE:
        yield f'"{last}" says nothing that can be checked: leave it out.'
    if call.tool in ("type", "select") and _VALUE.fullmatch(name):
        yield f'"{name}" may be what is entered or chosen: say in which field, as in: Type "{name}" into "…".'
    if call.arguments.get("role") == "heading" and led and last.lower() in ("page", "screen"):
        yield f'"{name}" tells which page it is on: put in quotes what the heading says.'
    if call.tool == "type" and name.lower() in DESCRIBING | {"back"}:
        yield f'"{name}" says what is typed: say which text, and into which field.'
    if told.claim and re.search(rf"\b(?:option|button|link|icon) to {re.escape(name)}", told.bare, re.IGNORECASE):
        yield f'"{name}" tells what it is for: put what it is called in quotes.'


def _of_kinds(told: Told, call: ToolCall) -> Iterator[str]:
    element = str(call.arguments.get("element", ""))
    for name in filter(told.is_plain, names_of(call)):
        of_any = "element" if name == element else r"[a-z]+"
        if re.search(rf"\b(?:an?|any) {re.escape(name)} {of_any}\b", told.bare):
            yield f'"{name}" may be any of them: put in quotes what it is called.'
    if call.tool in POINTED and call.arguments.get("role") and not element and (kind := kind_as_name(told.bare)):
        yield f'"{kind}" may be what it is called: put it in quotes, or write: the {kind.lower()}.'
    if call.tool in ("check", "uncheck") and (part := CHECKED_PART.search(told.bare)):
        yield f"A {part[1]} has no mark: say what must be seen, as an expectation."
    if call.tool == "check_page" and " > " in str(call.arguments.get("name", "")):
        yield "A way through menus is no page: say what is visible there."


def _of_places(told: Told, call: ToolCall) -> Iterator[str]:
    element, role = str(call.arguments.get("element", "")), str(call.arguments.get("role", ""))
    for place in names_of(call):
        if place != element and told.is_plain(place) and place.lower().split()[-1] in MANNERS:
            yield f'How something looks is no place: say what is visible, or put "{place}" in quotes.'
    if call.tool in POINTED and role in HOLDING and told.is_plain(element) and _TITLED.fullmatch(element):
        written = re.search(rf"{re.escape(element)} ([A-Z]\w*)", told.bare)
        if written and written[1].lower() in HOLDING:
            yield f'"{element} {written[1]}" may be the whole name: put the name in quotes.'
    if call.tool in POINTED and role == "cell" and not element and not _CELLS.search(told.bare):
        yield "Say which cell of the column, or write: the column header."
    if call.tool == "select" and told.is_plain(element) and is_purpose(element, told.bare):
        yield f'"{element}" may be what it is chosen for: name in quotes the list in which it is chosen.'
    if call.tool in POINTED and told.is_plain(element) and goes_on_in(element, told.bare):
        yield f'"{element} in …" may be the whole name: put each name in quotes.'


def kind_as_name(bare: str) -> str:
    """Return the kind of element that a sentence ends in as if it were a name: "Click Text box"; empty if none."""
    found = _KIND_AS_NAME.search(bare)
    return found[1] if found and [token.key in ROLES for token in words(found[1])] == [True] else ""


def goes_on_in(name: str, bare: str) -> bool:
    """Return whether two names in capital letters around "in" may be one: "Array in Python"."""
    titled = bool(_TITLED.fullmatch(name))
    return titled and bool(re.search(rf"{re.escape(name)} (?:in|on) {_TITLED.pattern}$", bare.rstrip(" .")))


def is_purpose(element: str, bare: str) -> bool:
    """Return whether "for" names a purpose rather than a list: "select "2024" for the case"."""
    behind = re.search(rf"\bfor (?:the |an? |my )?{re.escape(element)}(?P<kind> [a-z-]+)?", bare, re.IGNORECASE)
    labelled = element.lower().rsplit(" ", 1)[-1] in OPTION_LABELS | FIELD_LABELS
    return bool(behind) and not (behind and behind["kind"]) and (not labelled or bool(_DOING.match(element)))


def _of_texts(told: Told, call: ToolCall) -> Iterator[str]:
    if call.tool != "check_text":
        return
    text = str(call.arguments.get("text", ""))
    if text in told.quoted and WITH_KIND.fullmatch(text) and not TEXTS.search(told.bare):
        kind = text.rsplit(" ", 1)[1]
        yield f'"{text}" tells a kind: write the "{text[: -len(kind) - 1]}" {kind.lower()}, or: the text "{text}".'
    if not told.is_plain(text):
        return
    words = text.split()
    if _SIGNS.search(text) or _EITHER.search(text):
        yield f'"{text}" may be no text: put in quotes what is seen.'
    if words[-1].lower() in ("message", "messages"):
        yield f'"{text}" may end before "{words[-1]}": put the text in quotes.'
    if tells_what_was_done(text):
        yield f'"{text}" tells what was done to a thing: put in quotes what is seen of it.'
    if words[-1].lower() in PROPERTIES and re.search(rf"\bthe {re.escape(text)}$", told.bare.rstrip(" .")):
        yield f'"{text}" may be a value of the product: put in quotes what is seen.'


def tells_what_was_done(text: str) -> bool:
    """Return whether words tell a thing by what was done to it: "Added Delivery Address", but "Created on Monday"."""
    words = text.split()
    return len(words) > 2 and words[0].lower() in COME and words[1].lower() not in _AT_TIMES


def _of_values(told: Told, call: ToolCall) -> Iterator[str]:
    if call.tool != "check_value":
        return
    element, value = str(call.arguments.get("element", "")), str(call.arguments.get("value", ""))
    if call.arguments.get("match") == "above" and _ARROW.search(told.bare):
        yield "An arrow does not compare: write what it is, or that it is more than something."
    if told.is_plain(element) and element.lower() == "console":
        yield f'If the browser\'s console is meant, write: The browser console shows "{value}".'
    drawn = not element and call.arguments.get("role") in ("icon", "image")
    if drawn or (told.is_plain(element) and element.lower() in _LOOKS):
        yield f'"{element or call.arguments["role"]}" has no text that a check could read: say what is visible.'
    if element not in told.quoted and _TITLED_PART.search(told.bare):
        yield f'"{value}" may head a part of the page: write: the heading "{value}" is visible.'
    owned = element.lower().rsplit(" ", 1)[-1] in PROPERTIES - {"login"}
    if value in told.quoted and value in _STATE_SLIPS and not owned and told.is_plain(element):
        yield f'"{value}" may be a state or a text: write a state without quotes, or which text is visible.'
    if told.is_plain(element) and re.search(rf"\b{re.escape(element)} containing\b", told.bare, re.IGNORECASE):
        yield f'"{element}" may be any: say how many of them contain it, or that the text is visible.'

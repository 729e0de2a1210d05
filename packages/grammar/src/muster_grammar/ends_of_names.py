"""Words at the ends of names and values without quotes that belong to something else beside them. Pure.

A preposition goes on, a side and a part of the page tell where, a noun for a text tells what is in it, and of two
words that are typed one may be the field.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from muster_grammar.asides import ENDS
from muster_grammar.described_names import HOLDING
from muster_grammar.dropped_words import POINTED
from muster_grammar.name_boundaries import DEEDS
from muster_grammar.told_sentences import Told, names_of
from muster_grammar.verbs import ACTIONS
from muster_grammar.vocabulary import split
from muster_protocol.tool_calls import ToolCall

_GOING_ON = split("to of for with from by into via")
_SIDE = r"(?:top|bottom|left|right|upper|lower)"
_PART = r"(?:nav|navbar|sidebar|side bar|toolbar|header|footer|panel|pane)"
_PLACED = re.compile(rf"(?:{_SIDE}[ -]{_SIDE}|{_SIDE} {_PART}) \S|([A-Z]\S*) (?:{_SIDE} )?{_PART}")
_LED_BY_PART = re.compile(rf"(?:{_SIDE} )?{_PART} [A-Z]")
_HOLDER = r"(?:popup|pop-up|dialog|modal|banner|toast|form|card|panel|page|window)"
_IN_HOLDER = re.compile(rf"\S.* {_HOLDER} (?:{'|'.join(sorted(DEEDS))})$", re.IGNORECASE)
"""A part of the page and what is done to it, as if one name: "rating popup close"."""
_EXTREMES = split(
    "cheapest newest oldest latest highest lowest largest smallest biggest longest shortest earliest nearest closest "
    "fastest slowest best worst"
)
_OF_TWO = re.compile(r"\b(?:field|input|box|dropdown|list) and\b|\bbetween\b", re.IGNORECASE)
_RANGES = split("range period interval span dates hours slider")
_KEPT = re.compile(r"(?:saved|stored|remembered) value", re.IGNORECASE)
_PART_BEFORE_KIND = re.compile(rf'" ((?:{_SIDE} )?{_PART}) (?:button|link|icon|tab|item)\b')
_TEXTS = split("word text string keyword phrase substring label")
_SHOWN = re.compile(rf'(?:contains?|shows?|displays?|has|is) "[^"]* (?:{"|".join(_TEXTS)})"$')
_CLOSE = re.compile(r"\b(?:right|just|directly|immediately) (?:above|below|under)\b", re.IGNORECASE)
_CODE = re.compile(r"\S*\d\S*|\S+@\S+")
_BETWEEN = re.compile(r"\d\S* (?:\w+ )?and [a-z]", re.IGNORECASE)


def problems_of_ends(told: Told) -> Iterator[str]:
    """Yield what is wrong with the ends of names, values and typed texts that stand without quotes."""
    for call in told.calls:
        for name in filter(told.is_plain, names_of(call)):
            yield from _of_name(told, call, name)
        yield from _of_value(told, call)
        yield from _of_typed(told, call)
    if any(_sets_range(one, two) for one, two in pairwise(told.calls)):
        yield "Say which value is the start and which the end, and in which field each is entered."
    part = _PART_BEFORE_KIND.search(told.bare)
    if part and not any(call.arguments.get("within") for call in told.calls):
        yield f"Say which part it is in: … in the {part[1]}."
    if any(_only_leads(one) and _has_no_field(two) for one, two in pairwise(told.calls)):
        yield "Say into which field the text is typed."


def _of_name(told: Told, call: ToolCall, name: str) -> Iterator[str]:
    *led, last = name.split()
    goes_on = re.search(rf"(?<!\w){re.escape(name)} (\w+)", told.bare) if led and last in _GOING_ON else None
    if goes_on and (goes_on[1][:1].isupper() or (call.tool in POINTED and goes_on[1] in HOLDING)):
        yield f'"{name} {goes_on[1]}" may be the whole name: put it in quotes.'
    looked = call.tool in POINTED | {"check_visible", "check_state"} and call.tool != "drag"
    if looked and call.arguments.get("role") and re.search(rf"(?<!\w){re.escape(name)} to [a-z]", told.bare):
        yield f'"{name} to …" may be the whole name: put it in quotes.'
    if name in _EXTREMES:
        yield f"Which one is the {name} is not told: put what it is called in quotes."
    if call.tool in ("type", "select") and _OF_TWO.search(name):
        yield f'"{name}" may be several fields, or tell a value: write each value with its own field.'
    if _KEPT.fullmatch(name):
        yield "A value that was remembered is written as a variable, as in: ${total}."
    if call.arguments.get("role") and is_placed(name) and name == call.arguments.get("element"):
        yield f'"{name}" tells where it is, too: put what it is called in quotes, and say which part it is in.'
    if call.arguments.get("role") == "button" and last == "mouse":
        yield "This is a button of the mouse: say what is clicked."
    if call.tool == "type" and _BETWEEN.search(name):
        yield f'"{name}" holds a value and another field: write each value with its own field.'


def _of_value(told: Told, call: ToolCall) -> Iterator[str]:
    if call.arguments.get("match") in ("above", "below") and _CLOSE.search(told.bare):
        yield "How much more or less it may be is not told: write two limits."
    for key in ("value", "title"):
        value = str(call.arguments.get(key, ""))
        *led, last = value.split() or [""]
        if led and last in _TEXTS and told.is_plain(value):
            yield f'"{value}" says what kind of text it is, too: put the text in quotes.'
        several = led and last.islower() and last.endswith("s") and not last.endswith(("ss", "us", "is"))
        if several and call.arguments.get("match") == "contains" and told.is_plain(value):
            yield f'"{value}" may tell what is in it: put in quotes what is seen.'


def _of_typed(told: Told, call: ToolCall) -> Iterator[str]:
    text = str(call.arguments.get("text", ""))
    *led, last = text.split() or [""]
    if led and _has_no_field(call) and told.is_plain(text) and _CODE.fullmatch(last):
        field = " ".join(led)
        yield f'"{field}" may be the field: write: Type "{last}" into "{field}"; or put the whole text in quotes.'


def _has_no_field(call: ToolCall) -> bool:
    return call.tool == "type" and call.arguments.keys() == {"text"}


def _sets_range(one: ToolCall, two: ToolCall) -> bool:
    """Return whether "from … to …" tells both ends of a range, and no old and new value: "the price range"."""
    named = str(two.arguments.get("element", "")).lower().split()
    same = one.arguments.get("element") == two.arguments.get("element")
    return same and (one.tool, two.tool) == ("check_value", "type") and not _RANGES.isdisjoint(named[-1:])


def _only_leads(call: ToolCall) -> bool:
    """Return whether after a call to something the focus is still where it was."""
    return call.tool in ("scroll", "hover") and bool(call.arguments.get("element") or call.arguments.get("role"))


def is_placed(name: str) -> bool:
    """Return whether a name has a place in it: "top right cart", "ad popup close"; "Collapse sidebar" is one name."""
    if _IN_HOLDER.match(name):
        return True
    placed = _PLACED.match(name)
    return placed is not None and (placed[1] or "").lower() not in ENDS | ACTIONS.keys()


def belongs_beside(text: str, proposal: str) -> bool:
    """Return whether a proposal quotes what only stands beside a name or a text: a part of the page, "word"."""
    return is_placed(text) or bool(_LED_BY_PART.match(text)) or (bool(_SHOWN.search(proposal)) and text in proposal)

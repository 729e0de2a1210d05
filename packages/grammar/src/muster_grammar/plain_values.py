"""Values without quotes that may be something else: a thing, a state, or a description of the value. Pure.

A check that denies such a value passes on every page: no field holds "Mandatory".
"""

import re
from collections.abc import Iterator

from muster_grammar.conserved_names import COME
from muster_grammar.element_kinds import KINDS, OPTION_LABELS, PROPERTIES
from muster_grammar.pattern_parameters import STATE_WORDS
from muster_grammar.told_sentences import DESCRIBING, Told
from muster_grammar.vocabulary import SYNONYMS, THINGS, split
from muster_protocol.tool_calls import ToolCall

_FIELDS = re.compile(r"\b(?:field|input|box|textbox|dropdown|list)\b", re.IGNORECASE)
_COMPARED = r"\b(?:same as|identical to|different from|differs? from|equals?(?: to)?|match(?:es)?)(?: the)? "
"""Words after which a thing may stand as well as a value."""
_KIND_OF_VALUE = DESCRIBING | split("right proper expected appropriate relevant matching corresponding actual")
_QUALITIES = split("mandatory required optional editable enabled disabled readonly read-only")
"""Adjectives for fields."""
_ENTERED_LABELS = split("id name number code date time email password username")
"""Last words of labels, as opposed to values: "Enter Product ID in the PDP field"."""
_SORTS_OF_VALUES = split("characters string strings format script data")
_VALIDITY = re.compile(r"\b(?:in)?valid\b", re.IGNORECASE)
_SO_MANY = re.compile(r"\d+ [A-Za-z]{2,}s|\d+(?:st|nd|rd|th) .*")
_NAMELESS = {*KINDS, *THINGS["page"].split(", "), "column"}
"""Nouns that identify no single element on their own."""


def problems_of_plain_values(told: Told) -> Iterator[str]:
    """Yield what is wrong with values, entries and options that stand without quotes."""
    for call in told.calls:
        yield from (
            problem for entry in filter(told.is_plain, _entries(call)) for problem in _of_entry(told, call, entry)
        )
        value = str(call.arguments.get("value", "")) if call.tool == "check_value" else ""
        if told.is_plain(value) and not any(map(str.isdigit, value)):
            yield from _of_value(told, call, value)
        yield from _of_holder(told, call)


def _entries(call: ToolCall) -> Iterator[str]:
    """Yield the texts that a call types or selects."""
    options = call.arguments.get("options") if call.tool == "select" else None
    yield from (str(one) for one in (options if isinstance(options, list) else ()))
    if call.tool == "type":
        yield str(call.arguments.get("text", ""))


def _of_entry(told: Told, call: ToolCall, entry: str) -> Iterator[str]:
    element, said = str(call.arguments.get("element", "")).casefold(), entry.casefold()
    first, last = entry.split(maxsplit=1)[0], said.split()[-1]
    labels = OPTION_LABELS if call.tool == "select" else _ENTERED_LABELS
    if element and (said in element or said.endswith(f" {element}") or (last in labels and " " in said)):
        yield f'"{entry}" may be what the field is called: put in quotes what is entered or chosen.'
    if element in _QUALITIES:
        yield f'"{element}" says what the field is like: put in quotes what it is called.'
    if re.search(rf"\b{re.escape(entry)} (?:string|script|payload|query)\b", told.bare):
        yield f'"{entry}" says what kind of text is typed: put the text in quotes.'
    if call.tool == "type" and re.search(rf"\bthe {re.escape(entry)}\b", told.bare, re.IGNORECASE):
        yield f'"The {entry}" tells which value is meant: put in quotes what is entered.'
    if first in COME or (not element and _SO_MANY.fullmatch(entry)):
        yield f'"{entry}" tells which one is meant, or how many: put in quotes what is chosen.'


def _of_holder(told: Told, call: ToolCall) -> Iterator[str]:
    """Yield what is wrong with the field, list or element whose value is checked or set."""
    element = str(call.arguments.get("element", ""))
    if call.tool == "check_value" and element and re.search(rf"\bas an? {re.escape(element)}\b", told.bare):
        yield f'"{element}" tells what it is, and no label: say where the text is.'
    is_quoted_list = call.tool == "select" and element in told.quoted
    if is_quoted_list and re.search(rf'\bthe {_chosen(call)} (?:for|of) "', told.bare):
        yield f'"{element}" may be what is selected: write in which list.'
    if call.tool in ("type", "select") and told.is_plain(element) and element.lower().startswith("unique "):
        yield f'"{element}" says what the value is like: write what the field is called.'
    if call.tool != "type" or not told.is_plain(element):
        return
    if element.rsplit(maxsplit=1)[-1] in _SORTS_OF_VALUES and _VALIDITY.search(told.bare):
        yield f'"{element}" says what kind of text is typed: say into which field.'
    if f"as {element}" in told.bare and element.split(maxsplit=1)[0] in ("current", "today's", "random"):
        yield f'"{element}" may be the value: put the value in quotes.'


def _chosen(call: ToolCall) -> str:
    options = call.arguments.get("options")
    return re.escape(str(options[0])) if isinstance(options, list) and options else ""


def _of_value(told: Told, call: ToolCall, value: str) -> Iterator[str]:
    element = str(call.arguments.get("element", ""))
    first = value.lower().split(maxsplit=1)[0]
    if re.search(_COMPARED + re.escape(value), told.bare, re.IGNORECASE):
        yield f'"{value}" may be a thing or a text: put a text in quotes, remember the value of a thing by a name.'
    if first.endswith("ed") and re.search(rf"\bgets? {re.escape(value)}", told.bare):
        yield f'"{value}" may tell what happens: say what is visible then.'
    if element and value.casefold() in element.casefold():
        yield f'"{value}" may be what has the value: put the value in quotes.'
    if first in _KIND_OF_VALUE:
        yield f'"{value}" says what kind of value is meant: put the value in quotes.'
    owned = element.lower().rsplit(" ", 1)[-1] in PROPERTIES
    of_field = not owned or bool(_FIELDS.search(told.bare))
    if (first in STATE_WORDS and not owned) or (is_quality(first) and of_field):
        yield f'"{value}" may be a state or a text: write a state in small letters and a text in quotes.'
    if call.arguments.get("negate") and not owned:
        yield f'"{value}" may only describe what must not be so: put it in quotes.'
    if told.is_plain(element) and element.lower() in _NAMELESS:
        yield f'"{element}" may be any: put in quotes what it is called, or what is seen.'


def is_quality(word: str) -> bool:
    """Return whether a lower-case word describes a field, or says whether an element is visible."""
    return word in _QUALITIES or SYNONYMS.keys.get(f"is {word}", "is").startswith(("is visible", "is not visible"))

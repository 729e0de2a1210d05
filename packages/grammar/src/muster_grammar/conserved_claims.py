"""What becomes of the denial, the order and the time of a claim: none may be carried to where it does not belong. Pure.

In `is not empty and enabled` and `is not "5" but "6"`, nothing says whether the second is denied as well.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from muster_grammar.element_kinds import PLURALS
from muster_grammar.told_sentences import Told
from muster_grammar.vocabulary import SHORT_NOT
from muster_protocol.tool_calls import ToolCall
from muster_text.clauses import QUOTED

_DENIES = re.compile(rf"\b(?:no|not|never|cannot|nicht|kein\w*)\b|n['’]t\b|\b{SHORT_NOT}\b", re.IGNORECASE)
_FORMERLY = re.compile(
    r"\b(?:no longer|any ?more|any longer|nicht (?:mehr|länger)|kein\w* mehr)\b|\b(?:no|not|n't) more\b", re.IGNORECASE
)
"""A denial that says that something changes, so that a time may be its limit."""
_VERBS = re.compile(
    r"\b(?:is|are|was|were|has|have|does|do|should|must|can|will|ist|sind|wird|werden|hat|haben|[a-z]{3,}s)\b",
    re.IGNORECASE,
)
_BUT = re.compile(r",? (?:but|aber) ", re.IGNORECASE)
_NEXT = re.compile(r"(?<![.;]) (?:then|afterwards|after that|dann|danach) (?:by )?([^.;]*\"[^.;]*)", re.IGNORECASE)
_EACH_SO_MANY = re.compile(r"\b(?:every|each|all) (?:second|third|fourth|fifth|\d*(?:st|nd|rd|th))\b", re.IGNORECASE)
_NOT_BOTH = re.compile(r"(?:\bnot|n't|\bnicht)\b[^,.;]* (?:both|beide)\b", re.IGNORECASE)
_SAME_AS_THING = re.compile(r'\b(?:same as|identical to|equal to the|equals? the|matches the)(?: the)? "')
_ALL_BUT = re.compile(
    r"\b(?:all|each|every|any|no|none|nothing|everything|everyone|jede\w*|alle)\b"
    r"(?: (?!(?:is|are|was|were|has|have|do|does|contains?|shows?|ist|sind)\b)[\w-]+){0,3} (?:but|aber) ",
    re.IGNORECASE,
)
_NO_MESSAGE = re.compile(
    r"\b(?:no|any|without|kein\w*) (?:[\w-]+ )?"
    r"(?:errors?|messages?|warnings?|hints?|labels?|captions?|tooltips?|fehler|meldung)\b",
    re.IGNORECASE,
)
_ONLY_THESE = re.compile(
    r'^(?:only|just|nur) [^.;]*?"[^.;]* (?:and|und) [^.;]*"[^.;]* (?:is|are|ist|sind|wird|werden|appears?)\b', re.I
)
_WAS_AND_IS = re.compile(r"\b(?:was|were)\b[^.;]* (?:is|are) now\b", re.IGNORECASE)
_PLACED_TWICE = re.compile(
    r'\b(?:in|inside|within|on|under|of|from|beside|next to|below|above|for) (?:the )?"(?: [\w-]+)? and (?:the )?"',
    re.IGNORECASE,
)
_BESIDE_BOTH = re.compile(
    r'\b(?:next to|beside|below|above|under|before|after) (?:the )?"(?: [\w-]+)? and (?:the )?"(?: [\w-]+)? '
    r"(?:is|are|has|have|shows?|contains?)\b",
    re.IGNORECASE,
)
"""Two names of which the second may be beside the thing as well, or be claimed itself."""
_NO_VERB = r"(?:(?!\b(?:is|are|has|have|(?:show|contain|appear|open|exist)s?|pops)\b)[^.;])*"
_HOLDING_BOTH = re.compile(
    rf'\b(?:with|containing)\b{_NO_VERB}"{_NO_VERB} and (?:an? |the )?(?:[\w-]+ ){{0,3}}"', re.IGNORECASE
)
"""Two things that a part of the page holds: `a dialog with the text "A" and a "B" button`."""
_UNTOLD = (
    (_EACH_SO_MANY, "Say what each of them is, or name one: the second row."),
    (_NOT_BOTH, "Say of each whether it is so: one of them may be."),
    (_ALL_BUT, "Say without exceptions what is so, of each."),
    (_WAS_AND_IS, "What was so can be seen no more: say only what is so now."),
)
"""What no check tells, and what to write instead."""
_STATES = ("check_state", "check_visible", "check_value", "check_text")


def problems_of_claims(told: Told) -> Iterator[str]:
    """Yield what a reading makes of a denial, an order or a time that a sentence does not say."""
    yield from _of_orders(told)
    if told.claim and told.calls and _leaves_holder(told):
        yield "Say of each what it is in."
    yield from (problem for pattern, problem in _UNTOLD if pattern.search(told.bare))
    if _ONLY_THESE.search(told.bare) and any(call.tool == "check_count" for call in told.calls):
        yield 'Say what holds only these, as in: The list contains only "A" and "B".'
    placed = (_BESIDE_BOTH if told.claim else _PLACED_TWICE).search(told.bare)
    if placed and any(map(_leaves_place, told.calls, told.calls[1:])):
        yield "The last name may be a place, too: give it a verb of its own."
    for call in told.calls:
        yield from _of_times(call)
        if call.arguments.get("state") == "empty" and _NO_MESSAGE.search(told.bare):
            yield "What shows no message need not be empty: put in quotes what is not visible, or write: is valid."
        if call.tool == "check_value" and _SAME_AS_THING.search(told.bare) and _is_worded(call):
            yield f'"{call.arguments["value"]}" may be a thing or a text: remember the value of the thing by a name.'
    if any(_carries_denial(one, two) for one, two in pairwise(told.calls)):
        yield "Say in full of each what is so, or is not so."


def _leaves_holder(told: Told) -> bool:
    """Return whether the second of two things that a part of the page holds is looked for anywhere."""
    first, *rest = told.calls
    held = first.tool == "check_dialog" or first.arguments.get("within") or first.arguments.get("role") == "dialog"
    return bool(held and _HOLDING_BOTH.search(told.bare)) and not all(call.arguments.get("within") for call in rest)


def _leaves_place(one: ToolCall, two: ToolCall) -> bool:
    shown = {one.tool, two.tool} == {"check_visible", "check_text"}
    return (one.tool == two.tool or shown) and bool(one.arguments.get("within")) and not two.arguments.get("within")


def _is_worded(call: ToolCall) -> bool:
    value = str(call.arguments.get("value", ""))
    return value[:1].isalpha() and not any(map(str.isdigit, value))


def _of_orders(told: Told) -> Iterator[str]:
    following = _NEXT.search(told.bare) if told.claim else None
    in_order = any(call.tool == "check_order" for call in told.calls)
    if following and not in_order and (following[1].lstrip('" ')[:1] == "," or not _has_verb(following[1])):
        yield '"then" tells an order: write "A", "B" in this order, or two sentences.'


def _has_verb(text: str) -> bool:
    return any(word.lower() not in PLURALS for word in _VERBS.findall(text))


def _of_times(call: ToolCall) -> Iterator[str]:
    said = QUOTED.sub('"', call.clause or "")
    if call.arguments.get("up_to_seconds") and _DENIES.search(said) and not _FORMERLY.search(said):
        yield 'It may be meant for the whole time: write "disappears within …" for what goes away in that time.'


def _carries_denial(one: ToolCall, two: ToolCall) -> bool:
    """Return whether what follows a denial by "and" or "but" has no verb that says whether it is denied, too."""
    told, rest = (QUOTED.sub('"', call.clause or "") for call in (one, two))
    if told == rest:
        denied, but, rest = _halves(told)
        return bool(but) and bool(_DENIES.search(denied)) and not _DENIES.search(rest) and not _VERBS.search(rest)
    same = len({str(call.arguments.get("element") or call.arguments.get("text")) for call in (one, two)}) == 1
    states = same and one.tool in _STATES and two.tool in _STATES
    mere = not _DENIES.search(rest) and not _VERBS.search(rest) and '"' not in rest.removeprefix("but ")
    but = rest.startswith(("but ", "aber ")) and not _VERBS.search(rest) and not _DENIES.search(rest)
    return bool(_DENIES.search(told)) and ((states and mere) or but)


def _halves(clause: str) -> tuple[str, str, str]:
    cut = _BUT.search(clause)
    return (clause[: cut.start()], "but", clause[cut.end() :]) if cut else (clause, "", "")

"""Words such as "only", "twice" and "at most": a reading must not drop them or take them into a name. Pure."""

import re
from collections.abc import Iterator
from itertools import combinations

from muster_grammar.conserved_names import is_tailed
from muster_grammar.element_kinds import PLURALS
from muster_grammar.made_up_names import LIMITING
from muster_grammar.told_sentences import Told, names_of
from muster_grammar.unquoted_names import DESCRIBING
from muster_grammar.vocabulary import IDLE_ADVERBS, split
from muster_protocol.tool_calls import ToolCall

_NEVER_FIRST = IDLE_ADVERBS | split("twice once immediately")
"""Words in small letters before a name that say when or how often: "the still list", "twice Norway"."""
_WHICH_ONE = (DESCRIBING - {"main", "search"}) | split("previous former other same next another twice")
"""Words that alone tell no part of a page: "the old form"."""
_IN_TURN = split("next previous former old other")
"""Words before a kind that tell one by another: "the next tab". A button may well be called so."""
_VERBATIM = split("execute_command check_output browser_press")
"""Tools that take words as they are."""
_CONTRARY = re.compile(
    r"\b(?:exactly|precisely|only|just) (?:[\w-]+ ){0,4}?(?:or (?:more|less|fewer)|at (?:least|most)|up to)\b"
    r"|\b(?:or (?:more|less|fewer)|at (?:least|most)) (?:[\w-]+ ){0,3}?(?:exactly|precisely|only)\b",
    re.IGNORECASE,
)
_ONE_OF_LIST = re.compile(r'"(?:,? and|,? but|,) (?:only|just|exactly|solely|both) (?:the )?(?:text )?"', re.IGNORECASE)
_KINDS = "|".join(sorted({*PLURALS, "columns"} - {"s"}))
_SOME_DENIED = re.compile(
    rf'"(?:,? and|,? but|,) (?:not|no longer|never) (?:the )?"(?:,? (?:and )?(?:the )?")* (?:{_KINDS})\b'
    rf'|\b(?:{_KINDS}):? "(?:[^.;]*")?(?:,? and|,? but|,) (?:not|no longer|never) (?:the )?"',
    re.IGNORECASE,
)
"""Several of one kind of which some are denied: `the "A" and not "B" fields`."""
_BOTH = re.compile(r"\bboth\b(?![^.;]*\b(?:and|und)\b)", re.IGNORECASE)
_EXACTLY_EACH = re.compile(r'^exactly "(?:,| and)', re.IGNORECASE)
_AT_ONCE = re.compile(r"\b(?:immediately|instantly|at once|right away|straight away)\b", re.IGNORECASE)
_SO_MANY_BESIDE = re.compile(
    r"\b(?:there (?:is|are)|sees?|shows?) \d+ (?:above|below|before|after|next to|beside) ", re.IGNORECASE
)
_CHECKS = ("check_", "wait_for")
_CURRENT = split("selected active current highlighted chosen checked focused")
_OF_SEVERAL = split(
    "tab option menuitem row cell listitem treeitem radio checkbox textbox combobox table list heading image"
)
"""Roles of what stands among others of its kind."""
_FRAMES = re.compile(r"\b(?:i?frames?|framesets?)\b", re.IGNORECASE)


def problems_of_limits(told: Told) -> Iterator[str]:
    """Yield a problem for each such word that a reading drops or takes into a name."""
    yield from _of_counts(told)
    yield from _of_lists(told)
    if not told.claim and _AT_ONCE.search(told.bare) and any(call.tool.startswith(_CHECKS) for call in told.calls):
        yield "A check waits until it holds: leave out how fast it is, or write: within 1 second."
    for call in told.calls:
        yield from _of_plain_texts(told, call)
        yield from _of_current(told, call)
        if call.tool in ("check_value", "type") and not call.arguments.get("role") and _FRAMES.search(told.bare):
            yield "What a frame shows is on the page: leave out the frame, and write what is visible or typed."


def _of_counts(told: Told) -> Iterator[str]:
    if contrary := _CONTRARY.search(told.bare):
        yield f'"{contrary[0]}" says two numbers: write either exactly how many, or how many at least or at most.'
    if _SO_MANY_BESIDE.search(told.bare):
        yield "Say what is counted, as in: There are 2 rows."
    counts = [
        call for call in told.calls if call.tool in ("check_count", "check_options") and "count" in call.arguments
    ]
    if any(_are_at_odds(one, two) for one, two in combinations(counts, 2)):
        yield "Two numbers are told of the same things: write one list of all of them."


def _are_at_odds(one: ToolCall, two: ToolCall) -> bool:
    """Return whether two checks count the same and want different numbers of it."""
    same = all(one.arguments.get(key) == two.arguments.get(key) for key in ("element", "role", "within"))
    exact = not any(call.arguments.get("comparison") for call in (one, two))
    return same and exact and one.tool == two.tool and one.arguments["count"] != two.arguments["count"]


def _of_lists(told: Told) -> Iterator[str]:
    if _ONE_OF_LIST.search(told.bare) or _EXACTLY_EACH.search(told.bare):
        yield 'Say of each in full what is so: a word such as "only" may be meant for one of several.'
    if _SOME_DENIED.search(told.bare):
        yield "Say in full what is there, and what is not."
    if _BOTH.search(told.bare):
        yield '"Both" is of two things: name them, as in: both "A" and "B".'


def _of_plain_texts(told: Told, call: ToolCall) -> Iterator[str]:
    for text in filter(told.is_plain, _texts(call)):
        words = (text if not told.bare.startswith(text) else text[:1].lower() + text[1:]).split()
        if (limit := LIMITING.search(text)) or words[0] in _NEVER_FIRST:
            yield f'"{limit[0] if limit else words[0]}" tells something that no name does: put what is meant in quotes.'
        if is_tailed(words):
            yield f'"{text}" may be more than the name or the value: put it in quotes.'
    named = str(call.arguments.get("element", ""))
    if named in _IN_TURN and call.arguments.get("role") in _OF_SEVERAL and told.is_plain(named):
        yield f'"{named}" tells which one is meant: put in quotes what it is called, or write: the second one.'
    parts = [name for name in names_of(call) if name != named]
    if vague := next((name for name in parts if name in _WHICH_ONE and told.is_plain(name)), ""):
        yield f'"{vague}" tells no part of the page: put what it is called in quotes.'


def _texts(call: ToolCall) -> Iterator[str]:
    """Yield what a call names, types, selects or looks for."""
    if call.tool in _VERBATIM or call.tool.startswith("http_"):
        return
    yield from names_of(call)
    options = call.arguments.get("options")
    yield from (str(one) for one in (options if isinstance(options, list) else ()))
    yield from (str(call.arguments[key]) for key in ("text", "value", "path", "title") if call.arguments.get(key))


def _of_current(told: Told, call: ToolCall) -> Iterator[str]:
    """The "previous active" of tabs is called nothing: which one it is has to be told."""
    named = str(call.arguments.get("element", ""))
    current = call.tool == "check_value" and call.arguments.get("role") in (*_OF_SEVERAL, "link")
    if current and told.is_plain(named) and not _CURRENT.isdisjoint(named.lower().split()):
        yield f'"{named}" tells which one is meant: write: The selected option of "Size" is "M".'

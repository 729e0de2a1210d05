"""From sentences to tool calls; what is unknown or unclear is refused, never guessed. Pure."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise, takewhile

import msgspec

from muster_grammar.advice import hint
from muster_grammar.asides import is_definite, without_asides, without_lead
from muster_grammar.claim_order import both_denied, placed, with_leads
from muster_grammar.claim_words import is_quoted_state
from muster_grammar.compounds import (
    PAGE_ENDINGS,
    SEES,
    Find,
    carried,
    sequences,
    trimmed,
    unreadable,
    with_shared_noun,
    with_shared_place,
    with_verb,
    without_both,
)
from muster_grammar.conservation import conserved
from muster_grammar.element_kinds import CHOICES, KINDS, SECTIONS
from muster_grammar.engine import Calls, Phrase, Reading, closest, find, shown
from muster_grammar.errors import AmbiguousPhrase, TooLong, UnknownPhrase
from muster_grammar.implied_readings import is_typed_label, with_implied_names
from muster_grammar.languages import words_of
from muster_grammar.markup_texts import leaves_number_open
from muster_grammar.page_mentions import find_on_page
from muster_grammar.pattern_parameters import seconds_in
from muster_grammar.phrase_catalogue import ACTIONS, EXPECTATIONS, PHRASES, STATES, find_claims
from muster_grammar.pronouns import without_pronouns
from muster_grammar.shared_subjects import with_each_subject
from muster_grammar.shortened_claims import are_sights, seen_things, whole_claims
from muster_grammar.tokens import LITERAL, Token, Words, first_word, source
from muster_grammar.vocabulary import split
from muster_grammar.waiting_phrases import waiting
from muster_protocol.tool_calls import ArgumentValue, ToolCall
from muster_text.clauses import literals, split_clauses
from muster_text.sentences import action_excess, expectation_excess

_CLAIMS = frozenset(("verify", "check", "confirm", "expect", "page show"))
_IN_LABELS = frozenset(("check", "confirm"))
"""Those that labels begin with: "Confirm password"."""
_OF_ANOTHER = re.compile(
    r"\b(?:with|to|as) the value (?:of|in|from) ([\"“'`][^\"”'`]*[A-Za-z][^\"”'`]*[\"”'`])", re.IGNORECASE
)
"""A value that another field holds, where it is typed: "with the value of "Nickname""."""
_TURNS = frozenset(("on", "off"))
_LIMITS = split("within") | {f"{way} {most}" for way in ("in", "within", "after") for most in ("at most", "less than")}
"""What comes before the time that something has at the end of a claim."""
_SEEN = frozenset(("page show", "page not show", "i is on", *_CLAIMS))


def parse_action(sentence: str) -> tuple[ToolCall, ...]:
    """Return the calls of a sentence that says what to do, several when it is joined by "and", "then" or commas.

    Raises:
        UnknownPhrase: no phrase fits the sentence or a part of it.
        AmbiguousPhrase: the sentence can mean different calls.
        TooLong: it is longer than any that is read.
    """
    return conserved(sentence, with_implied_names(sentence, _parsed_action, claim=False), claim=False)


def _parsed_action(sentence: str) -> Calls:
    calls = _sequence(sentence, _actions, ACTIONS.phrases)
    if any(_types_on(one, two) for one, two in pairwise(calls)):
        raise UnknownPhrase(sentence, "Say into which field each text is typed.")
    if any(
        call.arguments.get("role") == "switch" and str(call.arguments["element"]).lower() in _TURNS for call in calls
    ):
        raise UnknownPhrase(sentence, "Say which way a switch is turned: Turn off the … switch.")
    if held := _OF_ANOTHER.search(sentence):
        raise UnknownPhrase(sentence, f"{held[1]} names what holds the value: remember that value first, by a name.")
    labels = [str(call.arguments["text"]) for call in calls if is_typed_label(call)]
    label = next((label for label in labels if "${" not in label), None)
    if label and label not in literals(sentence):
        raise UnknownPhrase(sentence, f'"{label}" is the field: say which value is typed.')
    return calls


def _types_on(one: ToolCall, two: ToolCall) -> bool:
    """Return whether a text would be typed behind another: `Enter "First", "Last"` names two fields."""
    return one.tool == two.tool == "type" and {*one.arguments, *two.arguments} == {"text"}


def parse_precondition(text: str) -> tuple[ToolCall, ...]:
    """Return the calls that bring a precondition about or check it; each check names the text as its clause.

    Raises:
        UnknownPhrase: no phrase fits the text or a part of it.
        AmbiguousPhrase: the text can mean different calls.
        TooLong: it is longer than any that is read.
    """
    try:
        calls = _sequence(text, _preconditions, PHRASES)
    except UnknownPhrase as error:
        calls = _act_or_claim(text, error)
    return tuple(msgspec.structs.replace(call, clause=text.strip()) if _is_check(call) else call for call in calls)


def _act_or_claim(text: str, error: UnknownPhrase) -> Calls:
    """Read a precondition whose names stand without quotes, where it is either an act or a claim.

    Raises:
        UnknownPhrase: it is neither.
        AmbiguousPhrase: it may be both.
    """
    found: list[Calls] = []
    for parse in (parse_action, parse_expectation):
        with suppress(UnknownPhrase, TooLong):
            found.append(parse(text))
    if len(found) > 1:
        raise AmbiguousPhrase(text, tuple(map(shown, found)))
    if not found:
        raise error
    return found[0]


def parse_expectation(text: str) -> tuple[ToolCall, ...]:
    """Return the checks of an expectation, at least one for each clause, which each check names verbatim.

    Raises:
        UnknownPhrase: no phrase fits a clause.
        AmbiguousPhrase: a clause can mean different checks.
        TooLong: it is longer than any that is read.
    """
    if excess := expectation_excess(text):
        raise TooLong(text, excess)
    return conserved(text, with_implied_names(text, _parsed_expectation, claim=True), claim=True)


def _parsed_expectation(text: str) -> Calls:
    clauses = split_clauses(text)
    if not clauses:
        raise UnknownPhrase(text, "It says nothing that can be checked.")
    units = with_leads(text, [(clause, unit) for clause in clauses for unit in _units(clause)])
    checks: list[ToolCall] = []
    before: Words = ()
    for at, unit in enumerate(units):
        following = tuple(later.words for later in takewhile(lambda unit: not unit.begins, units[at + 1 :]))
        after = following[0] if following else ()
        before = () if unit.begins else before
        words = without_both(unit.words, following)
        named = with_shared_noun(words, units[at - 1].words if at and not unit.begins else (), after)
        whole = with_shared_place(named, following)
        calls, before = _clause(unit.clauses[-1], placed(unit._replace(words=whole)), before, with_verb(following))
        checks += [msgspec.structs.replace(call, clause=clause) for clause in unit.clauses for call in calls]
    _each_literal_stands(clauses, checks)
    return tuple(with_each_subject(checks))


def _sequence(sentence: str, finder: Find, phrases: Iterable[Phrase]) -> Calls:
    if excess := action_excess(sentence):
        raise TooLong(sentence, excess)
    some = without_pronouns(trimmed(words_of(sentence), ACTIONS.starts))
    found = sequences(some, finder) if some else ()
    if not found and (rest := without_lead(some)):
        found = sequences(rest, finder)
    match found:
        case (calls,):
            return _in_the_field_before(calls, finding=first_word(some) == "find")
        case ():
            part = unreadable(some, finder)
            advice = hint(part, "action") or hint(some, "action")
            said = sentence if part == some else source(part)
            raise UnknownPhrase(said, advice, partial(closest, part, phrases))
        case _:
            raise AmbiguousPhrase(sentence, tuple(map(shown, found)))


def _in_the_field_before(calls: Calls, *, finding: bool) -> Calls:
    """Put a text without a field into the one before: `Clear the "Name" field and type "Ada"`; "find" leads there."""
    kept = list(calls)
    for at, (before, after) in enumerate(pairwise(calls), 1):
        led = before.tool == "clear" or (
            finding and at == 1 and before.tool == "scroll" and "element" in before.arguments
        )
        if led and after.tool == "type" and after.arguments.keys() == {"text"}:
            kept[at] = msgspec.structs.replace(after, arguments={**before.arguments, **after.arguments})
    return tuple(kept)


def _actions(some: Words) -> tuple[Reading, ...]:
    bare = trimmed(some, ACTIONS.starts)
    if _goes_to_part(bare) or _is_of_field(bare):
        return ()
    if found := find(bare, ACTIONS):
        return found
    plainer = (find(wording, ACTIONS) for wording in without_asides(bare))
    said = next((readings for readings in plainer if readings), ())
    if said:
        return said if all(is_definite(reading.calls) for reading in said) else ()
    return find_on_page(bare, _actions)


def _is_of_field(some: Words) -> bool:
    """Return whether a capital letter makes a noun the field: `Select Domain "A"`; a product is what is chosen."""
    choosing = [token.key for token in some[:1]] in (["select"], ["choose"]) and len(some) == 3
    noun = some[1].text if choosing and some[2].key == LITERAL else ""
    return noun.istitle() and noun.lower() not in KINDS | CHOICES


def _goes_to_part(some: Words) -> bool:
    """Return whether one is to get to a part of a page, or to a tab that has opened: a click need not lead there."""
    if len(some) < 2 or some[0].key != "open" or not some[0].text.lower().endswith(" to"):
        return False
    return some[-1].key in SECTIONS | {"image"} or (some[1].key == "new" and some[-1].key in ("tab", "window"))


def _claims(some: Words) -> tuple[Reading, ...]:
    """Find an expectation, also as "I see that …", "Verify that …", or with "within 10 seconds" at its end."""
    bare = trimmed(some, _SEEN, PAGE_ENDINGS)
    if readings := _asked(bare) if bare and bare[0].key in _CLAIMS else find_claims(bare):
        return readings
    if bare and bare[0].key in _CLAIMS and (readings := find_claims(_finite(bare[1:]))):
        return readings
    return _patient_claims(bare) or find_on_page(bare, _claims)


def _asked(some: Words) -> tuple[Reading, ...]:
    """Find an expectation after "Verify" or its like, which is part of a name only where it may well be one."""
    asked, whole = find_claims(some[1:]), find_claims(some)
    if not asked or not whole or some[0].key in SEES:
        return (whole or asked) if some[0].key in SEES else (asked or whole)
    unnamed = all(not call.arguments.get("element", call.tool) for reading in asked for call in reading.calls)
    bare = not some[1].before.strip()
    in_labels = some[0].key in _IN_LABELS and bare
    both = (*asked, *(reading for reading in whole if all(reading.calls != other.calls for other in asked)))
    return both if (unnamed and bare) or in_labels else asked


def _finite(some: Words) -> Words:
    """Return `the field is empty` for `the field to be empty`, and "is not" for "not to be"."""
    at = next((at for at, token in enumerate(some) if token.key == "to"), len(some))
    said = some[at + 1] if at + 1 < len(some) else None
    if said and at and some[at - 1].key == "not" and (said.key == "is" or said.key.startswith("is ")):
        denied = said._replace(key=f"is not{said.key[2:]}", text=f"not to {said.text}")
        return (*some[: at - 1], denied, *some[at + 2 :])
    return (*some[:at], *some[at + 1 :])


def _patient_claims(some: Words) -> tuple[Reading, ...]:
    """Find an expectation that has some time to come true, said at its end or before it."""
    keys = [token.key for token in some]
    ends = [(at, size) for size in (2, 1) for at in range(1, len(keys)) if " ".join(keys[at : at + size]) in _LIMITS]
    at, size = next(((at, size) for at, size in ends if len(some) - at - size in (1, 2)), (0, 0))
    said, time = (some[:at], some[at + size :]) if at else (some[3:], some[1:3])
    seconds = seconds_in(time) if at or (said and some[0].key == "within") else 0
    readings = _claims(said) if seconds else ()
    return tuple(
        Reading(reading.phrase, tuple(waiting(check, seconds) for check in reading.calls)) for reading in readings
    )


def _preconditions(some: Words) -> tuple[Reading, ...]:
    bare = trimmed(some, {"i is on"})
    stripped = bare[1:] if bare and bare[0].key == "given" else bare
    if readings := find(stripped, STATES):
        return readings
    found = list(_actions(stripped))
    return (*found, *(reading for reading in _claims(stripped) if all(reading.calls != other.calls for other in found)))


def _clause(clause: str, said: Sequence[Words], before: Words, after: Words) -> tuple[Calls, Words]:
    """Return the checks of a clause that may be said in several ways, and its words in full for the clause after."""
    unit = said[-1]
    full: dict[Words, tuple[Reading, ...]] = {wording: _claims(wording) for wording in said}
    if not any(full.values()):
        full = {wording: _claims(wording) for wording in carried(unit, before, after)}
    if not before and not any(full.values()):
        full = _shortened(unit)
    found: list[tuple[Calls, Words]] = []
    for wording, readings in full.items():
        found += [(reading.calls, wording) for reading in readings if all(reading.calls != calls for calls, _ in found)]
    match found:
        case [one]:
            return one
        case []:
            raise UnknownPhrase(clause, hint(unit, "expectation"), partial(closest, unit, EXPECTATIONS.phrases))
        case _:
            raise AmbiguousPhrase(clause, tuple(shown(calls) for calls, _ in found))


def _shortened(unit: Words) -> dict[Words, tuple[Reading, ...]]:
    """Read a claim that leaves out "the page", "is", or that something is seen."""
    bare = trimmed(unit, _SEEN, PAGE_ENDINGS)
    full = {wording: _claims(wording) for wording in whole_claims(bare)}
    if any(full.values()) or not (seen := seen_things(bare)):
        return full
    readings = _claims(seen)
    return {seen: readings if are_sights(readings) else ()}


def _units(clause: str) -> list[Words]:
    """Return the parts of a clause around "but": they are one clause with several checks."""
    units: list[list[Token]] = [[]]
    for token in words_of(clause):
        if token.key == "but":
            units.append([])
        else:
            units[-1].append(token)
    return [part for unit in units if unit for part in both_denied(tuple(unit))] or [()]


def _each_literal_stands(clauses: Sequence[str], checks: Sequence[ToolCall]) -> None:
    for clause in clauses:
        if open_text := next(filter(leaves_number_open, literals(clause)), ""):
            raise UnknownPhrase(clause, f'A letter in "{open_text}" stands for a number: write which, or a part.')
        own = [check for check in checks if check.clause == clause]
        given = [text for check in own for text in _texts(check.arguments.values())]
        said = literals(clause)
        for text in said[:-1] if said and is_quoted_state(said[-1], own) else said:
            if not any(text in value or _begins_with_status(text, value) for value in given):
                raise UnknownPhrase(clause, f'"{text}" would stand in no check of this clause.')


def _begins_with_status(text: str, value: str) -> bool:
    """Whether a text is a status with its words, "404 Not Found"."""
    return len(value) == 3 and value.isdecimal() and text.startswith(f"{value} ")


def _texts(values: Iterable[ArgumentValue]) -> Iterable[str]:
    for value in values:
        yield from value if isinstance(value, list) else (str(value),)


def _is_check(call: ToolCall) -> bool:
    return call.tool.startswith("check_")

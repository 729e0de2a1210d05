"""Reads a sentence that no phrase reads as if its names stood in quotes, where that has one meaning. Pure."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from muster_grammar.engine import Calls, shown
from muster_grammar.errors import AmbiguousPhrase, PhraseError, UnknownPhrase
from muster_grammar.implied_names import wordings
from muster_grammar.implied_texts import bounded_wording, certain_wording
from muster_grammar.name_parameters import WHATEVER
from muster_grammar.tokens import ORNAMENT
from muster_protocol.tool_calls import ArgumentValue, ToolCall
from muster_text.clauses import literals, split_clauses

_LISTED = re.compile(r"\bthe (?=\w)|(?:e?s)\b", re.IGNORECASE)
_EITHER = re.compile(r"[\w.@-]*[A-Za-z][\w.@-]*/[\w.@-]*[A-Za-z][\w.@-]*")
"""Two values of which each goes somewhere: "admin/secret1"."""
Parse = Callable[[str], Calls]


def with_implied_names(text: str, parse: Parse, *, claim: bool) -> Calls:
    """Return the calls of a sentence, also of one whose names and values stand without quotes.

    Raises:
        UnknownPhrase: no phrase fits it, with quotes or without.
        AmbiguousPhrase: it can mean different calls.
    """
    try:
        return parse(text)
    except UnknownPhrase as error:
        found: list[Calls] = []
        for calls in _found(text, parse, claim=claim):
            found += [calls] if calls not in found else []
        if not found:
            raise
        if len(found) > 1:
            raise AmbiguousPhrase(error.sentence, tuple(map(shown, found))) from error
        return found[0]


def _found(text: str, parse: Parse, *, claim: bool) -> Sequence[Calls]:
    """Return the readings with names whose ends are certain, else those with names by their capital letters."""
    plain = ORNAMENT.sub("", text)
    certain = certain_wording(plain, claim=claim)
    if certain:
        return tuple(_readings(text, parse, (certain,), claim=claim))
    found = tuple(_readings(text, parse, wordings(plain, claim=claim), claim=claim))
    bounded = "" if found else bounded_wording(plain, claim=claim)
    return found or tuple(_readings(text, parse, (bounded,) if bounded else (), claim=claim))


def _readings(text: str, parse: Parse, said: Iterable[str], *, claim: bool) -> Iterator[Calls]:
    for wording in said:
        try:
            calls = parse(wording)
        except AmbiguousPhrase as error:
            raise AmbiguousPhrase(text, error.readings) from error
        except PhraseError:
            continue
        if any(map(is_typed_label, calls)) or any(_types_nothing_told(call, text) for call in calls):
            continue
        told = _with_own_clauses(text, wording, calls) if claim else calls
        if told and _all_stand(wording, told):
            yield told


def is_typed_label(call: ToolCall) -> bool:
    """Return whether a call types a field's own label: `Enter Email in the Email field` does not say what to type."""
    label = str(call.arguments.get("element", "")).casefold()
    return call.tool == "type" and bool(label) and str(call.arguments["text"]).casefold() == label


def _types_nothing_told(call: ToolCall, text: str) -> bool:
    """Return whether words without quotes may say what kind of thing is typed: `Enter Name`, `Type Text in Search`."""
    chosen = call.arguments.get("options")
    if call.tool == "select" and isinstance(chosen, list):
        return any(one.split()[-1].lower() in WHATEVER for one in chosen if one.split() and one not in literals(text))
    typed = str(call.arguments.get("text", ""))
    if call.tool != "type" or typed in literals(text) or not typed.split():
        return False
    told = "element" in call.arguments or (any(map(_is_sign, typed)) and not _EITHER.fullmatch(typed))
    return not told or typed.rsplit(maxsplit=1)[-1].lower() in WHATEVER


def _is_sign(char: str) -> bool:
    return char.isdigit() or char in "@_.#$€£%"


def _all_stand(wording: str, calls: Calls) -> bool:
    given = [text for call in calls for text in _texts(call)]
    return all(any(name in text for text in given) for name in literals(wording))


def _with_own_clauses(text: str, wording: str, checks: Calls) -> Calls:
    """Attach each check to the original clauses it covers; quoting names can merge or part them. Nothing if one of
    the clauses has no check, or a check no clause."""
    told: list[ToolCall] = []
    kept: set[int] = set()
    for part in split_clauses(text):
        bare = _bare(part)
        about = [at for at, check in enumerate(checks) if _is_about(check, bare)]
        mine = [at for at, check in enumerate(checks) if bare in _bare(check.clause or wording)]
        covering = [at for at in about if at in mine] or mine or about
        if not covering:
            return ()
        kept |= set(covering)
        told += [msgspec.structs.replace(checks[at], clause=part) for at in covering]
    return tuple(told) if len(kept) == len(checks) else ()


def _is_about(check: ToolCall, bare: str) -> bool:
    return any(name and _bare(name) in bare for name in _texts(check))


def _bare(text: str) -> str:
    """Return a text without quotes, and without what names of a list do without: articles, the plural of their kind."""
    return _LISTED.sub("", text.replace('"', "")).strip()


def _texts(call: ToolCall) -> Sequence[str]:
    return [text for value in call.arguments.values() for text in _of(value)]


def _of(value: ArgumentValue) -> Sequence[str]:
    return value if isinstance(value, list) else (str(value),)

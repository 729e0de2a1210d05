"""Reads a sentence that no phrase reads as if its names stood in quotes, where that has one meaning. Pure."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from muster_grammar.engine import Calls, shown
from muster_grammar.errors import AmbiguousPhrase, PhraseError, UnknownPhrase
from muster_grammar.implied_names import wordings
from muster_protocol.tool_calls import ArgumentValue, ToolCall
from muster_text.clauses import literals, split_clauses

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
        for calls in _readings(text, parse, claim=claim):
            found += [calls] if calls not in found else []
        if not found:
            raise
        if len(found) > 1:
            raise AmbiguousPhrase(error.sentence, tuple(map(shown, found))) from error
        return found[0]


def _readings(text: str, parse: Parse, *, claim: bool) -> Iterator[Calls]:
    for wording in wordings(text, claim=claim):
        try:
            calls = parse(wording)
        except AmbiguousPhrase as error:
            raise AmbiguousPhrase(text, error.readings) from error
        except PhraseError:
            continue
        if _all_stand(wording, calls):
            yield _with_own_clauses(text, wording, calls) if claim else calls


def _all_stand(wording: str, calls: Calls) -> bool:
    given = [text for call in calls for text in _texts(call)]
    return all(any(name in text for text in given) for name in literals(wording))


def _with_own_clauses(text: str, wording: str, checks: Calls) -> Calls:
    """Attach each check to the original clauses it covers; quoting names can merge several of them into one."""
    own = split_clauses(text)
    bare = {clause: _bare(clause) for clause in own}
    told: list[ToolCall] = []
    for whole in split_clauses(wording):
        parts = [clause for clause in own if bare[clause] in _bare(whole)]
        mine = [check for check in checks if check.clause == whole]
        for part in parts:
            about = [check for check in mine if any(name and _bare(name) in bare[part] for name in _texts(check))]
            told += [msgspec.structs.replace(check, clause=part) for check in about or mine]
    return tuple(told)


def _bare(text: str) -> str:
    return text.replace('"', "").strip()


def _texts(call: ToolCall) -> Sequence[str]:
    return [text for value in call.arguments.values() for text in _of(value)]


def _of(value: ArgumentValue) -> Sequence[str]:
    return value if isinstance(value, list) else (str(value),)

"""Compound sentences: several actions in one, clauses that leave out their subject or their verb. Pure."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from muster_grammar.engine import Calls, Phrase, Reading
from muster_grammar.tokens import LITERAL, Token, Words, first_word
from muster_grammar.vocabulary import JOINT, SIGHTS

Find = Callable[[Words], tuple[Reading, ...]]

_PEOPLE = frozenset(("i", "we", "you", "they", "he", "she", "user", "visitor", "customer", "tester", "shopper"))
_OPENERS = frozenset(("given", "when", "first", "next", "finally", "lastly", JOINT))
_PLACES = ("page", "terminal", "shell", "console", "browser")
_ENDINGS = frozenset((where, place) for where in ("on", "in") for place in _PLACES)
_VERBS = frozenset(SIGHTS)
_PAGE = {False: "page show", True: "page not show"}


def trimmed(some: Words, starts: Collection[str]) -> Words:
    """Leave out who does it, "first", "finally" before a word that starts a phrase; and "on the page" at the end."""
    at = 2 if tuple(token.key for token in some[:2]) in _ENDINGS else 0
    while at + 1 < len(some) and some[at].key in _OPENERS | _PEOPLE:
        at += 1
    rest = some[at:]
    kept = rest if at and rest and not {rest[0].key, first_word(rest)}.isdisjoint(starts) else some
    return kept[:-2] if tuple(token.key for token in kept[-2:]) in _ENDINGS and len(kept) > 2 else kept


class Before(NamedTuple):
    """What the part before was: a part that leaves out its verb takes the same one, in the same phrase."""

    verb: Token
    phrase: Phrase


def sequences(some: Words, find: Find) -> tuple[Calls, ...]:
    """Return every way to read a sentence as one action or several; parts may leave out their verb only if needed."""
    parts = _parts(some)
    complete = _distinct(_sequences(parts, find, None, elliptic=False))
    return complete or (_distinct(_sequences(parts, find, None, elliptic=True)) if len(parts) > 1 else ())


def unreadable(some: Words, find: Find) -> Words:
    """Return the first part of a sentence that is no phrase, or all of it."""
    parts = _parts(some)
    return next((_joined((part,)) for part in parts if not find(_joined((part,)))), some) if len(parts) > 1 else some


def _sequences(parts: tuple[Words, ...], find: Find, before: Before | None, *, elliptic: bool) -> Iterable[Calls]:
    if not parts:
        yield ()
    for size in range(1, len(parts) + 1):
        part = _joined(parts[:size])
        for verb, reading in _readings(part, find, before if elliptic else None):
            for rest in _sequences(parts[size:], find, Before(verb, reading.phrase), elliptic=elliptic):
                yield reading.calls + rest


def _readings(part: Words, find: Find, before: Before | None) -> Iterable[tuple[Token, Reading]]:
    if readings := find(part):
        return [(part[0], reading) for reading in readings]
    if before is None:
        return []
    with_verb = find((before.verb, *part))
    return [(before.verb, reading) for reading in with_verb if reading.phrase is before.phrase]


def _parts(some: Words) -> tuple[Words, ...]:
    """Return the words between joints; each part but the first keeps the joint before it as its first word."""
    cuts = [at for at, token in enumerate(some) if token.key == JOINT]
    return tuple(some[start:end] for start, end in zip([0, *cuts], [*cuts, len(some)], strict=True) if end > start)


def _joined(parts: tuple[Words, ...]) -> Words:
    whole = tuple(token for part in parts for token in part)
    return whole[1:] if whole[0].key == JOINT else whole


def _distinct(found: Iterable[Calls]) -> tuple[Calls, ...]:
    distinct: list[Calls] = []
    for calls in found:
        if calls not in distinct:
            distinct.append(calls)
    return tuple(distinct)


def carried(some: Words, before: Words, after: Words) -> tuple[Words, ...]:
    """Return what a clause may say in full when it leaves out what the clause before or after it says.

    `contains "B"` takes the subject before it, `enabled` its subject and verb, `not "B"` both with the verb negated;
    `the text "A"` takes the verb of the clause after it.
    """
    at = _verb(before)
    candidates = list(_with_subject(some, before[:at], before[at])) if some and at is not None else []
    end = _verb(after)
    if _verb(some) is None and end:
        named = max((at for at in range(end) if after[at].key == LITERAL), default=end - 1)
        candidates.append((*some, *after[named + 1 :]))
    return tuple(candidates)


def _with_subject(some: Words, subject: Words, verb: Token) -> Iterable[Words]:
    """Yield the words with the subject and verb of the clause before, as far as they lack them."""
    negated = some[0].key == "not"
    rest = some[1:] if negated else some
    own_verb = bool(rest) and rest[0].key in _VERBS
    if verb.key in {"page show", "page not show"}:
        said = verb._replace(key="page not show" if negated else verb.key)
        yield (said._replace(key=_PAGE[negated]), *rest[1:]) if own_verb else (said, *rest)
    elif own_verb:
        yield (*subject, *some)
    elif verb.key in {"is visible", "is not visible"}:
        yield (*some, verb)
        if rest and rest[0].key != LITERAL:
            yield (*subject, verb._replace(key="is"), *some)
    elif negated:
        yield (*subject, verb._replace(key="is not"), *rest) if verb.key == "is" else (*subject, some[0], verb, *rest)
    else:
        yield (*subject, verb, *some)


def _verb(some: Words) -> int | None:
    return next((at for at, token in enumerate(some) if token.key in _VERBS), None)

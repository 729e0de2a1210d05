"""Sentences of a case that no phrase reads, and what to write instead. Pure."""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from muster_grammar.advice import Role
from muster_grammar.element_kinds import CONTAINERS, ROLES
from muster_grammar.errors import PhraseError, UnknownPhrase
from muster_grammar.parser import parse_action, parse_expectation, parse_precondition
from muster_grammar.phrase_catalogue import PHRASES
from muster_grammar.proposal_repairs import Parse
from muster_grammar.rewritings import rewritten
from muster_grammar.tokens import LITERAL, Token, Words, source, words
from muster_grammar.verbs import SIGHTS
from muster_grammar.vocabulary import JOINT
from muster_protocol.requests import Step, TestCase
from muster_text.clauses import split_clauses

MOST_TOLD = 20
"""Parts of one sentence that are told."""


class Unread(NamedTuple):
    """A part of a sentence that no phrase reads."""

    error: PhraseError
    unknown: tuple[str, ...] = ()
    """Its words that stand in no phrase, as written."""
    instead: str = ""
    """A sentence in other words, with the same names and values, that is read; empty if none is known."""

    def __str__(self) -> str:
        marked = f" Not understood: {', '.join(f'«{word}»' for word in self.unknown)}." if self.unknown else ""
        if not self.instead:
            return f"{self.error}{marked}"
        return f"no phrase fits «{self.error.sentence.strip()}».{marked} Write instead: {self.instead}"


def unread_in(case: TestCase) -> list[str]:
    """Return what is wrong with each sentence of a case that is no known phrase, a line for each part of it."""
    problems: list[str] = []
    for number, text in enumerate(case.preconditions, 1):
        problems += [f"precondition {number}: {unread}" for unread in unread_precondition(text)]
    for number, step in enumerate(case.steps, 1):
        problems += [f"step {number}: {unread}" for unread in unread_action(step.action)]
        problems += [f"step {number}, expected: {unread}" for unread in _unread_expected(step)]
    return problems


def unread_action(text: str) -> list[Unread]:
    """Return the parts of an action that no phrase reads, none if it is read."""
    return _unread(text, "action", parse_action)


def unread_expectation(text: str) -> list[Unread]:
    """Return the parts of an expectation that no phrase reads, none if it is read."""
    return _unread(text, "expectation", parse_expectation)


def unread_precondition(text: str) -> list[Unread]:
    """Return the parts of a precondition that no phrase reads, none if it is read."""
    return _unread(text, "action", parse_precondition)


def _unread_expected(step: Step) -> list[Unread]:
    return unread_expectation(step.expected) if step.expected.strip() else []


def _unread(text: str, role: Role, parse: Parse) -> list[Unread]:
    errors = [error for error, _ in zip(_errors(text, role, parse), range(MOST_TOLD), strict=False)]
    return [_explained(error, role, parse) for error in errors]


def _errors(text: str, role: Role, parse: Parse) -> Iterator[PhraseError]:
    """Yield the error of a sentence, then those of what follows the part that it is about."""
    rest = text
    while rest:
        try:
            parse(rest)
        except PhraseError as error:
            yield error
            rest = _after(error.sentence, rest, role)
        else:
            return


def _after(part: str, text: str, role: Role) -> str:
    """Return what follows a part of a text and says by itself what it is about; nothing if there is no such thing."""
    if role == "expectation":
        clauses = split_clauses(text)
        rest = clauses[clauses.index(part) + 1 :] if part in clauses else ()
        while rest and _leans(rest[0]):
            rest = rest[1:]
        return ", ".join(rest)
    following = text.rpartition(part)[2] if part != text and text.count(part) == 1 else ""
    rest = source(words(f"x{following}")[1:]) if following.strip(" .") else ""
    bare = words(rest)[1:] if rest and words(rest)[0].key == JOINT else words(rest)
    return source(bare) if bare and not _leans(source(bare)) else ""


def _leans(part: str) -> bool:
    """Return whether a part leaves out its subject or its verb: it says nothing without the part before."""
    some = words(part)
    return not some or some[0].key in {LITERAL, "not", *SIGHTS}


def _explained(error: PhraseError, role: Role, parse: Parse) -> Unread:
    if not isinstance(error, UnknownPhrase):
        return Unread(error)
    return Unread(error, _unknown(error.sentence), rewritten(error.sentence, role, parse))


def _unknown(part: str) -> tuple[str, ...]:
    """Return the words that stand in no phrase; those that stand together as one."""
    runs = groupby(words(part), _is_known)
    return tuple(_source(tuple(run)) for known, run in runs if not known)


def _source(run: Words) -> str:
    """Return words as written, without the article before them."""
    return source((run[0]._replace(before=""), *run[1:]))


def _is_known(token: Token) -> bool:
    return not token.key[:1].isalpha() or token.key in _known_words()


@cache
def _known_words() -> frozenset[str]:
    """Return the words of all phrases' examples, and of the kinds of elements."""
    examples = (token.key for phrase in PHRASES for example in phrase.examples for token in words(example))
    return frozenset((*examples, *ROLES, *CONTAINERS))

"""A sentence that a team defines: how it matches what is written, and the steps it stands for. Pure.

Sentences are compared word by word as the grammar folds them: `Add a todo "x"` fits `Add the todo {text}`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from muster_cases.case_fields import quoted
from muster_grammar.compounds import trimmed
from muster_grammar.tokens import LITERAL, Token, Words, first_word, source, words
from muster_grammar.vocabulary import JOINT
from muster_text.clauses import QUOTED, literals

PARAMETER = re.compile(r"(?<!\$)\{([A-Za-z_]\w*)\}")
"""A parameter in a sentence of one's own and in what it stands for; `${name}` is a variable."""
_QUOTED_PARAMETER = re.compile(r"([\"'`]|“|‘)(\{[A-Za-z_]\w*\})([\"'`]|”|’)")
_MARK = "\ue000"
"""Stands before a parameter's name in the literal that takes its place while a sentence is cut into words."""
_NUMBER = re.compile(r"[-+]?[$€£]?\d[\d.,:]*[%€£]?")

Kind = Literal["step", "expectation"]


class Said(NamedTuple):
    """One step or claim that a sentence stands for, with its place in the file; a claim has no action."""

    action: str
    expected: str
    line: int
    column: int


class Value(NamedTuple):
    """What a parameter stands for in one sentence."""

    whole: str
    """As it is put in by itself: a literal in quotes, a number as it is written."""
    inner: str
    """As it is put in within quotes."""


@dataclass(frozen=True)
class OwnSentence:
    """A sentence of one's own; `body` is what it stands for."""

    kind: Kind
    text: str
    source: str
    line: int
    column: int
    body: tuple[Said, ...] = ()

    @property
    def place(self) -> str:
        """The file and line it is taught in."""
        return f"{self.source}:{self.line}"

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names in braces, in order."""
        return tuple(PARAMETER.findall(self.text))

    @cached_property
    def pattern(self) -> Words:
        """Its words; a parameter is a literal whose text begins with a mark."""
        bare = _QUOTED_PARAMETER.sub(r"\2", self.text)
        return words(PARAMETER.sub(lambda found: f'"{_MARK}{found[1]}"', bare))

    def values(self, some: Words) -> Mapping[str, Value] | None:
        """Return what its parameters stand for in these words; None if the words are no such sentence."""
        if len(some) != len(self.pattern):
            return None
        found: dict[str, Value] = {}
        for mine, theirs in zip(self.pattern, some, strict=True):
            if is_parameter(mine):
                if (value := _value(theirs)) is None:
                    return None
                found[mine.text[1:]] = value
            elif not _same(mine, theirs):
                return None
        return found

    def overlaps(self, other: "OwnSentence") -> bool:
        """Return whether one sentence could be both; they have the same kind and shape."""
        pairs = zip(self.pattern, other.pattern, strict=True)
        return all(
            _same(one, two)
            or (is_parameter(one) and (is_parameter(two) or _value(two) is not None))
            or (is_parameter(two) and _value(one) is not None)
            for one, two in pairs
        )


def shape_of(some: Words) -> tuple[str, ...]:
    """Return the words with all values alike: what a sentence has in common with whatever fits it."""
    return tuple(token.key if _value(token) is None else LITERAL for token in some)


def is_parameter(token: Token) -> bool:
    """Return whether a word of a pattern stands for a value."""
    return token.key == LITERAL and token.text.startswith(_MARK)


def _same(one: Token, other: Token) -> bool:
    return one.key == other.key and (one.key != LITERAL or one.text == other.text)


def _value(token: Token) -> Value | None:
    if token.key == LITERAL:
        return Value(quoted(token.text), token.text)
    return Value(token.raw, token.raw) if _NUMBER.fullmatch(token.raw) else None


def filled(text: str, values: Mapping[str, Value]) -> str:
    """Return a sentence with values in place of its parameters, within quotes and outside; a value cannot end a quote.

    Raises:
        KeyError: it has a parameter without a value.
    """

    def whole(part: str) -> str:
        return PARAMETER.sub(lambda found: values[found[1]].whole, part)

    made: list[str] = []
    at = 0
    for match in QUOTED.finditer(text):
        made.append(whole(text[at : match.start()]))
        at = match.end()
        if not PARAMETER.search(match[0]):
            made.append(match[0])
            continue
        (inner,) = literals(match[0])
        made.append(quoted(PARAMETER.sub(lambda found: values[found[1]].inner, inner)))
    return "".join((*made, whole(text[at:])))


def parts_of(sentence: str) -> tuple[Words, ...]:
    """Return the words between the joints ("and", "then", commas, line ends) of a sentence."""
    parts: list[list[Token]] = [[]]
    for token in words(sentence):
        if token.key == JOINT:
            parts.append([])
        else:
            parts[-1].append(token)
    return tuple(tuple(part) for part in parts if part)


def without_subject(some: Words, starts: frozenset[str]) -> Words:
    """Return the words without "I", "the user" or "first" before a word that sentences of one's own start with."""
    return trimmed(some, starts) if some else some


def start_of(some: Words) -> str:
    """Return the first word."""
    return first_word(some) if some else ""


def written(some: Words) -> str:
    """Return words as they were written."""
    return source(some)

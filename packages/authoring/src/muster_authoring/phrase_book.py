"""The sentences of a team, ready to be replaced by their steps. Pure.

A sentence that a phrase also reads is refused, never guessed; so is one that contains itself or expands to too many
steps.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from muster_authoring.own_sentence import (
    Kind,
    OwnSentence,
    Said,
    Value,
    filled,
    parts_of,
    shape_of,
    start_of,
    without_subject,
    written,
)
from muster_grammar import AmbiguousPhrase, PhraseError, parse_action, parse_expectation
from muster_grammar.tokens import Words, line, words
from muster_text.clauses import split_clauses
from muster_text.sentences import action_excess, expectation_excess

MOST_STEPS = 200
"""Steps and claims that one written sentence may stand for."""
DEEPEST = 20
"""How deep sentences of one's own may stand in each other."""
MISTYPED = 0.8
"""How alike a sentence and one of one's own are when it was most likely meant: a slip of the pen."""


class OwnSentenceError(Exception):
    """A sentence of one's own cannot be put in place; says why."""


class Found(NamedTuple):
    """A part of what is written: a sentence of one's own with its values, or `own` is None."""

    text: str
    own: OwnSentence | None
    values: Mapping[str, Value]


class PhraseBook:
    """Sentences of one's own, found by their words."""

    def __init__(self, sentences: Iterable[OwnSentence]) -> None:
        self.sentences = tuple(sentences)
        self.alike: dict[tuple[Kind, tuple[str, ...]], list[OwnSentence]] = {}
        """Those that may fit the same sentence, by kind and shape."""
        for own in self.sentences:
            self.alike.setdefault((own.kind, shape_of(own.pattern)), []).append(own)
        self._pairs = {own: _pairs(line(own.pattern)) for own in self.sentences}
        self._starts = frozenset(start_of(own.pattern) for own in self.sentences)

    def in_action(self, text: str) -> tuple[Found, ...]:
        """Return the parts of an action in order; none if it holds no sentence of one's own.

        Raises:
            OwnSentenceError: it can be read in two ways, or the rest of it is no phrase.
        """
        parts = [self._found("step", part) for part in parts_of(text)]
        return self._sure(text, parts, reads_action)

    def in_expectation(self, text: str) -> tuple[Found, ...]:
        """Return the clauses of an expectation in order; none if it holds no sentence of one's own.

        Raises:
            OwnSentenceError: it can be read in two ways, or the rest of it is no phrase.
        """
        clauses = [self._found("expectation", words(clause), clause) for clause in split_clauses(text)]
        return self._sure(text, clauses, reads_expectation)

    def near(self, kind: Kind, text: str, least: float = MISTYPED) -> OwnSentence | None:
        """Return the sentence of one's own that a part of a text is most like, at least so much (of 1)."""
        parts = parts_of(text) if kind == "step" else tuple(words(clause) for clause in split_clauses(text))
        mine = [(own, pairs) for own, pairs in self._pairs.items() if own.kind == kind]
        begun = [_pairs(line(part)) for part in parts]
        scored = [(_likeness(part, pairs), own) for part in begun for own, pairs in mine]
        best = max(scored, key=lambda pair: pair[0], default=None)
        return best[1] if best and best[0] >= least else None

    def _found(self, kind: Kind, some: Words, text: str = "") -> Found:
        text = text or written(some)
        bare = without_subject(some, self._starts)
        mine = self.alike.get((kind, shape_of(bare)), [])
        fits = [(own, values) for own in mine if (values := own.values(bare)) is not None]
        if len(fits) > 1:
            both = " and ".join(f"«{own.text}» ({own.place})" for own, _ in fits[:2])
            raise OwnSentenceError(f"«{text}» can mean two sentences of your own: {both}")
        return Found(text, *fits[0]) if fits else Found(text, None, {})

    def _sure(self, text: str, parts: list[Found], reads: "Reads") -> tuple[Found, ...]:
        """Return the parts, neighbours that are phrases together, if no phrase reads what is one's own."""
        if not any(part.own for part in parts):
            return ()
        for part in parts:
            if part.own and (reads(part.text) or reads(text)):
                raise OwnSentenceError(
                    f"«{part.text}» is a phrase, and a sentence of your own too ({part.own.place}): reword yours"
                )
        sure: list[Found] = []
        for own, some in groupby(parts, key=lambda part: part.own):
            group = list(some)
            sure += group if own else [Found(", ".join(part.text for part in group), None, {})]
        for part in sure:
            if part.own is None and reads.why_not(part.text):
                raise OwnSentenceError(
                    f"no phrase fits «{part.text}», which stands beside a sentence of your own: make it a step of its "
                    "own, or reword it"
                )
        return tuple(sure)


class Reads:
    """Whether phrases read a sentence of a kind."""

    def __init__(self, kind: Kind) -> None:
        parse = parse_action if kind == "step" else parse_expectation

        @lru_cache(maxsize=10_000)
        def error(text: str) -> PhraseError | None:
            try:
                parse(text)
            except PhraseError as error:
                return error
            return None

        self._error = error

    def __call__(self, text: str) -> bool:
        """Return whether a phrase reads it, in one way or in several."""
        error = self._error(text)
        return error is None or isinstance(error, AmbiguousPhrase)

    def why_not(self, text: str) -> str:
        """Return why it cannot be carried out by phrases, also where it can mean several things; empty if it can."""
        error = self._error(text)
        return str(error) if error else ""


reads_action, reads_expectation = Reads("step"), Reads("expectation")


class Unfolding:
    """Puts what sentences of one's own stand for in their place, for one written step."""

    def __init__(self, book: PhraseBook) -> None:
        self._book = book
        self._count = 0
        self._within: list[OwnSentence] = []

    def step(self, action: str, expected: str) -> tuple[tuple[str, str], ...]:
        """Return the (action, expectation) pairs that a step stands for, itself alone if there is nothing to replace.

        Raises:
            OwnSentenceError: a sentence cannot be replaced.
        """
        found = self._book.in_action(action)
        claims = self.expectation(expected) if expected.strip() else expected
        if not found:
            self._tally(action)
            return ((action, claims),)
        steps: list[tuple[str, str]] = []
        for part in found:
            if part.own is None:
                self._tally(part.text)
                steps.append((part.text, ""))
            else:
                steps += self._own_steps(part.own, part.values)
        last, before = steps[-1]
        if before and claims.strip() and any(map(reads_expectation.why_not, split_clauses(claims))):
            raise OwnSentenceError(
                f"no phrase fits a part of «{claims}», which joins what «{action}» itself expects: name its subject"
            )
        return (*steps[:-1], (last, "\n".join(text for text in (before, claims) if text.strip())))

    def expectation(self, text: str) -> str:
        """Return an expectation with claims in place of sentences of one's own.

        Raises:
            OwnSentenceError: a sentence cannot be replaced.
        """
        found = self._book.in_expectation(text)
        if not found:
            self._tally(text)
            return text
        lines: list[str] = []
        for part in found:
            if part.own is None:
                lines.append(part.text)
            else:
                lines += [claim for _, claim in self._own_steps(part.own, part.values)]
        return "\n".join(lines)

    def _own_steps(self, own: OwnSentence, values: Mapping[str, Value]) -> list[tuple[str, str]]:
        if own in self._within or len(self._within) >= DEEPEST:
            chain = " → ".join(f"«{one.text}» ({one.place})" for one in (*self._within, own)[-4:])
            why = "stands for itself" if own in self._within else f"stands more than {DEEPEST} deep in others"
            raise OwnSentenceError(f"a sentence of your own {why}: {chain}")
        self._within.append(own)
        steps: list[tuple[str, str]] = []
        for said in own.body:
            action, expected = _filled(own, said, values)
            steps += self.step(action, expected) if own.kind == "step" else [("", self.expectation(expected))]
        self._within.pop()
        return steps

    def _tally(self, text: str) -> None:
        self._count += 1
        if self._count > MOST_STEPS:
            raise OwnSentenceError(f"it stands for more than {MOST_STEPS} steps and claims, «{text[:80]}» among them")


def _filled(own: OwnSentence, said: Said, values: Mapping[str, Value]) -> tuple[str, str]:
    """Return a step or claim with values in it."""
    if any("\n" in value.inner for value in values.values()):
        raise OwnSentenceError(f"a value for «{own.text}» has several lines; it can have one")
    action, expected = filled(said.action, values), filled(said.expected, values)
    if excess := action_excess(action) or expectation_excess(expected):
        raise OwnSentenceError(f"with its values, {own.source}:{said.line} is too long: {excess}")
    return action, expected


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other) or 1)


def _pairs(text: str) -> frozenset[str]:
    return frozenset(text[at : at + 2] for at in range(len(text) - 1))

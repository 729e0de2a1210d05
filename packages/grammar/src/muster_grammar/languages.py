"""Other languages than English: their words are turned into those of the patterns. Pure.

A sentence is in another language if every one of its words is known there. So nothing of it can be overlooked, and
names stand in quotes.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from muster_grammar import german
from muster_grammar.element_kinds import PLACES, ROLES
from muster_grammar.german_order import is_unclear, ordered
from muster_grammar.pattern_parameters import STATE_WORDS
from muster_grammar.several_texts import nested
from muster_grammar.tokens import LITERAL, Token, Words, english, fold, scan, tidy
from muster_grammar.vocabulary import GRAMMAR, JOINT, SYNONYMS, Table, table
from muster_text.key_names import KEYS


class Language(NamedTuple):
    """The words of a language by what they stand for, and verbs in two halves."""

    words: Table
    plain: Table
    """Its articles and small words, which are looked up in what is left."""
    separable: Mapping[tuple[str, str], str]
    subordinate: frozenset[str]
    """Words before which a comma joins nothing."""
    known: frozenset[str]
    """The words that they stand for."""
    lexicon: frozenset[str]
    """All single words of the language."""
    order: Callable[[Words], Words]
    """Brings words into the order of the patterns."""
    is_unclear: Callable[[Words], bool]
    """Whether a sentence is ambiguous in this language."""
    own: frozenset[str]
    """Those of them that are no words of English: `Enter "A" in "B"` is English."""

    def read(self, tokens: Words) -> Words | None:
        """Return the words of the patterns that a sentence stands for; None if a word of it is unknown here."""
        joined = self._joined(self.order(tokens))
        if not any(token.key in self.own for token in joined) or not all(
            token.key in self.lexicon or _is_no_word(token) for token in joined
        ):
            return None
        if self.is_unclear(tokens):
            return None
        folded = _state_last(fold(fold(joined, self.words), self.plain))
        return folded if all(token.key in self.known or _is_no_word(token) for token in folded) else None

    def _opens(self, token: Token) -> bool:
        return any(token.key == opening for opening, _ in self.separable)

    def _joined(self, tokens: Words) -> Words:
        """Put verbs in two halves together: the first stands for both."""
        kept: list[Token] = []
        opened = -1
        for at, token in enumerate(tokens):
            if token.key == JOINT and at + 1 < len(tokens) and tokens[at + 1].key in self.subordinate:
                continue
            ends = at + 1 == len(tokens) or self.plain.keys.get(tokens[at + 1].key) == JOINT
            verb = self.separable.get((kept[opened].key, token.key)) if opened >= 0 and ends else None
            if verb is not None:
                kept[opened] = kept[opened]._replace(key=f"{kept[opened].key} … {token.key}")
                opened = -1
                continue
            if self._opens(token):
                opened = len(kept)
            kept.append(token)
        return tuple(kept)


def _state_last(some: Words) -> Words:
    """Return `is not empty` for the words of `nicht leer ist`: in a clause after "dass", the verb stands last."""
    at = next((at for at, token in enumerate(some) if token.key in ("is", "is not")), len(some))
    if some and some[-1].key in STATE_WORDS and at + 2 < len(some) and some[at + 1].key in ("in", "on"):
        return (*some[: at + 1], some[-1], *some[at + 1 : -1])  # `"A" ist in der Liste "B" ausgewählt`
    if len(some) < 3 or some[-1].key != "is" or some[-2].key not in STATE_WORDS:
        return some
    verb, state = some[-1], some[-2]
    if some[-3].key == "not":
        return (*some[:-3], verb._replace(key="is not"), state)
    return (*some[:-2], verb, state)


def _is_no_word(token: Token) -> bool:
    """Return whether a token is the same in every language: a literal, a number, a sign, a key."""
    return token.key in (LITERAL, JOINT) or not token.key[:1].isalpha() or token.key in KEYS


def _german() -> Language:
    halves = {f"{opening} … {closing}": verb for (opening, closing), verb in german.SEPARABLE.items()}
    words = _entries(german.VERBS | german.CLAIMS) | _entries(german.THINGS) | halves
    plain = _entries(german.GRAMMAR)
    lexicon = frozenset((*halves, *(word for entry in (*words, *plain) for word in entry.split())))
    known = frozenset((*words.values(), *plain.values()))
    own = lexicon - _english()
    return Language(
        table(words), table(plain), german.SEPARABLE, german.SUBORDINATE, known, lexicon, ordered, is_unclear, own
    )


def _english() -> frozenset[str]:
    entries = (*GRAMMAR.keys, *SYNONYMS.keys, *ROLES, *PLACES)
    return frozenset(word for entry in entries for word in entry.split())


def _entries(source: Mapping[str, str]) -> dict[str, str]:
    return {words: key for key, row in source.items() for words in row.split(", ")}


LANGUAGES = (_german(),)


def words_of(sentence: str) -> Words:
    """Return the folded words of a sentence, whatever language it is in."""
    tokens = scan(sentence)
    for language in LANGUAGES:
        if (found := language.read(tokens)) is not None:
            return nested(tidy(found))
    return nested(english(tokens))

"""Phrases: plain sentences that stand for tool calls, without a model. Pure, no I/O.

A sentence is read in three steps: `tokens` takes literals out, drops articles and folds synonyms; `engine` matches the
words against the patterns of `phrase_catalogue`; `parser` splits compound sentences and refuses what is unknown or
unclear.
"""

from muster_grammar.engine import Phrase
from muster_grammar.errors import AmbiguousPhrase, PhraseError, UnknownPhrase
from muster_grammar.parser import parse_action, parse_expectation, parse_precondition
from muster_grammar.phrase_catalogue import PHRASES, find_phrases

__all__ = [
    "PHRASES",
    "AmbiguousPhrase",
    "Phrase",
    "PhraseError",
    "UnknownPhrase",
    "find_phrases",
    "parse_action",
    "parse_expectation",
    "parse_precondition",
]

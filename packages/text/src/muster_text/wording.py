"""Finds subject, polarity and numbers in the words of a clause or action. Pure."""

import re
from collections.abc import Iterable

from muster_text.clauses import QUOTED
from muster_text.values import PLACEHOLDER


def word_set(words: str) -> frozenset[str]:
    """Return a set from a blank-separated list of words."""
    return frozenset(words.split())


NEVER = word_set("no not never none without neither nor cannot nothing nobody")
"""Negations."""
PLAIN = NEVER | word_set(
    "a an the this that these those there it its and or of on in at to for with by from as is are was were be been "
    "has have had do does did will shall should must can may page pages text texts message messages screen site "
    "website view window browser show shows shown showing see sees seen visible display displays displayed displaying "
    "appear appears appeared says say read reads reading contain contains containing include includes find found "
    "present exactly now then user visitor one i you we your our my word words line any gone hidden absent disappears "
    "disappeared removed missing comes come came amounts amount costs cost holds hold lists mentions mention tells "
    "told keeps keep still stays stay stands stand carries ends end starts start begins begin equals equal matches "
    "match longer up out again already also only just both all each more less most least than opens open"
)
"""Words that do not identify a part of a page."""
KINDS = word_set(
    "row rows cell cells column columns field fields box button buttons link links section area part table list card "
    "label heading entry item items element value"
)
"""Kinds of elements; a check need not name them."""
ABSENT = word_set("gone hidden absent disappears disappeared removed missing invisible")
"""Words that say that something is not there."""
MAYBE = ABSENT | word_set("empty disabled unchecked")
"""Words that can be checked as a state or as an absence."""
ADVERSE = word_set(
    "error errors failed fails failure invalid declined denied rejected refused sorry unavailable unable impossible "
    "cancelled canceled expired forbidden wrong"
)
"""Words of error pages."""
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORD = re.compile(r"[^\W_]+(?:'t)?", re.UNICODE)
_NUMBER = re.compile(r"(?<![\w.,$€£¥])[$€£¥]?\d+(?:[.,]\d+)*(?:\s?[€%]|(?!\w))")


def strip_literals(clause: str) -> str:
    """Return a clause without its quoted literals and placeholders."""
    return PLACEHOLDER.sub(" ", QUOTED.sub(" ", clause))


def words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case."""
    return frozenset(_WORD.findall(text.casefold().replace("’", "'")))


def stems(some: Iterable[str]) -> frozenset[str]:
    """Return words without plural endings: "item" and "items" have the same stem."""
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in some)


def subject_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that name the subject of a clause, without its literals."""
    return stems(word for word in words(strip_literals(text)) - PLAIN if not word[:1].isdigit() and word not in NUMBERS)


def is_negative(text: str) -> bool:
    """Return whether a text contains a negation outside its literals."""
    said = words(strip_literals(text))
    return bool(said & NEVER) or any(word.endswith("n't") for word in said)


def find_numbers(text: str) -> tuple[str, ...]:
    """Return the numbers in a text outside its literals: amounts with currency, and words from "two" to "twelve"."""
    plain = strip_literals(text)
    spelled = [str(NUMBERS.index(word)) for word in _WORD.findall(plain.casefold()) if word in NUMBERS[2:]]
    return (*(found.strip() for found in _NUMBER.findall(plain)), *spelled)


def has_number(text: str, number: str) -> bool:
    """Return whether a text contains a number, in digits or as a word."""
    short = number.isdecimal() and len(number) < 3
    spelled = NUMBERS[int(number)] if short and int(number) < len(NUMBERS) else ""
    return stands_alone(text, number) or (bool(spelled) and spelled in words(text))


def stands_alone(text: str, literal: str) -> bool:
    """Return whether a text contains a literal outside longer words and numbers: "$5" is not in "$59.98"."""
    if not literal:
        return True
    before = r"(?<![^\W_])" if literal[0].isalnum() else ""
    before = r"(?<!\d)(?<!\d[.,])(?<![^\W_])" if literal[0].isdigit() else before
    after = r"(?![^\W_])" if literal[-1].isalnum() else ""
    after = r"(?![.,]?\d)(?![^\W_])" if literal[-1].isdigit() else after
    return re.search(before + re.escape(literal) + after, text) is not None

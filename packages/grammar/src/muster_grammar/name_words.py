"""The words of a sentence between blanks, with where they stand and what parts them. Pure."""

import re
from typing import NamedTuple

from muster_text.clauses import QUOTED
from muster_text.values import PLACEHOLDER, SECRET

_PROTECTED = re.compile(
    rf"{QUOTED.pattern}|{PLACEHOLDER.pattern}|{SECRET.pattern}|(?:css|xpath)=\S+|\w+://\S+|(?<!\S)/\S*"
)
_WORD = re.compile(r"\S+")
_PARTING = ",;:.!?"


class NameWord(NamedTuple):
    """A word between blanks."""

    start: int
    end: int
    """Without the signs that part it from the next word."""
    text: str
    parted: str
    """Those signs."""

    @property
    def low(self) -> str:
        """In small letters."""
        return self.text.lower()

    @property
    def large(self) -> bool:
        """Whether it begins with a capital letter, or with one of a script that has none."""
        first = self.text[:1]
        return first.isupper() or (first.isalpha() and first.lower() == first.upper())


def name_words(text: str) -> list[NameWord]:
    """Return the words outside of quotes; what stands in quotes is a word that is no name."""
    kept = [match.span() for match in _PROTECTED.finditer(text)]
    found = [NameWord(start, end, '"', _sign_at(text, end)) for start, end in kept]
    gaps = zip([0, *(end for _, end in kept)], [*(start for start, _ in kept), len(text)], strict=True)
    for start, end in gaps:
        for match in _WORD.finditer(text, start, end):
            word = match.group().rstrip(_PARTING)
            if word:
                found.append(NameWord(match.start(), match.start() + len(word), word, match.group()[len(word) :]))
    return sorted(found)


def _sign_at(text: str, at: int) -> str:
    sign = text[at : at + 1]
    return sign if sign in _PARTING else ""

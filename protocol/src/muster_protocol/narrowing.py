"""Narrows a name or kind down to one element: by place, ordinal or type.

A tool call says it in words, so that people can read it: `["2nd", "below heading \\"Profile\\"", "in 1st row"]`.
A text alone names what the element is in.
"""

import re
from typing import Literal

from msgspec import Struct

How = Literal["in", "of", "next_to", "below", "above", "after", "before", "in_column"]

_RELATION = re.compile(
    r"(?P<how>in column|in|of|next to|below|above|after|before)(?: (?P<place>last|\d{1,4}(?:st|nd|rd|th)))?"
    r'(?: (?P<role>[a-z]+(?: [a-z]+)*))?(?: "(?P<anchor>.*)")?',
    re.DOTALL,
)
_ORDINAL = re.compile(r"last|\d{1,4}(?:st|nd|rd|th)")
_TYPE = re.compile(r"of type ([a-z]+)")
EXACTLY = "by its whole name"


class NowhereError(ValueError):
    """Words that do not say where an element is."""


class Relation(Struct, frozen=True):
    """Where an element stands to another one."""

    how: How
    anchor: str = ""
    """`in`: names the row, card or section; `of`: names that, or is what the element itself is called; `in_column`: the
    heading of the column; else the element beside it."""
    role: str = ""
    """ARIA role of the other one; without an anchor, what alone tells it: "in the footer"."""
    ordinal: int = 0
    """Which of several others, counted as in `Narrowing`."""

    def words(self) -> str:
        """Return it as in `next to "Backpack"` or `in 2nd row`."""
        name = f'"{self.anchor}"' if self.anchor else ""
        parts = (self.how.replace("_", " "), ordinal_words(self.ordinal), self.role, name)
        return " ".join(part for part in parts if part)


class Narrowing(Struct, frozen=True, kw_only=True):
    """All that tells an element beside its name and role."""

    relations: tuple[Relation, ...] = ()
    """The innermost first: each part is looked for in those after it."""
    ordinal: int = 0
    """Which of several, from 1 in reading order; -1 is the last; 0: there is one."""
    trait: str = ""
    """What kind of field or button it is: `search`, `password`, `submit`; or what its name says so."""
    exact: bool = False
    """Only its whole name counts."""

    def argument(self) -> str | list[str]:
        """Return it as tools take it; empty: nothing is narrowed."""
        named = self.relations[0].anchor if self.relations else ""
        if self == Narrowing(relations=(Relation("in", named),)):
            return named
        own = (
            ordinal_words(self.ordinal),
            f"of type {self.trait}" if self.trait else "",
            EXACTLY if self.exact else "",
        )
        return [words for words in (*own, *(relation.words() for relation in self.relations)) if words] or ""


def ordinal_words(number: int) -> str:
    """Return a place in line, as in `2nd` or `last`; nothing for 0."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    ending = "th" if number % 100 in (11, 12, 13) else endings.get(number % 10, "th")
    return {0: "", -1: "last"}.get(number, f"{number}{ending}")


def narrowing_of(argument: str | list[str]) -> Narrowing:
    """Return what an argument says.

    Raises:
        NowhereError: it has words that say nothing of the kind.
    """
    if isinstance(argument, str):
        return Narrowing(relations=(Relation("in", argument),) if argument else ())
    relations: list[Relation] = []
    number, trait, exact = 0, "", False
    for words in argument:
        if _ORDINAL.fullmatch(words):
            number = _number(words)
        elif matched := _TYPE.fullmatch(words):
            trait = matched[1]
        elif words == EXACTLY:
            exact = True
        else:
            relations.append(_relation(words))
    return Narrowing(relations=tuple(relations), ordinal=number, trait=trait, exact=exact)


def _relation(words: str) -> Relation:
    matched = _RELATION.fullmatch(words)
    if matched is None or not (matched["role"] or matched["anchor"]):
        raise NowhereError(f'{words!r} does not say where an element is: write `in "X"`, `below "X"` or `2nd`')
    how: How = matched["how"].replace(" ", "_")  # pyright: ignore[reportAssignmentType] - the pattern has no others
    return Relation(how, matched["anchor"] or "", matched["role"] or "", _number(matched["place"] or ""))


def _number(words: str) -> int:
    return -1 if words == "last" else int(words[:-2] or 0)

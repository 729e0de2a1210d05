"""Problems in test case files, with their places and wording."""

import difflib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from muster_protocol.errors import InvalidRequest


class Problem(NamedTuple):
    """One problem in a file; line and column count from 1, line 0 means the whole file."""

    source: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}:{self.column}" if self.line else self.source
        return f"{place}: {self.text}"


MOST_TOLD = 200
"""Problems reported at once; a file in another format can have one per line."""


MOST_FOUND = 2_500
"""Problems per file after which reading stops."""


class EnoughFound(Exception):
    """Stops reading a file with too many problems or too much content."""


def note(problems: list[Problem], problem: Problem) -> None:
    """Append a problem to the list.

    Raises:
        EnoughFound: the list has `MOST_FOUND` problems.
    """
    problems.append(problem)
    if len(problems) >= MOST_FOUND:
        raise EnoughFound


class CaseError(InvalidRequest):
    """Invalid cases; `problems` has all problems, `reasons` the first `MOST_TOLD` as text."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        more = len(self.problems) - MOST_TOLD
        shown = [str(problem) for problem in self.problems[:MOST_TOLD]]
        super().__init__([*shown, f"and {more:,} more problems"] if more > 0 else shown)


def wanted(error: msgspec.ValidationError) -> str:
    """Return the constraint a number violates, in words."""
    said = str(error).partition(" - ")[0].partition(", got")[0].replace(" | null", "").replace("Expected", "it must be")
    for code, words in (
        ("`int`", "a whole number"),
        ("`float`", "a number"),
        (">=", "of at least"),
        ("<=", "of at most"),
    ):
        said = said.replace(code, words)
    return said.replace(">", "above")


def nearest(name: str, keys: tuple[str, ...]) -> str:
    """Return the end of an error `unknown key …`: the most similar valid key, or all of them."""
    close = difflib.get_close_matches(name.lower().replace(" ", "_"), keys, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; valid: {', '.join(keys)}"


def mistyped(name: str, keys: tuple[str, ...]) -> str:
    """Return the key a word is probably a misspelling of; empty if it resembles none."""
    close = difflib.get_close_matches(name.lower().replace(" ", "_"), keys, n=1, cutoff=0.8)
    return close[0] if close else ""

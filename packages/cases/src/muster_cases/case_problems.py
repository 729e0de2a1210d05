"""What is wrong with test cases as they are written: each problem with its place, and the words for it."""

import difflib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from muster_protocol.errors import InvalidRequest


class Problem(NamedTuple):
    """One thing that is wrong with a file; line and column count from 1, line 0 means the file as a whole."""

    source: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}:{self.column}" if self.line else self.source
        return f"{place}: {self.text}"


MOST_TOLD = 200
"""Problems that are told at once; a file of another kind can have one in each line."""


MOST_FOUND = 2_500
"""Problems that are looked for in a file."""


class EnoughFound(Exception):
    """A file has so many problems, or so much in it, that reading it any further makes no sense."""


def note(problems: list[Problem], problem: Problem) -> None:
    """Add a problem to those of a file.

    Raises:
        EnoughFound: there are enough.
    """
    problems.append(problem)
    if len(problems) >= MOST_FOUND:
        raise EnoughFound


class CaseError(InvalidRequest):
    """Cases cannot be run as they are written; `problems` holds all that was found, `reasons` the first of them."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        more = len(self.problems) - MOST_TOLD
        told = [str(problem) for problem in self.problems[:MOST_TOLD]]
        super().__init__([*told, f"and {more:,} more problems"] if more > 0 else told)


def wanted(error: msgspec.ValidationError) -> str:
    """Return what a number should have been, in words."""
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
    """Return, to follow `unknown key …`, the valid key most like it, or all of them."""
    close = difflib.get_close_matches(name.lower().replace(" ", "_"), keys, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(keys)}"


def mistyped(name: str, keys: tuple[str, ...]) -> str:
    """Return the key that a word was most likely meant to be; empty if it looks like none of them."""
    close = difflib.get_close_matches(name.lower().replace(" ", "_"), keys, n=1, cutoff=0.8)
    return close[0] if close else ""

"""Parses a `.feature` file into typed nodes with places, and puts syntax errors into words."""

import difflib
import re
from typing import Any, cast

import msgspec
from gherkin.dialect import Dialect
from gherkin.errors import CompositeParserException, ParserException
from gherkin.parser import Parser
from msgspec import Struct

from muster_cases.case_problems import CaseError, Problem

_EXPECTED = re.compile(r"(?:unexpected end of file, )?expected: ([#\w, ]+?)(?:, got (.*))?", re.DOTALL)
_WORDS = {
    "#FeatureLine": "'Feature:'",
    "#RuleLine": "'Rule:'",
    "#BackgroundLine": "'Background:'",
    "#ScenarioLine": "'Scenario:'",
    "#ExamplesLine": "'Examples:'",
    "#StepLine": "a step (Given, When, Then, And, But)",
    "#TagLine": "a tag",
    "#TableRow": "a table row",
    "#DocStringSeparator": '"""',
    "#Language": "'# language: …'",
    "#EOF": "the end of the file",
}
_KEYWORDS = ("feature", "rule", "background", "scenario", "examples", "given", "when", "then", "and", "but")


class Place(Struct, frozen=True):
    """Line and column, both from 1."""

    line: int
    column: int = 1


class Tag(Struct, frozen=True):
    """A tag, with its `@`."""

    name: str
    location: Place


class Cell(Struct, frozen=True):
    """A table cell, without surrounding blanks."""

    value: str


class Row(Struct, frozen=True):
    """A row of a table."""

    location: Place
    cells: tuple[Cell, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The contents of the cells."""
        return tuple(cell.value for cell in self.cells)


class Table(Struct, frozen=True):
    """A data table below a step."""

    location: Place
    rows: tuple[Row, ...]


class DocString(Struct, frozen=True):
    """A block of text below a step."""

    location: Place
    content: str


class Line(Struct, frozen=True, rename="camel"):
    """A Gherkin step with its doc string or data table."""

    location: Place
    keyword: str
    text: str
    keyword_type: str
    """`Context`, `Action`, `Outcome`; `Conjunction` (And, But) and `Unknown` (`*`) continue the previous kind."""
    data_table: Table | None = None
    doc_string: DocString | None = None


class Examples(Struct, frozen=True, rename="camel"):
    """A table of values for a scenario outline."""

    location: Place
    tags: tuple[Tag, ...]
    table_header: Row | None = None
    table_body: tuple[Row, ...] = ()


class Scenario(Struct, frozen=True):
    """A scenario or scenario outline."""

    location: Place
    keyword: str
    name: str
    tags: tuple[Tag, ...]
    steps: tuple[Line, ...]
    examples: tuple[Examples, ...]
    description: str = ""
    """Prose between the title and the first step."""


class Background(Struct, frozen=True):
    """Steps that run before each scenario of its feature or rule."""

    steps: tuple[Line, ...]


class Rule(Struct, frozen=True):
    """A titled group of scenarios in a feature."""

    name: str
    tags: tuple[Tag, ...]
    children: "tuple[Child, ...]"


class Child(Struct, frozen=True):
    """An element of a feature or rule; exactly one field is set."""

    background: Background | None = None
    scenario: Scenario | None = None
    rule: Rule | None = None


class Feature(Struct, frozen=True):
    """The content of a file."""

    location: Place
    language: str
    name: str
    tags: tuple[Tag, ...]
    children: tuple[Child, ...]


class _Document(Struct, frozen=True):
    feature: Feature | None = None


def parse_feature(text: str, source: str) -> Feature | None:
    """Return the feature in a text, None if the text has none.

    Raises:
        CaseError: the text is not Gherkin.
    """
    try:
        found = cast("Any", Parser().parse(text))
    except CompositeParserException as error:
        raise CaseError(_syntax_problem(source, one) for one in error.errors) from error
    except ParserException as error:
        raise CaseError([_syntax_problem(source, error)]) from error
    return msgspec.convert(found, _Document).feature


def step_keywords(language: str) -> dict[str, str]:
    """Return what steps begin with in a language, English if it is unknown, and the `keyword_type` of each."""
    words = Dialect.for_name(language) or Dialect.for_name("en")
    assert words, "English is always known"
    kinds = {
        "Context": words.given_keywords,
        "Action": words.when_keywords,
        "Outcome": words.then_keywords,
        "Conjunction": (*words.and_keywords, *words.but_keywords),  # the last, for each kind has '* ', too
    }
    return {keyword: kind for kind, keywords in kinds.items() for keyword in keywords}


def _syntax_problem(source: str, error: ParserException) -> Problem:
    place = error.location
    said = re.sub(r"^\(\d+:\d+\): ", "", str(error))
    return Problem(source, place["line"], place.get("column", 0) or 1, _in_words(said))


def _in_words(said: str) -> str:
    """Return the parser's message with readable names for its tokens."""
    found = _EXPECTED.fullmatch(said)
    if not found:
        return f"invalid Gherkin: {said[:1].lower()}{said[1:]}"
    wanted = ", ".join(words for token, words in _WORDS.items() if token in found[1].split(", "))
    first = re.split(r"[\s:]", (found[2] or "").strip("'").lower(), maxsplit=1)[0]
    meant = difflib.get_close_matches(first, _KEYWORDS, n=1, cutoff=0.7)
    hint = f"; did you mean '{meant[0].capitalize()}'?" if meant else ""
    unexpected = found[2] if found[2] is not None else "end of file"
    return f"invalid Gherkin: unexpected {unexpected}{hint}; expected one of: {wanted}"

"""What is wrong with test cases as they are written: each problem with its place, and the words for it."""

import difflib
import re
from collections.abc import Iterable
from typing import NamedTuple

import msgspec
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.reader import ReaderError

from muster_protocol.errors import InvalidRequest

NULL = "tag:yaml.org,2002:null"
"""The tag PyYAML gives to a value that is not there, `null` or `~`."""


class Problem(NamedTuple):
    """One thing that is wrong with a file; line and column count from 1, line 0 means the file as a whole."""

    source: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}:{self.column}" if self.line else self.source
        return f"{place}: {self.text}"


class CaseError(InvalidRequest):
    """Cases cannot be run as they are written; `problems` holds all that was found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__([str(problem) for problem in self.problems])


def is_null(node: Node) -> bool:
    """Return whether there is no value."""
    return isinstance(node, ScalarNode) and node.tag == NULL


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


def shown(node: Node) -> str:
    """Return what stands at a node, in words."""
    match node:
        case SequenceNode():
            return "a list"
        case MappingNode():
            keys = [str(key.value) for key, _ in node.value[:1] if isinstance(key, ScalarNode)]
            return f"keys and values ('{keys[0]}: …')" if keys else "keys and values"
        case _:
            return "nothing" if is_null(node) else repr(str(node.value))


def misread(node: ScalarNode) -> str:
    """Return how YAML reads a text otherwise than it was meant, and what to do; empty if it does not."""
    if not node.tag.startswith("tag:yaml.org,"):
        return f"starts with '{node.tag}', which YAML takes for a tag: put the text in quotes"
    rest = (node.end_mark.buffer or "")[node.end_mark.pointer :].partition("\n")[0]
    if node.style is None and node.value.count('"') % 2 and rest.lstrip().startswith("#"):
        return "ends at ' #', where YAML begins a comment: put the text in single quotes"
    return ""


def nearest(name: str, keys: tuple[str, ...]) -> str:
    """Return, to follow `unknown key …`, the valid key most like it, or all of them."""
    close = difflib.get_close_matches(name.lower().replace(" ", "_"), keys, n=1, cutoff=0.5)
    return f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(keys)}"


def syntax_problem(source: str, text: str, error: yaml.YAMLError) -> Problem:
    """Return the problem of a text that is no YAML, with its place."""
    if isinstance(error, ReaderError):
        before = text[: error.position]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        return Problem(source, line, column, f"the character U+{error.character:04X} may not stand in YAML")
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if mark is None:
        return Problem(source, 0, 0, f"is no YAML: {error}")
    said = f"{getattr(error, 'problem', '')}{_hint(text.splitlines()[mark.line : mark.line + 1])}"
    return Problem(source, mark.line + 1, mark.column + 1, f"is no YAML here: {said}")


def _hint(lines: list[str]) -> str:
    """Return what to do about a line that is no YAML, for the ways sentences with quotes and colons go wrong."""
    line = lines[0] if lines else ""
    value = re.sub(r"^\s*(- )?\s*(\w+:\s)?\s*", "", line)
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "; indent with spaces, not with tabs"
    if value[:1] in ("'", '"') or ": " in value:
        return "; a sentence that starts with a quote or has a ': ' in it must itself stand in single quotes"
    return ""

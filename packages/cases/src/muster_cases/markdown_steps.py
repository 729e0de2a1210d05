"""Reads steps in Markdown: a table with one row per step, or a numbered list."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from markdown_it.tree import SyntaxTreeNode

from muster_cases.case_fields import with_block, with_literals
from muster_cases.case_problems import mistyped, nearest
from muster_protocol.requests import MAIN, Step
from muster_text.clauses import QUOTED

ACTION = ("action", "actions", "step", "steps", "test step")
EXPECTED = ("expected", "expected result", "expected results", "expected outcome", "expectation", "result", "results")
NUMBER = ("#", "no", "no.", "nr", "nr.", "number", "step", "step no", "step no.", "step #", "step number")
"""Headers of a column that only numbers the steps."""
LISTS = ("bullet_list", "ordered_list")
BLOCKS = ("fence", "code_block")

_BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
_EXPECTED = re.compile(r"(?:expect(?:ed|ation)?(?:\s+(?:results?|outcome))?\s*:|→|⇒|->|=>)\s*(.*)", re.IGNORECASE)
_BOLD = re.compile(r"(?<!\w)(\*\*|__)(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")
_ITALIC = re.compile(r"(?<!\w)([*_])(?=[^\s*_])([^*_]{1,300})(?<=\S)\1(?!\w)")
_LINK = re.compile(r"<([a-z]+://[^<>\s]+)>")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_TASK = re.compile(r"\[[ xX]\]\s+")
_HIDDEN = re.compile("\0")
Say = Callable[[int, str], None]
"""Reports a problem: line (from 1) and text."""


def plain(text: str) -> str:
    """Return a line without Markdown markup; text in quotes or backticks is unchanged."""
    literals: list[str] = []

    def hide(match: re.Match[str]) -> str:
        literals.append(match[0])
        return "\0"

    hidden = QUOTED.sub(hide, text.replace("\0", "\ufffd"))
    for marks in (_BOLD, _ITALIC):
        hidden = marks.sub(r"\2", hidden)
    bare = _ESCAPED.sub(r"\1", _LINK.sub(r"\1", hidden))
    return _HIDDEN.sub(lambda _: literals.pop(0), bare).strip()


def expected_of(text: str) -> str | None:
    """Return the text after "Expected:" or an arrow; None if the line does not start with either."""
    found = _EXPECTED.fullmatch(text)
    return found[1] if found else None


def first_line(node: SyntaxTreeNode) -> int:
    """Return the line (from 1) where a block begins."""
    return node.map[0] + 1 if node.map else 1


def inline(node: SyntaxTreeNode) -> str:
    """Return the source text of a heading, paragraph or cell."""
    return "\n".join(child.content for child in node.children if child.type == "inline")


@dataclass
class Script:
    """Collects the steps of one case; `is_case` is set by content that only a test case has."""

    say: Say
    source_lines: Sequence[str]
    steps: list[Step] = field(default_factory=list[Step])
    lines: list[int] = field(default_factory=list[int])
    is_case: bool = False

    def add(self, action: str, expected: str, line: int, session: str = MAIN) -> None:
        """Add a step."""
        if not action.strip():
            self.say(line, "this step has no action")
        self.steps.append(Step(action=action.strip() or "-", expected=expected.strip(), session=session))
        self.lines.append(line)

    def expect(self, text: str) -> None:
        """Add to the expectation of the last step."""
        last = self.steps[-1]
        self.is_case = True
        self.steps[-1] = msgspec.structs.replace(last, expected=f"{last.expected}\n{text}".strip())

    def table(self, node: SyntaxTreeNode) -> None:
        """Add the rows of a table."""
        head, *rows = (row for part in node.children for row in part.children)
        names = [" ".join(plain(inline(cell)).lower().split()) for cell in head.children]
        self.is_case = self.is_case or _is_of_steps(names)
        try:
            columns = _columns(names)
        except ValueError as error:
            self.say(first_line(head), str(error))
            return
        for row in rows:
            self._row(row, columns, len(names))

    def _row(self, row: SyntaxTreeNode, columns: "Columns", width: int) -> None:
        line = first_line(row)
        written = self.source_lines[line - 1].strip().removeprefix("|")
        written = re.sub(r"(?<!\\)\|$", "", written)
        if (count := len(re.split(r"(?<!\\)\|", written))) > width:
            self.say(line, f"this row has {count} cells but the table {width} columns; write a | in a cell as \\|")
            return
        cells = [[plain(part) for part in _BREAK.split(inline(cell))] for cell in row.children]
        if columns.number is not None and not re.fullmatch(r"[\s\d.)]*", "".join(cells[columns.number])):
            self.say(line, "the number column contains text; only one of 'Step' and 'Action' can hold the actions")
        expected = "" if columns.expected is None else "\n".join(cells[columns.expected])
        session = "" if columns.session is None else " ".join(cells[columns.session]).strip()
        self.add("\n".join(cells[columns.action]), expected, line, session or MAIN)

    def numbered(self, node: SyntaxTreeNode) -> None:
        """Add the items of a numbered list."""
        for item in node.children:
            found = _Item(self.say)
            for child in item.children:
                found.read(child)
            self.is_case = self.is_case or found.marked
            action = with_block(found.action, found.block) if found.block else found.action
            self.add(_TASK.sub("", action, count=1), "\n".join(filter(None, found.expected)), first_line(item))


class Columns(NamedTuple):
    """Index of each column in a table of steps; None: no such column."""

    action: int
    expected: int | None
    number: int | None
    session: int | None


def _is_of_steps(names: Sequence[str]) -> bool:
    """Return whether a table must be one of steps, even if a column has an unknown name."""
    expecting = any(name.startswith("expect") or mistyped(name, EXPECTED[:5]) for name in names)
    return expecting or (not {"result", "results"}.isdisjoint(names) and not set(ACTION).isdisjoint(names))


def _columns(names: Sequence[str]) -> Columns:
    """Return the index of each column.

    Raises:
        ValueError: a name is unknown, the action column is missing, or a column exists twice.
    """
    actions = [at for at, name in enumerate(names) if name in ACTION]
    counted = [at for at, name in enumerate(names) if name in NUMBER]
    if len(actions) > 1:
        actions = [at for at in actions if at not in counted]
    expected = [at for at, name in enumerate(names) if name in EXPECTED]
    numbers = [at for at in counted if at not in actions]
    sessions = [at for at, name in enumerate(names) if name == "session"]
    for at, name in enumerate(names):
        if at not in (*actions, *expected, *numbers, *sessions):
            hint = nearest(name, ("action", "expected", "session"))
            raise ValueError(f"unknown column '{name}' in a table of steps{hint}")
    if len(actions) != 1 or max(len(expected), len(numbers), len(sessions)) > 1:
        raise ValueError(
            "a table of steps needs one column 'Action', and can have one each of 'Expected', 'Session' and numbers"
        )
    return Columns(actions[0], _only(expected), _only(numbers), _only(sessions))


def _only(found: list[int]) -> int | None:
    return found[0] if found else None


@dataclass
class _Item:
    """Reads one item of a numbered list."""

    say: Say
    action: str = ""
    block: str = ""
    expected: list[str] = field(default_factory=list[str])
    marked: bool = False
    """A line starts with "Expected:" or an arrow."""

    def read(self, node: SyntaxTreeNode, *, nested: bool = False) -> None:
        """Read a block of the item; everything in a `nested` list is an expectation."""
        if node.type == "paragraph":
            if nested:
                self.expected.append("")
            for line in inline(node).splitlines():
                self._line(plain(line), nested=nested)
        elif node.type in LISTS:
            for item in node.children:
                for child in item.children:
                    self.read(child, nested=True)
        elif node.type in BLOCKS:
            self._block(node)
        else:
            self.say(first_line(node), f"a step cannot contain a {node.type.replace('_', ' ')}")

    def _line(self, text: str, *, nested: bool) -> None:
        after = expected_of(text)
        if after is not None:
            self.marked = True
            self.expected.append(after)
        elif nested or self.expected:
            self.expected[-1] = f"{self.expected[-1]} {text}".strip()
        else:
            self.action = f"{self.action} {text}".strip()

    def _block(self, node: SyntaxTreeNode) -> None:
        content = node.content.rstrip("\n")
        try:
            if self.expected:
                self.expected[-1] = with_literals(self.expected[-1], (content,))
            elif self.block or not content.strip():
                self.say(first_line(node), "a step can have one code block, and it cannot be empty")
            else:
                self.block = content
        except ValueError as error:
            self.say(first_line(node), str(error))

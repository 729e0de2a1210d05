"""Reads test cases in Markdown: a heading with steps is a case; headings above it hold fields that cases share."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from muster_cases.case_fields import (
    LIMIT_KEYS,
    MOST_CASES,
    Fields,
    LoadedCase,
    Reading,
    name_problem,
    number_duplicates,
    setting,
)
from muster_cases.case_problems import EnoughFound, Problem, mistyped, note
from muster_cases.markdown_steps import BLOCKS, LISTS, Script, expected_of, first_line, inline, plain
from muster_text.request_rules import find_problems

STEPS = "steps"
KEYS: Mapping[str, str] = {
    "tag": "tags",
    "secret": "secrets",
    "domain": "domains",
    "variable": "variables",
    "label": "labels",
    "fault": "faults",
    "precondition": "preconditions",
    "prerequisites": "preconditions",
    "timeout": "timeout_seconds",
    "max_sub_tasks": "max_subtasks",
    "test_steps": STEPS,
    **{key: key for key in ("tags", "covers", "secrets", "domains", "variables", "labels", "preconditions", STEPS)},
    **{key: key for key in ("suite", "priority", "on_fail", "checked_by", *LIMIT_KEYS)},
    **{key: key for key in ("device", "app", "faults", "phone")},
}
"""Keys, before a colon or as a heading, and the fields they set."""
LONGEST_LINE = 4000
"""Characters."""

_KEY = re.compile(r"[*_]{0,3}([A-Za-z][\w -]{0,40}?)[*_]{0,3}\s*:(?:[*_]{1,3}|(?=\s|$))\s*(.*)")
_PAIR = re.compile(r"(`?)([A-Za-z_][\w.-]*)\1\s*(?:=|:\s)\s*(.*)")
_NEXT_PAIR = re.compile(r",\s+(?=`?[A-Za-z_][\w.-]*`?\s*=)")


def read_markdown(text: str, source: str, suite: str) -> Reading:
    """Return the cases in a Markdown text; `suite` is the default suite."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            return Reading([], [Problem(source, number, 1, f"this line is longer than {LONGEST_LINE} characters")])
    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "reference"])
    reader = _Reader(source, lines)
    if lines[:1] == ["---"]:
        reader.root.say(1, "YAML front matter is not supported; write 'Tags: …' and other keys as a paragraph or list")
    cases: list[LoadedCase] = []
    with suppress(EnoughFound):
        reader.read(SyntaxTreeNode(parser.parse("\n".join(lines))).children)
        if not any(section.script.is_case for section in reader.sections):
            return Reading([], [])
        for section in reader.sections:
            for outer in section.above if section.script.steps else ():
                outer.has_cases = True
        for section in reader.sections:
            cases += reader.case(section, suite)
            if len(cases) > MOST_CASES:
                section.say(section.line, f"a file can have at most {MOST_CASES:,} cases")
                raise EnoughFound
    return Reading(number_duplicates(cases), sorted(dict.fromkeys(reader.problems), key=lambda problem: problem[1:3]))


@dataclass
class _Section:
    """A heading with its content up to the next heading."""

    reader: "_Reader"
    title: str = ""
    line: int = 1
    level: int = 0
    parent: "_Section | None" = None
    fields: Fields = field(default_factory=Fields)
    script: Script = field(init=False)
    spoiled: bool = False
    has_cases: bool = False
    """A section below it is a case."""

    def __post_init__(self) -> None:
        self.script = Script(self.say, self.reader.lines)

    @property
    def above(self) -> "Iterator[_Section]":
        """The enclosing sections, innermost first."""
        section = self.parent
        while section:
            yield section
            section = section.parent

    def say(self, line: int, text: str) -> None:
        """Report a problem in a line."""
        self.spoiled = True
        written = self.reader.lines[line - 1] if line <= len(self.reader.lines) else ""
        column = len(written) - len(written.lstrip()) + 1
        note(self.reader.problems, Problem(self.reader.source, line, column, text))

    def set(self, key: str, text: str, line: int) -> None:
        """Set a field from its source text."""
        try:
            for value in _values(key, text):
                self.fields = setting(key, value).over(self.fields)
        except ValueError as error:
            self.say(line, str(error))


def _values(key: str, text: str) -> Iterable[str]:
    """Return the values in a text, in the form `setting` accepts."""
    if key not in ("variables", "labels"):
        sentence = key in ("preconditions", "suite")
        return (plain(text) if sentence else text.replace("`", "").replace(r"\*", "*").strip(),)
    found = [_PAIR.fullmatch(part.strip().strip(",")) for part in _NEXT_PAIR.split(text)]
    return [f"{pair[2]}={_unquoted(pair[3])}" if pair else text for pair in found]


def _unquoted(value: str) -> str:
    """Return a value without enclosing quotes or backticks."""
    found = re.fullmatch(r'`([^`]*)`|"([^"]*)"', value.strip())
    return (found[1] or found[2] or "") if found else value


class _Reader:
    """Reads the blocks of one file; a problem is added to `problems` and reading continues."""

    def __init__(self, source: str, lines: list[str]) -> None:
        self.source, self.lines = source, lines
        self.problems: list[Problem] = []
        self.root = _Section(self)
        self.sections = [self.root]
        self.at = self.root
        self.topic = ""
        """The key whose values follow, set by a heading or a line that ends with a colon."""

    def read(self, nodes: Iterable[SyntaxTreeNode]) -> None:
        """Read all blocks of a file."""
        brief = False
        for node in nodes:
            if brief and node.type not in (*LISTS, "table"):
                self.at.say(first_line(node), f"a list of {self.topic} must follow the line above this")
            if node.type == "heading":
                self._heading(node)
            elif node.type == "paragraph":
                brief = self._paragraph(node)
                continue
            else:
                self._block(node)
            self.topic, brief = ("" if brief else self.topic), False

    def _heading(self, node: SyntaxTreeNode) -> None:
        title, level = plain(inline(node).replace("\n", " ")), int(node.tag[1:])
        self.topic = KEYS.get(_key(title.rstrip(": ")), "")
        while self.at.level >= level and self.at.parent:
            self.at = self.at.parent
        if not self.topic:
            self.at = _Section(self, title, first_line(node), level, self.at)
            self.sections.append(self.at)

    def _block(self, node: SyntaxTreeNode) -> None:
        script = self.at.script
        if node.type in LISTS:
            self._list(node)
        elif node.type == "table" and self.topic in ("variables", "labels"):
            for row in node.children[1].children if len(node.children) > 1 else ():
                name, *values = (inline(cell) for cell in row.children)
                self.at.set(self.topic, f"{name} = {' '.join(values)}", first_line(row))
        elif node.type == "table":
            script.table(node)
        elif node.type in BLOCKS and script.steps:
            self.at.say(first_line(node), "a code block outside a step: indent it to the level of the step's text")

    def _paragraph(self, node: SyntaxTreeNode) -> bool:
        """Read the lines of a paragraph; return whether the values of its last key follow in the next block."""
        text, line, open_key = inline(node), first_line(node), ""
        if self.topic not in ("", STEPS):
            lines = [text.replace("\n", " ")] if self.topic == "preconditions" else text.splitlines()
            for number, one in enumerate(lines):
                self.at.set(self.topic, one, line + number)
            return False
        for number, (name, value) in _keyed(text.splitlines()):
            after = expected_of(plain(f"{name}: {value}" if name else value))
            open_key = ""
            if after is not None and self.at.script.steps:
                self.at.script.expect(after)
            elif name:
                open_key = self._set_key(name, value, line + number)
        self.topic = open_key or self.topic
        return bool(open_key) and open_key != STEPS

    def _set_key(self, name: str, value: str, line: int) -> str:
        """Apply a line of the form `Key: value`; return the key if its values follow in the next block."""
        key = KEYS.get(_key(name), "")
        if not key and (meant := mistyped(_key(name), tuple(KEYS))):
            self.at.say(line, f"unknown key '{name}'; did you mean '{meant}'?")
        if key == "preconditions":
            self.at.script.is_case = True
        if key and value and key != STEPS:
            self.at.set(key, value, line)
        return key if not value else ""

    def _list(self, node: SyntaxTreeNode) -> None:
        script = self.at.script
        if self.topic not in ("", STEPS):
            self._values(self.topic, node)
        elif node.type == "ordered_list":
            script.is_case = script.is_case or self.topic == STEPS
            script.numbered(node)
        elif self.topic == STEPS:
            self.at.say(first_line(node), "steps must be a numbered list (1. …) or a table, not a plain list")
        else:
            self._keys(node)

    def _keys(self, node: SyntaxTreeNode) -> None:
        """Read a plain list: keys with values, expectations of the step before, or prose."""
        for item in node.children:
            lead, *more = item.children or [item]
            line, written = first_line(item), inline(lead).replace("\n", " ")
            after = expected_of(plain(written))
            if after is not None and self.at.script.steps:
                self.at.script.expect(after)
                continue
            ((_, (name, value)),) = _keyed([written])
            key = self._set_key(name, value, line) if name else ""
            if key and not more:
                self.at.say(line, f"'{name}' has no value")
            for child in more if key else ():
                self._values(key, child)

    def _values(self, key: str, node: SyntaxTreeNode) -> None:
        """Add each item of a list to a field."""
        for item in node.children if node.type in LISTS else ():
            lead, *more = item.children or [item]
            self.at.set(key, inline(lead).replace("\n", " "), first_line(item))
            for child in more:
                self.at.say(first_line(child), f"an item of the list '{key}' cannot have content below it")
        if node.type not in LISTS:
            self.at.say(first_line(node), f"'{key}' must be a list")

    def case(self, section: _Section, suite: str) -> list[LoadedCase]:
        """Return the case of a section; an empty list if it has none or is invalid."""
        script = section.script
        if not script.steps:
            self._check_stepless(section)
            return []
        if not section.level:
            section.say(script.lines[0], "these steps have no heading; the heading is the name of the case")
        elif wrong := name_problem(section.title):
            section.say(section.line, wrong)
        elif not any(step.expected for step in script.steps):
            section.say(
                section.line,
                f"{section.title!r} expects nothing: at least one step needs an expected result (a column 'Expected', "
                "or a line 'Expected: …' below the step)",
            )
        if section.spoiled:
            return []
        fields = section.fields
        try:
            for outer in section.above:
                fields = fields.over(outer.fields)
        except ValueError as error:
            section.say(section.line, str(error))
        request = fields.request(section.title, tuple(script.steps), suite)
        for reason in find_problems(request):
            section.say(section.line, reason)
        return [LoadedCase(request, self.source, section.line, tuple(script.lines))]

    def _check_stepless(self, section: _Section) -> None:
        """Report a heading without steps, unless it groups cases or is a note in a case."""
        noted = section.fields == Fields() and any(outer.script.steps for outer in section.above)
        if section.level and not section.has_cases and not noted and not section.spoiled:
            said = "has no steps: a case needs a numbered list or a table of steps"
            section.say(section.line, f"{section.title!r} {said}")


def _key(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


def _keyed(lines: list[str]) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield (line index, (key, text)) for each line that starts an entry; the key is empty if it has none."""
    found: list[tuple[int, tuple[str, str]]] = []
    for number, line in enumerate(lines):
        begins = _KEY.fullmatch(line.strip())
        if begins:
            found.append((number, (begins[1], begins[2].strip())))
        elif found and expected_of(plain(line)) is None:
            at, (name, value) = found[-1]
            found[-1] = (at, (name, f"{value} {line.strip()}".strip()))
        else:
            found.append((number, ("", line.strip())))
    yield from found

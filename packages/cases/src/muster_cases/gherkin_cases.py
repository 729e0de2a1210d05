"""Reads test cases in Gherkin: Given is a precondition, When a step, Then the expectation of the step before it."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec
from gherkin.dialect import Dialect

from muster_cases.case_fields import (
    LIMIT_KEYS,
    MOST_CASES,
    Fields,
    LoadedCase,
    Reading,
    name_problem,
    number_duplicates,
    setting,
    with_block,
    with_literals,
)
from muster_cases.case_problems import CaseError, EnoughFound, Problem, mistyped, note
from muster_cases.gherkin_tree import Cell, Child, Examples, Feature, Line, Place, Row, Scenario, Tag, parse_feature
from muster_protocol.requests import Step
from muster_text.request_rules import find_problems

TAG_KEYS: Mapping[str, str] = {
    "var": "variables",
    "secret": "secrets",
    "domain": "domains",
    "label": "labels",
    "covers": "covers",
    "fault": "faults",
    "device": "device",
    "app": "app",
    "phone": "phone",
    "suite": "suite",
    "priority": "priority",
    "on_fail": "on_fail",
    "checked_by": "checked_by",
    "timeout": "timeout_seconds",
    **{key: key for key in LIMIT_KEYS},
}
"""Field of the case that a tag `@key:value` sets; such a tag is not one of the case's tags."""
MOST_COLUMNS = 100
"""Columns in the Examples of a scenario."""
MOST_FILLED = 5_000_000
"""Characters per file after the values of Examples are filled in."""
MOST_STEPS = 20_000
"""Steps per file, counted once per row of Examples."""

_SETTING = re.compile(r"@(\w+)([:=(])(.*)", re.DOTALL)
_PARAMETER = re.compile(r"<([^<>\n]+)>")
_PROSE = re.compile(r"^\s*(given|when|then)\b", re.MULTILINE)
_NAME_LIKE = re.compile(r"[^\W\d][\w .-]*")
Say = Callable[[Place, str], None]


def read_gherkin(text: str, source: str, suite: str) -> Reading:
    """Return the cases in a Gherkin text; `suite` is the default suite."""
    try:
        feature = parse_feature(text, source)
    except CaseError as error:
        return Reading([], list(error.problems))
    if feature is None:
        return Reading([], [])
    reader = _Reader(source, suite)
    with suppress(EnoughFound):
        reader.feature(feature)
    found = sorted(dict.fromkeys(reader.problems), key=lambda problem: problem[1:3])
    return Reading(number_duplicates(reader.cases), found)


class _Around(NamedTuple):
    """What a scenario inherits from its feature and rule."""

    titles: tuple[str, ...]
    tags: tuple[Tag, ...]
    before: tuple[Line, ...] = ()


def _scenarios(children: tuple[Child, ...], around: _Around) -> Iterator[tuple[Scenario, _Around]]:
    for child in children:
        if child.background:
            around = around._replace(before=around.before + child.background.steps)
        if child.scenario:
            yield child.scenario, around
        if child.rule:
            titles = (*around.titles, child.rule.name)
            yield from _scenarios(child.rule.children, _Around(titles, around.tags + child.rule.tags, around.before))


@dataclass
class _Script:
    """Collects the steps of one case and reports steps in the wrong place."""

    say: Say
    preconditions: list[str] = field(default_factory=list[str])
    steps: list[Step] = field(default_factory=list[Step])
    lines: list[int] = field(default_factory=list[int])
    kind: str = ""

    def add(self, line: Line) -> None:
        """Add a step of the scenario or its background."""
        if line.keyword_type in ("Context", "Action", "Outcome"):
            self.kind = line.keyword_type
        keyword = line.keyword.strip()
        if not self.kind:
            self.say(line.location, f"the first step cannot be '{keyword}': begin with Given, When or Then")
            return
        sentence = self._sentence(line, keyword)
        match self.kind:
            case "Context" if self.steps:
                self.say(
                    line.location,
                    "a precondition after an action: preconditions hold before the first step. Write it as a When, "
                    "or move it to the start of the scenario",
                )
            case "Context":
                self.preconditions.append(sentence)
            case "Action":
                self.steps.append(Step(action=sentence or "-"))
                self.lines.append(line.location.line)
            case _ if not self.steps:
                self.say(line.location, "an expectation without an action: put this Then after a When")
            case _:
                last = self.steps[-1]
                self.steps[-1] = Step(action=last.action, expected=f"{last.expected}\n{sentence}".strip())

    def _sentence(self, line: Line, keyword: str) -> str:
        """Return the sentence of a step with its doc string or data table."""
        if not line.text.strip():
            self.say(line.location, f"'{keyword}' has no sentence")
        try:
            return _sentence_with_block(line, self.kind)
        except ValueError as error:
            block = line.doc_string or line.data_table
            self.say(block.location if block else line.location, str(error))
            return line.text


def _sentence_with_block(line: Line, kind: str) -> str:
    doc, table = line.doc_string, line.data_table
    if doc and table:
        raise ValueError("a step can take a doc string or a data table, not both")
    if doc and not doc.content.strip():
        raise ValueError("this doc string is empty")
    if doc:
        return with_literals(line.text, (doc.content,)) if kind == "Outcome" else with_block(line.text, doc.content)
    if not table:
        return line.text
    rows = [row.texts for row in table.rows]
    if len(rows) > 1 and len(rows[0]) > 1:
        raise ValueError(
            "a data table can have one column or one row; for more, write one step per row "
            "or put the values into Examples"
        )
    return with_literals(line.text, tuple(text for row in rows for text in row))


class _Reader:
    """Reads the scenarios of one file; a problem is added to `problems` and reading continues."""

    def __init__(self, source: str, suite: str) -> None:
        self.source, self.suite = source, suite
        self.cases: list[LoadedCase] = []
        self.problems: list[Problem] = []
        self._filled = 0

    def feature(self, feature: Feature) -> None:
        """Read all scenarios of a feature."""
        around = _Around((feature.name,), feature.tags)
        found = list(_scenarios(feature.children, around))
        if sum(_size(scenario, around) for scenario, around in found) > MOST_STEPS:
            self._say(feature.location, f"this file has more than {MOST_STEPS:,} steps; split it into several files")
            return
        words = Dialect.for_name(feature.language)
        outlines = set(words.scenario_outline_keywords) - set(words.scenario_keywords) if words else set[str]()
        for scenario, around in found:
            if scenario.examples:
                self._outline(scenario, around)
            elif scenario.keyword in outlines:
                self._say(scenario.location, f"this {scenario.keyword} has no Examples")
            else:
                self._case(scenario, around, scenario.location)

    def _outline(self, scenario: Scenario, around: _Around) -> None:
        for examples in scenario.examples:
            columns = examples.table_header.texts if examples.table_header else ()
            if not examples.table_body:
                self._say(examples.location, "these Examples have no rows")
            if len(columns) > MOST_COLUMNS:
                self._say(examples.location, f"Examples can have at most {MOST_COLUMNS} columns, not {len(columns):,}")
                continue
            if len(set(columns)) < len(columns) or not all(columns):
                self._say(examples.location, "each column of Examples needs a unique name")
                continue
            for row in examples.table_body:
                self._row(scenario, around, examples, row)

    def _row(self, scenario: Scenario, around: _Around, examples: Examples, row: Row) -> None:
        assert examples.table_header, "Examples with rows have a header"
        values = dict(zip(examples.table_header.texts, row.texts, strict=True))
        fill = _RowFiller(values, self._say, self._count_filled)
        unnamed = {column: value for column, value in values.items() if f"<{column}>" not in scenario.name}
        shown = ", ".join(f"{column}={_short(value)}" for column, value in unnamed.items())
        filled = msgspec.structs.replace(
            scenario,
            name=fill.text(scenario.name, scenario.location) + (f" ({shown})" if shown else ""),
            tags=scenario.tags + examples.tags,
            steps=tuple(fill.line(line) for line in scenario.steps),
        )
        self._case(filled, around, row.location)

    def _count_filled(self, size: int, place: Place) -> None:
        self._filled += size
        if self._filled > MOST_FILLED:
            self._say(place, f"with its Examples filled in, this file has more than {MOST_FILLED:,} characters")
            raise EnoughFound

    def _case(self, scenario: Scenario, around: _Around, place: Place) -> None:
        known = len(self.problems)
        self._count_filled(len(scenario.description), place)
        if len(self.cases) >= MOST_CASES:
            self._say(place, f"a file can have at most {MOST_CASES:,} cases, rows of Examples included")
            raise EnoughFound
        if not scenario.steps:
            self._say(scenario.location, f"this {scenario.keyword} has no steps")
            return
        for word in _PROSE.findall(scenario.description):
            self._say(scenario.location, f"'{word}' below this line is not a keyword: write it with a capital letter")
        script = _Script(self._say)
        for line in around.before + scenario.steps:
            script.add(line)
        name = ": ".join(" ".join(title.split()) for title in (*around.titles, scenario.name) if title)
        if wrong := name_problem(scenario.name and name):
            self._say(scenario.location, wrong)
        if not any(step.expected for step in script.steps) and len(self.problems) == known:
            self._say(scenario.location, "this scenario expects nothing: at least one When needs a Then")
        fields = self._fields(around.tags + scenario.tags)
        if len(self.problems) > known:
            return
        try:
            fields = Fields(preconditions=tuple(script.preconditions)).over(fields)
        except ValueError as error:
            self._say(place, str(error))
            return
        request = fields.request(name, tuple(script.steps), self.suite)
        for reason in find_problems(request):
            self._say(place, reason)
        self.cases.append(LoadedCase(request, self.source, place.line, tuple(script.lines)))

    def _fields(self, tags: tuple[Tag, ...]) -> Fields:
        fields = Fields()
        for before, tag in zip((None, *tags), tags, strict=False):
            if before and _adjoins(before, tag):
                self._say(
                    tag.location, f"'{before.name}{tag.name}': put a space between tags; a tag cannot contain '@'"
                )
            try:
                fields = _fields_of_tag(tag.name).over(fields)
            except ValueError as error:
                self._say(tag.location, f"{tag.name}: {error}")
        return fields

    def _say(self, place: Place, text: str) -> None:
        note(self.problems, Problem(self.source, place.line, place.column, text))


def _size(scenario: Scenario, around: _Around) -> int:
    rows = sum(len(examples.table_body) for examples in scenario.examples) or 1
    return rows * (len(around.before) + len(scenario.steps))


def _short(value: str) -> str:
    return value if len(value) <= 40 else f"{value[:39]}…"


def _adjoins(before: Tag, tag: Tag) -> bool:
    end = Place(before.location.line, before.location.column + len(before.name))
    return tag.location == end


def _fields_of_tag(tag: str) -> Fields:
    """Return the fields a tag sets.

    Raises:
        ValueError: the tag has the form of a setting, but is invalid or misspelled.
    """
    found = _SETTING.fullmatch(tag)
    if not found:
        return Fields(tags=(tag.removeprefix("@"),))
    word, sign, value = found.groups()
    if word in TAG_KEYS:
        if sign != ":":
            raise ValueError(f"write it as @{word}:VALUE")
        return setting(TAG_KEYS[word], value)
    if meant := mistyped(word, tuple(TAG_KEYS)):
        raise ValueError(f"unknown setting '{word}'; did you mean '@{meant}:'?")
    return Fields(tags=(tag.removeprefix("@"),))


class _RowFiller(NamedTuple):
    """Replaces `<parameters>` by the values of a row; reports names that are not columns."""

    values: Mapping[str, str]
    say: Say
    tally: Callable[[int, Place], None]
    """Called with the length of each text after filling."""

    def text(self, text: str, place: Place) -> str:
        """Return a text with the values filled in."""
        self.tally(len(text) + sum(len(self.values.get(name, "")) for name in _PARAMETER.findall(text)), place)

        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name not in self.values and _NAME_LIKE.fullmatch(name):
                columns = ", ".join(self.values)
                meant = mistyped(name, tuple(self.values))
                hint = f"; did you mean '{meant}'?" if meant else f"; valid: {columns}"
                self.say(place, f"the Examples have no column '{name}'{hint}")
            return self.values.get(name, match[0])

        return _PARAMETER.sub(value, text)

    def line(self, line: Line) -> Line:
        """Return a step with the values filled into its sentence, doc string and data table."""
        doc, table = line.doc_string, line.data_table
        if doc:
            doc = msgspec.structs.replace(doc, content=self.text(doc.content, doc.location))
        if table:
            rows = tuple(
                msgspec.structs.replace(row, cells=tuple(self._cell(cell, row.location) for cell in row.cells))
                for row in table.rows
            )
            table = msgspec.structs.replace(table, rows=rows)
        text = self.text(line.text, line.location)
        return msgspec.structs.replace(line, text=text, doc_string=doc, data_table=table)

    def _cell(self, cell: Cell, place: Place) -> Cell:
        return msgspec.structs.replace(cell, value=self.text(cell.value, place))

"""What kind of sentence is expected at a place in a half-typed file, judged by the lines around it. Pure.

A file that is being typed can seldom be parsed, so the lines above decide, at most `FARTHEST` of them.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, NamedTuple

from muster_authoring.phrase_files import KINDS, SAID_KEYS
from muster_cases.gherkin_tree import step_keywords
from muster_cases.markdown_cases import KEYS
from muster_cases.markdown_steps import ACTION, EXPECTED, expected_of
from muster_protocol.stored_cases import CaseFormat

FARTHEST = 500
"""Lines above a place that are looked at."""

Role = Literal["step", "expectation", "precondition"]
Style = Literal["bare", "single", "double", "plain", "cell"]
"""How a sentence is written: as it is, in YAML quotes, in YAML without any, or in a cell of a Markdown table."""
CaseForm = CaseFormat | Literal["phrases"]
"""The form of a file: cases in one of their forms, or sentences that a team teaches."""

_YAML = re.compile(r"(?P<indent>\s*)(?P<dash>(?:-\s+)*)(?:(?P<key>[^\s'\"#&*-][^'\"]*?)\s*:(?:\s+|$))?(?P<rest>.*)")
_BLOCK = re.compile(r"[|>][-+0-9]*\s*(?:#.*)?$")
_ROLES: dict[str, Role] = {
    "action": "step",
    "expected": "expectation",
    "steps": "step",
    "preconditions": "precondition",
}
_GIVEN_WHEN_THEN: dict[str, Role] = {"Context": "precondition", "Action": "step", "Outcome": "expectation"}
_STYLES: dict[str, Style] = {"'": "single", '"': "double"}
_BAR = re.compile(r"(?<!\\)\|")
_NUMBERED = re.compile(r"\s*\d+[.)]\s+")
_BULLET = re.compile(r"\s*[-*+]\s+")
_LANGUAGE = re.compile(r"\s*#\s*language\s*:\s*([\w-]+)")


class Cursor(NamedTuple):
    """A place within a sentence: its role, the column (from 0) it begins in on this line, and how it is written."""

    role: Role
    begin: int
    style: Style
    whole: bool = True
    """The sentence begins in this line."""


def cursor_in(form: CaseForm, lines: Sequence[str], line: int, column: int) -> Cursor | None:
    """Return what a line and column (from 0) are for; None if no sentence can stand there."""
    if not 0 <= line < len(lines):
        return None
    if form == "gherkin":
        found = _in_gherkin(lines, line)
    elif form == "markdown":
        found = _in_markdown(lines, line, column)
    else:
        found = _in_yaml(lines, line, taught=form == "phrases")
    return found if found and column >= found.begin else None


def _above(lines: Sequence[str], line: int) -> Iterator[str]:
    """Yield the lines above one, the nearest first, without blank ones."""
    return (text for _, text in _numbered_above(lines, line))


def _in_yaml(lines: Sequence[str], line: int, *, taught: bool) -> Cursor | None:
    written = _yaml(lines[line])
    if written.key and (written.key in SAID_KEYS or taught):
        role = _ROLES.get(written.key) or _taught_role(lines, line, written.indent)
    elif written.key and not written.dash:
        return None
    elif written.dash:
        role = _list_role(lines, line, written.indent, taught=taught)
    else:
        return _continued(lines, line, taught=taught)
    opening = lines[line][written.begin : written.begin + 1]
    style = _STYLES.get(opening, "plain")
    return Cursor(role, written.begin + (style != "plain"), style) if role else None


class _Yaml(NamedTuple):
    indent: int
    dash: bool
    key: str
    begin: int
    """The column of its value."""
    text: str


def _yaml(line: str) -> _Yaml:
    found = _YAML.fullmatch(line)
    assert found, "every line fits"
    key = found["key"] or ""
    keyed = key in (*SAID_KEYS, *_ROLES) or not found["dash"]
    begin = found.start("rest") if keyed else found.end("dash")
    return _Yaml(len(found["indent"]), bool(found["dash"]), key if keyed else "", begin, line[begin:])


def _list_role(lines: Sequence[str], line: int, indent: int, *, taught: bool) -> Role | None:
    """Return the role of an item of a list, by the key that the list stands under."""
    for number, text in _numbered_above(lines, line):
        above = _yaml(text)
        if above.indent <= indent and not above.dash and above.key:
            return _taught_role(lines, number, above.indent) if taught else _ROLES.get(above.key)
        if above.indent < indent and above.dash:  # an item whose value is a list of its own: '- steps:'
            return _ROLES.get(above.key)
    return None


def _taught_role(lines: Sequence[str], line: int, indent: int) -> Role | None:
    for text in _above(lines, line):
        above = _yaml(text)
        if above.indent < indent and above.key in KINDS:
            return KINDS[above.key]
    return None


def _numbered_above(lines: Sequence[str], line: int) -> Iterator[tuple[int, str]]:
    """Yield those lines with their numbers (from 0)."""
    for at in range(line - 1, max(-1, line - 1 - FARTHEST), -1):
        if lines[at].strip():
            yield at, lines[at]


def _continued(lines: Sequence[str], line: int, *, taught: bool) -> Cursor | None:
    """Return the role of a line that goes on with the value of one above it, which stands less deep."""
    indent = len(lines[line]) - len(lines[line].lstrip())
    for number, text in _numbered_above(lines, line):
        above = _yaml(text)
        if above.indent >= indent:
            continue
        found = _in_yaml(lines, number, taught=taught) if above.text.strip() else None
        if found and _BLOCK.match(above.text):
            return Cursor(found.role, indent, "bare")
        return Cursor(found.role, indent, found.style, whole=False) if found else None
    return None


def _in_gherkin(lines: Sequence[str], line: int) -> Cursor | None:
    said = next((found[1] for text in lines[:10] if (found := _LANGUAGE.match(text))), "en")
    keywords = step_keywords(said)
    text = lines[line].lstrip()
    own = _keyword(text, keywords)
    begin = len(lines[line]) - len(text) + len(own)
    for above in (text, *_above(lines, line)) if own else ():
        if role := _GIVEN_WHEN_THEN.get(keywords.get(_keyword(above.lstrip(), keywords), "")):
            return Cursor(role, begin, "bare")
    return None


def _keyword(text: str, keywords: Collection[str]) -> str:
    return max((one for one in keywords if text.startswith(one)), key=len, default="")


def _in_markdown(lines: Sequence[str], line: int, column: int) -> Cursor | None:
    text = lines[line]
    if text.lstrip().startswith("|"):
        return _in_table(lines, line, column)
    item = _NUMBERED.match(text) or _BULLET.match(text)
    begin = item.end() if item else len(text) - len(text.lstrip())
    said = expected_of(text[begin:])
    if said is not None:
        return Cursor("expectation", len(text) - len(said), "bare")
    if _NUMBERED.match(text):
        return Cursor("step", begin, "bare")
    role = _item_role(lines, line) if item else None
    return Cursor(role, begin, "bare") if role else None


def _item_role(lines: Sequence[str], line: int) -> Role | None:
    """Return the role of an item of a plain list: what it stands below decides."""
    nested = lines[line][:1].isspace()
    for text in _above(lines, line):
        if _NUMBERED.match(text):
            return "expectation" if nested else None
        if not _BULLET.match(text) and not text[:1].isspace():
            topic = text.strip("#*_: \t").lower().replace(" ", "_")
            return "precondition" if KEYS.get(topic) == "preconditions" else None
    return None


def _in_table(lines: Sequence[str], line: int, column: int) -> Cursor | None:
    top = line
    while top and lines[top - 1].lstrip().startswith("|"):
        top -= 1
    bars = [bar.start() for bar in _BAR.finditer(lines[line]) if bar.start() < column]
    names = [cell.strip(" *_").lower() for cell in _BAR.split(lines[top].strip())[1:]]
    if line <= top + 1 or not bars or len(bars) > len(names):
        return None
    name = names[len(bars) - 1]
    role: Role | None = "expectation" if name in EXPECTED else "step" if name in ACTION else None
    rest = lines[line][bars[-1] + 1 : column]
    return Cursor(role, bars[-1] + 1 + len(rest) - len(rest.lstrip()), "cell") if role else None

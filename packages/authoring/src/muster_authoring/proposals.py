"""Completions for a place in a file: phrases, a team's own sentences, names of variables and secrets. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

from muster_authoring.case_check import names_kept
from muster_authoring.document import Document
from muster_authoring.own_sentence import PARAMETER
from muster_authoring.sentence_cursor import Cursor, Role, cursor_in
from muster_authoring.sentence_styles import styled
from muster_cases.case_fields import LoadedCase
from muster_grammar import PHRASES
from muster_protocol.requests import TestCase
from muster_text.clauses import QUOTED
from muster_text.values import placeholder_names, secret_names

ProposalKind = Literal["phrase", "own", "variable", "secret"]
_OPEN_NAME = re.compile(r"\$\{((?:secret:)?[\w.-]*)$")
_JOINT = re.compile(r"(?:,\s+(?:and\s+|then\s+)*|\b(?:and|then)\s+)", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:I|we|the user)\s+", re.IGNORECASE)
_QUOTED_PARAMETER = re.compile(r"([\"'`])(\{[A-Za-z_]\w*\})\1")
_SLOT = re.compile(r'(\\?)"([^"\\]*)\1"')
_PHRASE_KINDS: dict[Role, tuple[str, ...]] = {
    "step": ("action",),
    "expectation": ("expectation",),
    "precondition": ("precondition", "expectation", "action"),
}


class Proposal(NamedTuple):
    """A text for a place: it takes the place of what stands in the line from `begin` (column from 0) to the cursor."""

    kind: ProposalKind
    label: str
    text: str
    """As it is written there."""
    snippet: str
    """The same, with `${1:…}` where a value stands, as editors write it."""
    begin: int
    detail: str = ""
    about: str = ""


def proposals(document: Document, lines: Sequence[str], line: int, column: int) -> tuple[Proposal, ...]:
    """Return what can be written at a line and column (from 0) of a text, the likeliest first.

    `document` is the last reading that had cases: the text itself may be broken.
    """
    cursor = cursor_in(document.form, lines, line, column)
    if cursor is None:
        return ()
    begun = lines[line][cursor.begin : column]
    after = lines[line][column:]
    if name := _OPEN_NAME.search(begun):
        return tuple(
            _names(
                _known_names(document, lines, line), name[1], cursor.begin + name.start(1), closed=after.startswith("}")
            )
        )
    start = _part_start(begun)
    if start is None:
        return ()
    place = _Place(cursor, cursor.begin + start, start == 0 and cursor.whole, not after.strip(" |'\""))
    wanted = begun[start:].lower().split()
    found = [one for one in _sentences(document, cursor.role) if all(word in one.label.lower() for word in wanted)]
    found.sort(key=lambda one: not one.label.lower().startswith(" ".join(wanted)))
    return tuple(made for one in found if (made := place.put(one)))


class _Sentence(NamedTuple):
    kind: ProposalKind
    label: str
    text: str
    detail: str
    about: str


class _Place(NamedTuple):
    cursor: Cursor
    begin: int
    first: bool
    last: bool

    def put(self, one: _Sentence) -> Proposal | None:
        """Return a sentence as it is written here; None if it cannot be."""
        text = styled(one.text, self.cursor.style, first=self.first, last=self.last)
        if text is None:
            return None
        return Proposal(one.kind, one.label, text, _snippet(text), self.begin, one.detail, one.about)


def _part_start(begun: str) -> int | None:
    """Return where the last part of a begun sentence begins, after "and" or a comma; None within a text in quotes."""
    closed = [match.span() for match in QUOTED.finditer(begun)]
    start = 0
    for joint in _JOINT.finditer(begun):
        if not any(first < joint.end() <= last for first, last in closed):
            start = joint.end()
    rest = QUOTED.sub("", begun)
    if '"' in rest or "“" in rest:
        return None
    subject = _SUBJECT.match(begun, start)
    return subject.end() if subject else start


def _sentences(document: Document, role: Role) -> Iterator[_Sentence]:
    for own in document.book.sentences:
        if role in (own.kind, "precondition"):
            text = PARAMETER.sub(r'"\1"', _QUOTED_PARAMETER.sub(r"\2", own.text))
            body = "\n".join(" → ".join(filter(None, (said.action, said.expected))) for said in own.body)
            yield _Sentence("own", own.text, text, own.place, body)
    yield from _phrases(role)


@cache
def _phrases(role: Role) -> tuple[_Sentence, ...]:
    return tuple(
        _Sentence("phrase", example, example, phrase.pattern, phrase.description)
        for kind in _PHRASE_KINDS[role]
        for phrase in PHRASES
        if phrase.kind == kind
        for example in phrase.examples
        if "\n" not in example
    )


def _snippet(text: str) -> str:
    """Return a text as editors take it in, with a place to type at for each text in quotes."""
    made: list[str] = []
    at = 0
    for number, slot in enumerate(_SLOT.finditer(text), 1):
        inner = slot.span(2)
        made += [_plain(text[at : inner[0]]), f"${{{number}:{_plain(slot[2])}}}"]
        at = inner[1]
    return "".join((*made, _plain(text[at:])))


def _plain(text: str) -> str:
    return re.sub(r"([\\$}])", r"\\\1", text)


def _names(known: "Names", begun: str, begin: int, *, closed: bool) -> Iterator[Proposal]:
    end = "" if closed else "}"
    variables, secrets = known
    for name in (*variables, *(f"secret:{name}" for name in secrets)):
        if name.startswith(begun):
            kind: ProposalKind = "secret" if name.startswith("secret:") else "variable"
            text = name + end
            yield Proposal(kind, name, text, _plain(text), begin, variables.get(name, ""))


class Names(NamedTuple):
    """Variables with their values, empty where they are not known yet, and secrets."""

    variables: Mapping[str, str]
    secrets: tuple[str, ...]


def _known_names(document: Document, lines: Sequence[str], line: int) -> Names:
    """Return the names that the case at a line (from 0) sets, lists or remembers; where none is read, all it uses."""
    if not document.cases:
        text = "\n".join(lines)
        return Names(dict.fromkeys(placeholder_names(text), ""), tuple(dict.fromkeys(secret_names(text))))
    job = _case_at(document.cases, line)
    kept = {name: "" for step in job.steps for name in sorted(names_kept(step.action))}
    return Names({**kept, **job.variables}, job.secrets)


def _case_at(cases: Sequence[LoadedCase], line: int) -> TestCase:
    above = [case for case in cases if case.line <= line + 1] or [cases[0]]
    return max(above, key=lambda case: case.line).test_case

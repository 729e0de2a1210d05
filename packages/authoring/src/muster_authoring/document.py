"""One file while it is being edited: its cases, the sentences that it may use, and its problems."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from muster_authoring.case_check import Finding, check_reading
from muster_authoring.own_cases import Books
from muster_authoring.phrase_book import PhraseBook
from muster_authoring.phrase_files import shown_path
from muster_authoring.sentence_cursor import CaseForm, cursor_in
from muster_authoring.sentence_places import locate
from muster_cases.case_fields import LoadedCase
from muster_cases.case_loader import PHRASES_FOLDER, SUFFIXES, form_of, read_as_file
from muster_cases.case_problems import Problem
from muster_grammar.unread_sentences import unread_action, unread_expectation

_OF_CASES = re.compile(r"^(?:steps|cases)\s*:", re.MULTILINE)
"""Top-level keys that mark a YAML file as one of cases; editors send a language server every YAML file."""

_TOLD = re.compile(r"«([^«»]+)»")
"""What a problem speaks of."""


class Document(NamedTuple):
    """A text as it was read; `cases` are as written, their sentences of one's own not replaced."""

    path: Path
    form: CaseForm
    lines: tuple[str, ...]
    cases: tuple[LoadedCase, ...]
    book: PhraseBook
    findings: tuple[Finding, ...]
    """What is wrong with this text, in the order of its lines."""


def form_at(path: Path) -> CaseForm | None:
    """Return the form that a file has by its name and folder; None if it can hold neither cases nor sentences."""
    if path.suffix.lower() not in SUFFIXES:
        return None
    form = form_of(path)
    return "phrases" if form == "yaml" and path.parent.name == PHRASES_FOLDER else form


def read_document(
    path: Path, text: str, texts: Mapping[Path, str] | None = None, variables: Collection[str] = ()
) -> Document | None:
    """Return what is known of a text; None if its file can hold no cases.

    `texts` stand for files beside it that are not saved yet, `variables` are set elsewhere.
    """
    form = form_at(path)
    if form is None:
        return None
    lines = tuple(text.splitlines())
    books = Books({**(texts or {}), path: text})
    if form == "phrases":
        book = books.of(path.parent.parent / "case.yaml") or PhraseBook(())
        return Document(path, form, lines, (), book, _taught_wrong(books.problems, path, lines))
    if form == "yaml" and not _OF_CASES.search(text):
        return Document(path, form, lines, (), books.of(path) or PhraseBook(()), ())
    reading = read_as_file(text, path)
    checked = check_reading(reading, books, text, variables)
    found = (_ended(one, lines, form) for one in checked.findings if Path(one.file) == path)
    book = books.of(path) or PhraseBook(())
    return Document(path, form, lines, tuple(reading.cases), book, (*found, *_elsewhere(books.problems, path)))


def _taught_wrong(problems: Collection[Problem], path: Path, lines: tuple[str, ...]) -> tuple[Finding, ...]:
    mine = (one for one in problems if one.source == shown_path(path))
    return tuple(_ended(_finding(one, path), lines, "phrases") for one in sorted(mine, key=lambda one: one[1:3]))


def _elsewhere(problems: Collection[Problem], path: Path) -> tuple[Finding, ...]:
    """Return, for the whole file, that something is wrong where sentences of one's own are taught."""
    if not problems:
        return ()
    text = f"no sentences of your own can be used here: {next(iter(problems))}"
    return (Finding(kind="file", file=str(path), line=0, column=0, text=text),)


def _finding(problem: Problem, path: Path) -> Finding:
    return Finding(kind="file", file=str(path), line=problem.line, column=problem.column, text=problem.text)


def _ended(found: Finding, lines: tuple[str, ...], form: CaseForm) -> Finding:
    """Return a finding with an end: that of the words it speaks of, else that of its line."""
    if found.end_line or not (found.line and lines):
        return found
    number = min(found.line, len(lines))
    told = _TOLD.search(found.text)
    if told and (span := locate(lines, number, told[1])).exact:
        at = replace(found, line=span.begin.line, column=span.begin.column)
        return replace(
            at, end_line=span.end.line, end_column=span.end.column, instead=_instead(at, told[1], lines, form)
        )
    line = lines[number - 1]
    begin = max(found.column if number == found.line else 1, len(line) - len(line.lstrip()) + 1)
    return replace(found, line=number, column=begin, end_line=number, end_column=max(len(line.rstrip()), begin) + 1)


def _instead(found: Finding, text: str, lines: tuple[str, ...], form: CaseForm) -> str:
    """Return what can be written in the place of a sentence; empty if it is read, or nothing is known."""
    cursor = None if form == "phrases" else cursor_in(form, lines, found.line - 1, found.column - 1)
    if cursor is None or cursor.role == "precondition":
        return ""
    unread = unread_action(text) if cursor.role == "step" else unread_expectation(text)
    return next((one.instead for one in unread if one.error.sentence.strip() == text), "")

"""Checks cases without a fleet: sentences that no phrase reads, values nobody sets, secrets nobody declares."""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct

from muster_authoring.book_checks import meant
from muster_authoring.own_cases import Gathered, gather
from muster_authoring.own_sentence import Kind
from muster_authoring.phrase_book import PhraseBook
from muster_authoring.sentence_places import locate
from muster_cases.case_loader import LoadedCase
from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_protocol.requests import TestCase, Written
from muster_text.request_rules import undeclared_secret
from muster_text.values import placeholder_names, secret_names

LOOSELY = 0.5
"""How alike a sentence and one of one's own are for that one to be proposed."""

FindingKind = Literal["file", "unread", "variable", "secret"]
_KEPT = re.compile(r"\b(?:as|into|in|to)\s+\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}", re.IGNORECASE)


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that is wrong, with its place; line 0 means the file as a whole."""

    kind: FindingKind
    """`file`: it cannot be read as cases; `unread`: no phrase reads a sentence; or a value or a secret is unknown."""
    file: str
    line: int
    column: int
    text: str
    sentence: str = ""
    """Of what is unread: the sentence, with «» around the words that no phrase reads."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.text}"


class Checked(NamedTuple):
    """What a check has found."""

    cases: int
    findings: tuple[Finding, ...]


class _Sentence(NamedTuple):
    text: str
    kind: Kind
    begin: int
    """The line its step begins in."""
    within: str = ""
    """What is written, where a sentence of one's own stands for it."""
    given: bool = False
    """It is a precondition."""


class _Read(NamedTuple):
    """What came of reading a sentence: the placeholders its calls use, or the error."""

    used: frozenset[str] = frozenset()
    error: PhraseError | None = None


def check_paths(paths: Iterable[Path | str], variables: Collection[str] = ()) -> Checked:
    """Return what is wrong with the cases of files and folders; `variables` are set elsewhere."""
    gathered = gather(paths)
    secrets = {(case.source, undeclared_secret(name)) for case in gathered.cases for name in _undeclared(case)}
    found = [
        Finding(kind="file", file=problem.source, line=problem.line, column=problem.column, text=problem.text)
        for problem in gathered.problems
        if (problem.source, problem.text) not in secrets
    ]
    texts: dict[str, list[str]] = {}
    for case in gathered.cases:
        if case.source not in texts:
            texts[case.source] = Path(case.source).read_text(encoding="utf-8-sig", errors="replace").splitlines()
        found += _CaseCheck(case, texts[case.source], gathered, variables).findings()
    ordered = sorted(dict.fromkeys(found), key=lambda one: (one.file, one.line, one.column))
    return Checked(len(gathered.cases), tuple(ordered))


class _CaseCheck:
    """Checks one case."""

    def __init__(self, case: LoadedCase, lines: list[str], gathered: Gathered, variables: Collection[str]) -> None:
        self._case, self._lines = case, lines
        self._job = _job(case)
        self._book = gathered.books.of(Path(case.source)) or PhraseBook(())
        self._known = {*self._job.variables, *variables}

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with its sentences, in their order."""
        for sentence in self._sentences():
            read = _read(sentence.kind, sentence.text, given=sentence.given)
            if read.error:
                yield self._unread(sentence, read.error)
            names = set(placeholder_names(sentence.text))
            kept = set(_KEPT.findall(sentence.text)) if read.error else names - read.used
            for name in sorted(names - kept - self._known):
                yield self._finding("variable", sentence, f"${{{name}}}", self._unknown(name))
            for name in sorted(set(secret_names(sentence.text)) - set(self._job.secrets)):
                yield self._finding("secret", sentence, f"${{secret:{name}}}", undeclared_secret(name))
            self._known |= kept

    def _sentences(self) -> Iterator[_Sentence]:
        below = "\n".join(self._lines[self._case.line - 1 :])
        for text in self._job.preconditions:
            begin = self._case.line if text.partition("\n")[0] in below else 1  # one of a background stands above
            yield _Sentence(text, "step", begin, given=True)
        told, left = Written(action=""), 0
        for step, begin in zip(self._job.steps, self._begins(), strict=False):
            told, left = (step.written, step.written.steps) if step.written else (told, left - 1)
            own = told if left > 0 else Written(action="")
            yield _Sentence(step.action, "step", begin, "" if step.action == own.action else own.action)
            if step.expected.strip():
                within = "" if step.expected == own.expected else own.expected or own.action
                yield _Sentence(step.expected, "expectation", begin, within)

    def _begins(self) -> Iterator[int]:
        yield from self._case.step_lines
        yield from repeat(self._case.line)

    def _unread(self, sentence: _Sentence, error: PhraseError) -> Finding:
        near = self._book.near(sentence.kind, error.sentence, LOOSELY)
        part = error.sentence.strip()
        marked = sentence.text.replace(part, f"«{part}»", 1) if part in sentence.text else f"«{sentence.text}»"
        return self._finding("unread", sentence, part, f"{error}{meant(near)}", marked)

    def _finding(self, kind: FindingKind, sentence: _Sentence, part: str, text: str, marked: str = "") -> Finding:
        place = locate(self._lines, sentence.begin, sentence.within or part)
        said = f"«{sentence.within}» stands for this: {text}" if sentence.within else text
        return Finding(
            kind=kind,
            file=self._case.source,
            line=place.line,
            column=place.column,
            text=" ".join(said.split()),
            sentence=marked,
        )

    def _unknown(self, name: str) -> str:
        there = ", ".join(sorted(self._known)) or "none"
        return (
            f"nothing is known by the name ${{{name}}}: set it as a variable, or remember it before; there are: {there}"
        )


def _job(case: LoadedCase) -> TestCase:
    assert isinstance(case.request.job, TestCase), "cases in files are test cases"
    return case.request.job


def _undeclared(case: LoadedCase) -> set[str]:
    job = _job(case)
    texts = [*job.preconditions, *(text for step in job.steps for text in (step.action, step.expected))]
    return {name for text in texts for name in secret_names(text)} - set(job.secrets)


@lru_cache(maxsize=50_000)
def _read(kind: Kind, text: str, *, given: bool) -> _Read:
    parse = parse_precondition if given else parse_action if kind == "step" else parse_expectation
    try:
        calls = parse(text)
    except PhraseError as error:
        return _Read(error=error)
    arguments = [value for call in calls for value in call.arguments.values()]
    texts = [text for value in arguments for text in (value if isinstance(value, list) else [value])]
    return _Read(frozenset(name for text in texts if isinstance(text, str) for name in placeholder_names(text)))

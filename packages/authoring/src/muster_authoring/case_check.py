"""Checks cases without a fleet: unread sentences, unset variables, undeclared secrets, too many steps."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from muster_authoring.book_checks import meant
from muster_authoring.own_cases import Books, Gathered, gather, gather_reading
from muster_authoring.own_sentence import Kind
from muster_authoring.phrase_book import PhraseBook
from muster_authoring.sentence_places import Span, locate
from muster_cases.case_fields import LoadedCase, Reading
from muster_grammar import PhraseError, parse_action, parse_expectation, parse_precondition
from muster_grammar.made_phrases import made_names
from muster_grammar.unread_sentences import Unread, unread_action, unread_expectation, unread_precondition
from muster_protocol.events import Policy
from muster_protocol.requests import Written
from muster_text.request_rules import undeclared_secret
from muster_text.values import placeholder_names, secret_names

LOOSELY = 0.5
"""How alike a sentence and one of one's own are for that one to be proposed."""

MOST_SUBTASKS = Policy().max_subtasks
"""Sub-tasks of a run where neither its case nor the fleet says otherwise."""

FindingKind = Literal["file", "unread", "variable", "secret", "limit"]
_KEPT = re.compile(r"\b(?:as|into|in|to)\s+\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}", re.IGNORECASE)


class Finding(Struct, frozen=True, kw_only=True):
    """One thing that is wrong, with its place; line 0 means the file as a whole."""

    kind: FindingKind
    """`file`: it cannot be read as cases; `unread`: no phrase reads a sentence; or a value or a secret is unknown; or
    the case has more steps than a run may have sub-tasks."""
    file: str
    line: int
    column: int
    text: str
    sentence: str = ""
    """For an unread part: its sentence, with «» around the words that no phrase reads."""
    end_line: int = 0
    end_column: int = 0
    """Right after the words that are meant; 0 where only the beginning is known."""
    instead: str = ""
    """For an unread part: a replacement that a phrase reads; empty if none is known."""

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
    action: str = ""
    """Of an expectation: what is done before, and written before in most files."""


class _Read(NamedTuple):
    """What came of reading a sentence: the placeholders its calls use, or its parts that no phrase reads."""

    used: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    """Names of values that a call makes up and keeps; a sentence need not say them."""
    unread: tuple[Unread, ...] = ()


def check_paths(paths: Iterable[Path | str], variables: Collection[str] = (), most: int = MOST_SUBTASKS) -> Checked:
    """Return what is wrong with the cases of files and folders.

    `variables` are set elsewhere; `most`: sub-tasks that the fleet allows a run whose case names no limit.
    """
    gathered = gather(paths)
    texts = {
        source: Path(source).read_text(encoding="utf-8-sig", errors="replace").splitlines()
        for source in {case.source for case in gathered.cases}
    }
    return _checked(gathered, texts, variables, most)


def check_reading(reading: Reading, books: Books, text: str, variables: Collection[str] = ()) -> Checked:
    """Return what is wrong with the cases of one text that has been read; `variables` are set elsewhere."""
    lines = text.splitlines()
    return _checked(gather_reading(reading, books), {case.source: lines for case in reading.cases}, variables)


def _checked(
    gathered: Gathered, texts: Mapping[str, list[str]], variables: Collection[str], most: int = MOST_SUBTASKS
) -> Checked:
    secrets = {(case.source, undeclared_secret(name)) for case in gathered.cases for name in _undeclared(case)}
    found = [
        Finding(kind="file", file=problem.source, line=problem.line, column=problem.column, text=problem.text)
        for problem in gathered.problems
        if (problem.source, problem.text) not in secrets
    ]
    for case in gathered.cases:
        wrong = _CaseCheck(case, texts[case.source], gathered, variables).findings()
        broken = gathered.books.is_broken(Path(case.source))  # what reads as no phrase may be taught there
        found += [one for one in wrong if not (broken and one.kind in ("unread", "variable"))]
        found += _excess(case, most)
    ordered = sorted(dict.fromkeys(found), key=lambda one: (one.file, one.line, one.column))
    return Checked(len(gathered.cases), tuple(ordered))


def _excess(case: LoadedCase, most: int) -> Iterator[Finding]:
    """Yield what is wrong if no run can have a sub-task for each step and precondition."""
    job, limit = case.test_case, case.request.limits.max_subtasks or most
    least = len(job.steps) + len(job.preconditions)
    if least > limit:
        text = (
            f"{least} steps and preconditions, each a sub-task, where a run may have {limit}: split the case, or raise "
            "its limits.max_subtasks (without it, ORCHESTRATOR_MAX_SUBTASKS of the fleet counts)"
        )
        yield Finding(kind="limit", file=case.source, line=case.line, column=1, text=text)


class _CaseCheck:
    """Checks one case."""

    def __init__(self, case: LoadedCase, lines: list[str], gathered: Gathered, variables: Collection[str]) -> None:
        self._case, self._lines = case, lines
        self._job = case.test_case
        self._book = gathered.books.of(Path(case.source)) or PhraseBook(())
        self._known = {*self._job.variables, *variables}

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with its sentences, in their order."""
        for sentence in self._sentences():
            read = _read(sentence.kind, sentence.text, given=sentence.given)
            for unread in read.unread:
                yield self._unread(sentence, unread)
            names = set(placeholder_names(sentence.text))
            kept = _kept(sentence.text, read)
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
                yield _Sentence(step.expected, "expectation", begin, within, action=own.action or step.action)

    def _begins(self) -> Iterator[int]:
        yield from self._case.step_lines
        yield from repeat(self._case.line)

    def _unread(self, sentence: _Sentence, unread: Unread) -> Finding:
        near = self._book.near(sentence.kind, unread.error.sentence, LOOSELY)
        part = unread.error.sentence.strip()
        marked = sentence.text.replace(part, f"«{part}»", 1) if part in sentence.text else f"«{sentence.text}»"
        found = self._finding("unread", sentence, part, f"{unread}{meant(near)}", marked)
        better = found.end_line and not sentence.within and _is_better(sentence, part, unread.instead)
        return replace(found, instead=unread.instead) if better else found

    def _finding(self, kind: FindingKind, sentence: _Sentence, part: str, text: str, marked: str = "") -> Finding:
        place = self._place(sentence, part if not sentence.within or part in sentence.within else sentence.within)
        said = f"«{sentence.within}» stands for this: {text}" if sentence.within else text
        return Finding(
            kind=kind,
            file=self._case.source,
            line=place.begin.line,
            column=place.begin.column,
            text=" ".join(said.split()),
            sentence=marked,
            end_line=place.end.line if place.exact else 0,
            end_column=place.end.column if place.exact else 0,
        )

    def _place(self, sentence: _Sentence, part: str) -> Span:
        """Return where a part of a sentence stands; that of an expectation after its action, wherever both have it."""
        done = locate(self._lines, sentence.begin, sentence.action) if sentence.action else None
        return locate(self._lines, sentence.begin, part, done.end if done and done.exact else None)

    def _unknown(self, name: str) -> str:
        there = ", ".join(sorted(self._known)) or "none"
        return (
            f"nothing is known by the name ${{{name}}}: set it as a variable, or remember it before; there are: {there}"
        )


def _undeclared(case: LoadedCase) -> set[str]:
    job = case.test_case
    return {name for text in job.texts for name in secret_names(text)} - set(job.secrets)


def _is_better(sentence: _Sentence, part: str, instead: str) -> bool:
    """Return whether replacing a part of the sentence leaves fewer parts unread."""
    if not instead or part not in sentence.text:
        return False
    made = _read(sentence.kind, sentence.text.replace(part, instead, 1), given=sentence.given)
    return len(made.unread) < len(_read(sentence.kind, sentence.text, given=sentence.given).unread)


def names_kept(action: str) -> frozenset[str]:
    """Return the names under which an action keeps values."""
    return _kept(action, _read("step", action, given=False))


def _kept(text: str, read: _Read) -> frozenset[str]:
    told = _KEPT.findall(text) if read.unread else set(placeholder_names(text)) - read.used
    return read.made.union(told)


@lru_cache(maxsize=50_000)
def _read(kind: Kind, text: str, *, given: bool) -> _Read:
    parse = parse_precondition if given else parse_action if kind == "step" else parse_expectation
    try:
        calls = parse(text)
    except PhraseError:
        explain = unread_precondition if given else unread_action if kind == "step" else unread_expectation
        return _Read(unread=tuple(explain(text)))
    arguments = [value for call in calls for value in call.arguments.values()]
    texts = [text for value in arguments for text in (value if isinstance(value, list) else [value])]
    used = frozenset(name for text in texts if isinstance(text, str) for name in placeholder_names(text))
    return _Read(used, made_names(calls))

"""Reads cases from files and replaces sentences of your own by the steps that they stand for."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from muster_authoring.book_checks import find_problems, meant
from muster_authoring.own_sentence import Kind
from muster_authoring.phrase_book import OwnSentenceError, PhraseBook, Unfolding, reads_action, reads_expectation
from muster_authoring.phrase_files import PhraseText, files_in, phrase_folders, read_taught, text_of
from muster_cases.case_fields import LoadedCase, Reading
from muster_cases.case_loader import read_paths
from muster_cases.case_problems import CaseError, Problem
from muster_protocol.requests import Step, Written
from muster_text import request_rules


class Gathered(NamedTuple):
    """What files hold: cases, without the steps that cannot be put in place, and all that is wrong."""

    cases: list[LoadedCase]
    problems: list[Problem]
    books: "Books"


def load_cases(paths: Iterable[Path | str]) -> list[LoadedCase]:
    """Return the cases of files and folders, with steps that workers know in place of sentences of one's own.

    Raises:
        CaseError: the problems of all files together, those that teach sentences included.
    """
    found = gather(paths)
    if found.problems:
        raise CaseError(found.problems)
    return found.cases


def gather(paths: Iterable[Path | str]) -> Gathered:
    """Return the cases of files and folders as `load_cases` does, and beside them all that is wrong."""
    return gather_reading(read_paths(paths), Books())


def gather_reading(reading: Reading, books: "Books") -> Gathered:
    """Return cases that have been read as `gather` does."""
    cases: list[LoadedCase] = []
    problems = list(reading.problems)
    for case in reading.cases:
        book = books.of(Path(case.source))
        made, wrong = unfolded(case, book) if book else (case, [])
        problems += [problem for problem in wrong if problem not in problems]
        cases.append(made)
    return Gathered(cases, [*books.problems, *problems], books)


class Books:
    """The books of sentences for files of cases; each file that teaches is read once."""

    def __init__(self, texts: Mapping[Path, str] | None = None) -> None:
        """`texts` stand for what is in files that are not saved yet."""
        self._texts = texts or {}
        self.problems: list[Problem] = []
        """What is wrong with files that teach."""
        self._by_folder: dict[Path, PhraseBook | None] = {}
        self._by_files: dict[tuple[Path, ...], PhraseBook | None] = {}
        self._broken: set[tuple[Path, ...]] = set()

    def of(self, file: Path) -> PhraseBook | None:
        """Return the sentences that a file of cases may use; None if there are none, or none that can be used."""
        folder = file.resolve().parent
        if folder not in self._by_folder:
            files = tuple(chain.from_iterable(map(files_in, phrase_folders(file))))
            if files not in self._by_files:
                self._by_files[files] = self._read(files)
            self._by_folder[folder] = self._by_files[files]
        return self._by_folder[folder]

    def is_broken(self, file: Path) -> bool:
        """Return whether no sentence of one's own can be used in a file of cases because one that teaches is broken."""
        return tuple(chain.from_iterable(map(files_in, phrase_folders(file)))) in self._broken

    def _read(self, files: Sequence[Path]) -> PhraseBook | None:
        book, problems = _book(tuple(text_of(file, self._texts) for file in files))
        self.problems += [problem for problem in problems if problem not in self.problems]
        if problems:
            self._broken.add(tuple(files))
        return book if book.sentences and not problems else None


@lru_cache(maxsize=16)
def _book(texts: tuple[PhraseText, ...]) -> tuple[PhraseBook, tuple[Problem, ...]]:
    taught = [read_taught(text) for text in texts]
    book = PhraseBook(own for one in taught for own in one.sentences)
    return book, tuple(problem for one in taught for problem in one.problems) or tuple(find_problems(book))


def unfolded(case: LoadedCase, book: PhraseBook) -> tuple[LoadedCase, list[Problem]]:
    """Return a case with steps in place of its sentences of one's own, and what is wrong with those it lacks now."""
    job = case.test_case
    problems: list[Problem] = []
    preconditions: list[str] = []
    for text in job.preconditions:
        try:
            preconditions += _precondition(book, text)
        except OwnSentenceError as error:
            problems.append(Problem(case.source, case.line, 1, str(error)))
    steps: list[Step] = []
    lines: list[int] = []
    for number, step in enumerate(job.steps):
        line = case.step_lines[number] if number < len(case.step_lines) else case.line
        try:
            made = _steps(book, step)
        except OwnSentenceError as error:
            problems.append(Problem(case.source, line, 1, str(error)))
            continue
        steps += made
        lines += [line] * len(made)
    changed = replace(job, steps=tuple(steps), preconditions=tuple(preconditions))
    if changed == job:
        return case, problems
    request = replace(case.request, job=changed)
    if not problems:
        problems = [Problem(case.source, case.line, 1, why) for why in request_rules.find_problems(request)]
    return case._replace(request=request, step_lines=tuple(lines)), problems


def _steps(book: PhraseBook, step: Step) -> list[Step]:
    """Return the steps that a written step stands for; the first tells what was written."""
    pairs = Unfolding(book).step(step.action, step.expected)
    if pairs == ((step.action, step.expected),):
        _refuse_mistyped(book, "step", step.action)
        _refuse_mistyped(book, "expectation", step.expected)
        return [step]
    made = [
        Step(action=action, expected=expected, session=step.session, on_fail=step.on_fail) for action, expected in pairs
    ]
    told = Written(action=step.action, expected=step.expected, steps=len(made))
    return [replace(made[0], written=told), *made[1:]]


def _precondition(book: PhraseBook, text: str) -> list[str]:
    """Return the preconditions that one stands for: what is to be done and what is to be so."""
    pairs = Unfolding(book).step(text, "")
    if pairs != ((text, ""),):
        return [one for action, expected in pairs for one in (action, *expected.splitlines()) if one.strip()]
    claims = Unfolding(book).expectation(text)
    return claims.splitlines() if claims != text else [text]


def _refuse_mistyped(book: PhraseBook, kind: Kind, text: str) -> None:
    """Refuse what no phrase reads and is a slip of the pen away from a sentence of one's own.

    Raises:
        OwnSentenceError: it is.
    """
    reads = reads_action if kind == "step" else reads_expectation
    near = book.near(kind, text) if text.strip() else None
    if near and not reads(text):
        raise OwnSentenceError(f"no phrase fits «{text}».{meant(near)}")

"""Test cases as people write them, in YAML, Gherkin or Markdown: read strictly, every problem with its place."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from muster_cases.case_fields import LIMIT_KEYS, LoadedCase, Reading
from muster_cases.case_problems import CaseError, Problem
from muster_cases.gherkin_cases import read_gherkin
from muster_cases.markdown_cases import read_markdown
from muster_cases.yaml_cases import CASE_KEYS, read_yaml
from muster_protocol.requests import TestCase

__all__ = [
    "CASE_KEYS",
    "LIMIT_KEYS",
    "PHRASES_FOLDER",
    "SUFFIXES",
    "CaseError",
    "Form",
    "LoadedCase",
    "Problem",
    "load_paths",
    "load_text",
    "read_paths",
]

Form = Literal["yaml", "gherkin", "markdown"]
SUFFIXES: dict[str, Form] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".feature": "gherkin",
    ".md": "markdown",
    ".markdown": "markdown",
}
"""The files that are taken from a folder, and how they are read."""
PHRASES_FOLDER = "phrases"
"""Folders of this name hold sentences that a team teaches, and no cases."""
LARGEST = 400_000
"""Bytes of a file; reading one of this size takes two seconds."""

APART = "'app' names a file beside that of the case, and this case is in no file: run it with `muster run`"

_READERS: dict[Form, Callable[[str, str, str], Reading]] = {
    "yaml": read_yaml,
    "gherkin": read_gherkin,
    "markdown": read_markdown,
}
_NONE = {
    "yaml": "there is no test case in it; a case has 'name' and 'steps'",
    "gherkin": "there is no test case in it; a case is a Scenario of a Feature",
    "markdown": "there is no test case in it; a case is a heading with a numbered list or a table of steps below it, "
    "and a step or more with an expected result",
}


def load_text(text: str, source: str = "<text>", suite: str = "", form: Form = "yaml") -> list[LoadedCase]:
    """Return the cases of a text; `suite` is for cases that name none.

    Raises:
        CaseError: something in it is wrong, or there is no case in it.
    """
    found = _read(text, source, suite, form)
    wrong = found.problems or [Problem(case.source, case.line, 1, APART) for case in found.cases if _names_app(case)]
    if wrong:
        raise CaseError(wrong)
    if not found.cases:
        raise CaseError([Problem(source, 0, 0, _NONE[form])])
    return found.cases


def load_paths(paths: Iterable[Path | str]) -> list[LoadedCase]:
    """Return the cases of files and, in the order of their names, of all files of cases below folders.

    A case that names no suite gets the name of the folder its file is in. A file named twice is read once. Markdown
    files below a folder that hold no case (a README) are left out.

    Raises:
        CaseError: the problems of all files together.
    """
    found = read_paths(paths)
    if found.problems:
        raise CaseError(found.problems)
    return found.cases


def read_paths(paths: Iterable[Path | str]) -> Reading:
    """Return the cases of files and folders as `load_paths` does, and beside them all that is wrong."""
    readings: dict[Path, Reading] = {}
    wrong: list[Problem] = []
    for path in map(Path, paths):
        inside = list(_files(path))
        for file, named in inside:
            found = readings.get(file.resolve()) or _read_file(file)
            readings[file.resolve()] = found
            if named and not found.cases and not found.problems:
                wrong.append(Problem(str(file), 0, 0, _NONE[_form(file)]))
        if not any(readings[file.resolve()] != ([], []) for file, _ in inside):
            wrong += _nothing(path, inside)
    wrong += [problem for reading in readings.values() for problem in reading.problems]
    return Reading([case for reading in readings.values() for case in reading.cases], wrong)


def _names_app(case: LoadedCase) -> bool:
    job = case.request.job
    return isinstance(job, TestCase) and job.device is not None and bool(job.device.source)


class _File(NamedTuple):
    path: Path
    named: bool
    """It must hold a case: it was named itself, or is of a kind that holds nothing else."""


def _nothing(path: Path, inside: list[_File]) -> list[Problem]:
    """Return what to say of a path at which no case was found, unless it is said already."""
    if not path.exists():
        return [Problem(str(path), 0, 0, "there is no such file or folder")]
    if not inside:
        kinds = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
        return [Problem(str(path), 0, 0, f"there is no file of test cases in this folder ({kinds})")]
    if any(file.named for file in inside):
        return []
    return [Problem(str(path), 0, 0, "there is no test case in the Markdown files of this folder")]


def _files(path: Path) -> Iterator[_File]:
    """Yield the file, or those below a folder; what is hidden (`.git`, `.venv`) and folders of phrases are left out."""
    if path.is_file():
        yield _File(path, named=True)
        return
    for file in sorted(path.rglob("*")):
        parts = file.relative_to(path).parts
        left_out = PHRASES_FOLDER in parts[:-1] or any(part.startswith(".") for part in parts)
        if file.suffix.lower() in SUFFIXES and file.is_file() and not left_out:
            yield _File(file, named=_form(file) != "markdown")


def _form(path: Path) -> Form:
    return SUFFIXES.get(path.suffix.lower(), "yaml")


def _read_file(path: Path) -> Reading:
    try:
        if (size := path.stat().st_size) > LARGEST:
            return _too_large(str(path), size)
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        return Reading([], [Problem(str(path), 0, 0, f"cannot be read as UTF-8 text: {error}")])
    return _with_apps(_read(text, str(path), path.resolve().parent.name, _form(path)), path.parent)


def _with_apps(reading: Reading, folder: Path) -> Reading:
    """Return the cases with the texts of the apps that they name, each a file beside that of the case."""
    cases, problems = list[LoadedCase](), list(reading.problems)
    for case in reading.cases:
        job = case.request.job
        if not isinstance(job, TestCase) or job.device is None or not job.device.source:
            cases.append(case)
            continue
        file = folder / job.device.source
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeError) as error:
            problems.append(Problem(case.source, case.line, 1, f"the app {file} cannot be read: {error}"))
            continue
        device = msgspec.structs.replace(job.device, definition=text, source=str(file))
        request = msgspec.structs.replace(case.request, job=msgspec.structs.replace(job, device=device))
        cases.append(case._replace(request=request))
    return Reading(cases, problems)


def _read(text: str, source: str, suite: str, form: Form) -> Reading:
    size = len(text.encode(errors="surrogatepass"))
    return _too_large(source, size) if size > LARGEST else _READERS[form](text, source, suite)


def _too_large(source: str, size: int) -> Reading:
    said = f"has {size:,} bytes; {LARGEST:,} are the most, so put the cases into several files"
    return Reading([], [Problem(source, 0, 0, said)])

"""Loads test cases from YAML, Gherkin and Markdown, strictly: each problem comes with file, line and column."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from muster_cases.case_fields import LIMIT_KEYS, LoadedCase, Reading
from muster_cases.case_problems import CaseError, Problem
from muster_cases.gherkin_cases import read_gherkin
from muster_cases.markdown_cases import read_markdown
from muster_cases.yaml_cases import CASE_KEYS, read_yaml
from muster_protocol.stored_cases import CaseFormat
from muster_text.unreadable import why_unreadable

__all__ = [
    "CASE_KEYS",
    "LIMIT_KEYS",
    "PHRASES_FOLDER",
    "SUFFIXES",
    "CaseError",
    "LoadedCase",
    "Problem",
    "case_files",
    "form_of",
    "load_paths",
    "load_text",
    "read_as_file",
    "read_paths",
]

SUFFIXES: dict[str, CaseFormat] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".feature": "gherkin",
    ".md": "markdown",
    ".markdown": "markdown",
}
"""The files of a folder that are loaded, with their formats."""
PHRASES_FOLDER = "phrases"
"""Folders of this name hold sentences that a team teaches, and no cases."""
LARGEST = 400_000
"""Bytes per file; reading that many takes two seconds."""

APP_NEEDS_FILE = "'app' names a file next to the case file, and this case has no file: run it with `muster run`"

_READERS: dict[CaseFormat, Callable[[str, str, str], Reading]] = {
    "yaml": read_yaml,
    "gherkin": read_gherkin,
    "markdown": read_markdown,
}
_NO_CASE = {
    "yaml": "no test case found; a case has 'name' and 'steps'",
    "gherkin": "no test case found; a case is a Scenario in a Feature",
    "markdown": "no test case found; a case is a heading with a numbered list or a table of steps below it, "
    "at least one of them with an expected result",
}


def load_text(text: str, source: str = "<text>", suite: str = "", form: CaseFormat = "yaml") -> list[LoadedCase]:
    """Return the cases in a text; `suite` is the default suite.

    Raises:
        CaseError: the text is invalid or has no case.
    """
    found = _read(text, source, suite, form)
    needs_file = [Problem(case.source, case.line, 1, APP_NEEDS_FILE) for case in found.cases if _names_app(case)]
    if wrong := found.problems or needs_file:
        raise CaseError(wrong)
    if not found.cases:
        raise CaseError([Problem(source, 0, 0, _NO_CASE[form])])
    return found.cases


def load_paths(paths: Iterable[Path | str]) -> list[LoadedCase]:
    """Return the cases of files and of all case files below folders, in the order of their names.

    The default suite is the name of the file's folder. A file named twice is read once. Markdown files below a folder
    may have no case (a README).

    Raises:
        CaseError: has the problems of all files.
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
                wrong.append(Problem(str(file), 0, 0, _NO_CASE[form_of(file)]))
        if not any(readings[file.resolve()] != ([], []) for file, _ in inside):
            wrong += _problems_without_case(path, inside)
    wrong += [problem for reading in readings.values() for problem in reading.problems]
    return Reading([case for reading in readings.values() for case in reading.cases], wrong)


def case_files(paths: Iterable[Path | str]) -> list[Path]:
    """Return files, and all case files below folders, each once; Markdown files below a folder only with a case."""
    files = [file for path in map(Path, paths) for file in _files(path)]
    return [file.path for file in dict.fromkeys(files) if file.named or _read_file(file.path).cases]


def _names_app(case: LoadedCase) -> bool:
    device = case.test_case.device
    return device is not None and bool(device.source)


class _File(NamedTuple):
    path: Path
    named: bool
    """It must have a case: the caller named it, or its format is only used for cases."""


def _problems_without_case(path: Path, inside: list[_File]) -> list[Problem]:
    """Return a problem for a path without cases, unless each of its files already has one."""
    if not path.exists():
        return [Problem(str(path), 0, 0, "there is no such file or folder")]
    if path.is_file():
        return []
    if not path.is_dir():
        return [Problem(str(path), 0, 0, "this is neither a file nor a folder; save the case in a file")]
    if not inside:
        kinds = ", ".join(f"*{suffix}" for suffix in SUFFIXES)
        return [Problem(str(path), 0, 0, f"no test case files in this folder ({kinds})")]
    if any(file.named for file in inside):
        return []
    return [Problem(str(path), 0, 0, "no test case in the Markdown files of this folder")]


def _files(path: Path) -> Iterator[_File]:
    """Yield the file, or the case files below a folder; hidden ones and folders of phrases are skipped."""
    if path.is_file():
        yield _File(path, named=True)
        return
    for file in sorted(path.rglob("*")):
        parts = file.relative_to(path).parts
        left_out = PHRASES_FOLDER in parts[:-1] or any(part.startswith(".") for part in parts)
        if file.suffix.lower() in SUFFIXES and file.is_file() and not left_out:
            yield _File(file, named=form_of(file) != "markdown")


def form_of(path: Path) -> CaseFormat:
    """Return the form that a file's name stands for."""
    return SUFFIXES.get(path.suffix.lower(), "yaml")


def _read_file(path: Path) -> Reading:
    try:
        if (size := path.stat().st_size) > LARGEST:
            return _too_large(str(path), size)
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        return Reading([], [Problem(str(path), 0, 0, f"cannot be read: {why_unreadable(error)}")])
    return read_as_file(text, path)


def read_as_file(text: str, path: Path) -> Reading:
    """Return the cases in a text as those of a file, which need not hold it yet, and what is wrong with them."""
    return _with_apps(_read(text, str(path), path.resolve().parent.name, form_of(path)), path.parent)


def _with_apps(reading: Reading, folder: Path) -> Reading:
    """Return the cases with the definitions of their apps, read from files next to the case file."""
    cases, problems = list[LoadedCase](), list(reading.problems)
    for case in reading.cases:
        job = case.test_case
        if job.device is None or not job.device.source:
            cases.append(case)
            continue
        file = folder / job.device.source
        try:
            text = file.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeError) as error:
            problems.append(
                Problem(case.source, case.line, 1, f"the app {file} cannot be read: {why_unreadable(error)}")
            )
            continue
        device = msgspec.structs.replace(job.device, definition=text, source=str(file))
        request = msgspec.structs.replace(case.request, job=msgspec.structs.replace(job, device=device))
        cases.append(case._replace(request=request))
    return Reading(cases, problems)


def _read(text: str, source: str, suite: str, form: CaseFormat) -> Reading:
    size = len(text.encode(errors="surrogatepass"))
    return _too_large(source, size) if size > LARGEST else _READERS[form](text, source, suite)


def _too_large(source: str, size: int) -> Reading:
    said = f"has {size:,} bytes, the limit is {LARGEST:,}; split the cases into several files"
    return Reading([], [Problem(source, 0, 0, said)])

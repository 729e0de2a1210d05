"""The cases that a fleet keeps: what may be stored, which case a name means, and what a run of it contains. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from muster_cases.case_loader import SUFFIXES, CaseError, LoadedCase, Problem, form_of, load_text
from muster_protocol.errors import InvalidRequest
from muster_protocol.ids import is_token
from muster_protocol.requests import RunRequest
from muster_protocol.stored_cases import (
    CASE_LABEL,
    DIGEST_LABEL,
    SHOWN_DIGITS,
    CaseFile,
    CaseOutline,
    CaseVersion,
    StoredCase,
)
from muster_text.text_match import nearest

MOST_CASES = 200
"""Cases in a stored file, since lists show the names of them all."""
SUITE = "suite:"
"""Prefix of a suite's name, where a case's name is accepted as well."""
RESERVED = frozenset({"validate", "assist"})
"""Names that are addresses of the HTTP API."""


class Wanted(NamedTuple):
    """A stored case to be run, in one of its versions."""

    case: StoredCase
    version: CaseVersion


class CheckedCase(NamedTuple):
    """A file that may be stored."""

    id: str
    file: CaseFile
    cases: tuple[CaseOutline, ...]


def id_of(file: str) -> str:
    """Return the id of the case in a file: its name without the ending.

    Raises:
        InvalidRequest: it cannot be an id.
    """
    path = Path(file)
    if path.name != file:
        raise InvalidRequest([f"{file}: a stored case has the name of a file, without a folder"])
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidRequest([f"{file}: a case is a file that ends in {', '.join(SUFFIXES)}"])
    if not is_token(path.stem) or path.stem in RESERVED:
        why = "is taken by the HTTP API" if path.stem in RESERVED else "must be 1 to 64 letters, digits, '-' or '_'"
        raise InvalidRequest([f"{file}: the name without its ending is the case's id, and {path.stem!r} {why}"])
    return path.stem


def read_stored(file: CaseFile) -> list[LoadedCase]:
    """Return the cases in a file that is stored or to be stored.

    Raises:
        CaseError: it has none, too many, or something is wrong with one.
    """
    found = load_text(file.text, file.name, file.suite, form_of(Path(file.name)))
    if len(found) > MOST_CASES:
        said = f"a stored file has at most {MOST_CASES} cases, not {len(found):,}; make several files of it"
        raise CaseError([Problem(file.name, 0, 0, said)])
    return found


def outline(cases: Iterable[LoadedCase]) -> tuple[CaseOutline, ...]:
    """Return what lists show of cases."""
    return tuple(
        CaseOutline(name=it.test_case.name, suite=it.request.suite, tags=it.test_case.tags, covers=it.test_case.covers)
        for it in cases
    )


def check_case(file: CaseFile) -> CheckedCase:
    """Return a file that may be stored, because everything in it can be run; a large file takes two seconds.

    Raises:
        InvalidRequest: it cannot be stored; each reason names its place.
    """
    return CheckedCase(id_of(file.name), file, outline(read_stored(file)))


def read_wanted(wanted: Wanted, file: CaseFile) -> list[LoadedCase]:
    """Return the cases of a version, whose file is `file`, with labels that name it.

    Raises:
        CaseError: this version of Muster cannot read it.
    """
    labels = {CASE_LABEL: wanted.case.id, DIGEST_LABEL: wanted.version.digest[:SHOWN_DIGITS]}
    return [case._replace(request=_labelled(case.request, labels)) for case in read_stored(file)]


def _labelled(request: RunRequest, labels: Mapping[str, str]) -> RunRequest:
    return replace(request, labels={**request.labels, **labels})


def choose(stored: Sequence[StoredCase], name: str, version: int = 0) -> list[Wanted]:
    """Return the stored cases that a name stands for: an id, or `suite:` and the name of a suite.

    `version` is the number of the one to run; 0: the newest.

    Raises:
        InvalidRequest: there is none; says which name is closest.
    """
    if name.startswith(SUITE):
        return _choose_suite(stored, name.removeprefix(SUITE), version)
    return [Wanted(case := find_case(stored, name), find_version(case, version))]


def find_case(stored: Sequence[StoredCase], id: str) -> StoredCase:
    """Return the stored case of an id.

    Raises:
        InvalidRequest: there is none; says which id is closest.
    """
    found = next((case for case in stored if case.id == id), None)
    if found is None:
        raise InvalidRequest([unknown("stored case", id, [case.id for case in stored])])
    return found


def find_version(case: StoredCase, number: int) -> CaseVersion:
    """Return a version of a case; 0: the newest.

    Raises:
        InvalidRequest: it has no such version.
    """
    found = next((one for one in case.versions if one.number == number), None) if number else case.newest
    if found is None:
        oldest, newest = case.versions[0].number, case.newest.number
        raise InvalidRequest([f"case {case.id!r} has no version {number}; it has {oldest} to {newest}"])
    return found


def unknown(what: str, name: str, names: Iterable[str]) -> str:
    """Return what is said of a name that is not there, with the closest one. Pure."""
    close = nearest(name, names, 1)
    return f"there is no {what} {name!r}; " + (
        f"did you mean {close[0]!r}?" if close else "`muster cases list` shows all"
    )


def _choose_suite(stored: Sequence[StoredCase], suite: str, version: int) -> list[Wanted]:
    if version:
        raise InvalidRequest(["a version belongs to a case, not to a suite"])
    found = [case for case in stored if any(one.suite == suite for one in case.cases)]
    if not found:
        suites = sorted({one.suite for case in stored for one in case.cases if one.suite})
        raise InvalidRequest([unknown("suite of stored cases", suite, suites)])
    return [Wanted(case, case.newest) for case in found]

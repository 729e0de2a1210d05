"""The newest results of stored cases, and the requirements that they cover. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from muster_client.steering import newest_runs
from muster_protocol.logs import RunRow
from muster_protocol.stored_cases import DIGEST_LABEL, SHOWN_DIGITS, CaseOutline, CaseVersion, StoredCase

CoverageState = Literal["passed", "failed", "open"]
"""`passed`: the newest runs of all cases passed; `failed`: one failed; `open`: one did not run, or is not over."""


class CaseStanding(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A case in a stored file, and its newest run."""

    case: str
    """Id of the stored case."""
    name: str
    suite: str = ""
    tags: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()
    run: str = ""
    """Its newest run; empty: it never ran, or the run is forgotten."""
    status: str = ""
    cause: str = ""
    at: float = 0.0
    """Unix seconds at which that run ended, or was asked for."""
    outdated: bool = False
    """Whether that run was not of the newest version."""


class LibraryCase(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stored case in the list of them all."""

    id: str
    file: str
    newest: CaseVersion
    cases: tuple[CaseStanding, ...]


class Requirement(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A requirement, and the cases that cover it."""

    id: str
    state: CoverageState
    cases: tuple[CaseStanding, ...]


def view_library(stored: Sequence[StoredCase], rows: Iterable[RunRow]) -> tuple[LibraryCase, ...]:
    """Return stored cases with how each last ended, by id."""
    newest = {(row.suite, row.name): row for row in newest_runs(rows)}
    return tuple(
        LibraryCase(
            id=case.id,
            file=case.file,
            newest=case.newest,
            cases=tuple(_standing(case, one, newest) for one in case.cases),
        )
        for case in stored
    )


def view_requirements(library: Iterable[LibraryCase]) -> tuple[Requirement, ...]:
    """Return the requirements that stored cases cover, by id."""
    covering: dict[str, list[CaseStanding]] = {}
    for case in library:
        for standing in case.cases:
            for requirement in standing.covers:
                covering.setdefault(requirement, []).append(standing)
    return tuple(Requirement(id=id, state=_state(cases), cases=tuple(cases)) for id, cases in sorted(covering.items()))


def _standing(case: StoredCase, one: CaseOutline, newest: Mapping[tuple[str, str], RunRow]) -> CaseStanding:
    row = newest.get((one.suite, one.name))
    told = CaseStanding(case=case.id, name=one.name, suite=one.suite, tags=one.tags, covers=one.covers)
    if row is None:
        return told
    return replace(
        told,
        run=row.run,
        status=row.status,
        cause=row.cause,
        at=row.ended_at or row.requested_at,
        outdated=row.labels.get(DIGEST_LABEL) != case.newest.digest[:SHOWN_DIGITS],
    )


def _state(cases: Sequence[CaseStanding]) -> CoverageState:
    """Return how well a requirement stands; a pass of an earlier version proves nothing of the newest."""
    if any(case.status == "fail" for case in cases):
        return "failed"
    return "passed" if all(case.status == "pass" and not case.outdated for case in cases) else "open"

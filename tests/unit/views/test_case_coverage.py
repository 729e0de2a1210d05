"""Which cases cover a requirement, and how it stands."""

import pytest

from muster_protocol.logs import RunRow, RunStatus
from muster_protocol.stored_cases import CaseOutline, CaseVersion, StoredCase
from muster_views.case_coverage import view_library, view_requirements


def stored(id: str, *covers: str) -> StoredCase:
    outline = CaseOutline(name=f"Case {id}", suite="shop", covers=covers)
    return StoredCase(id=id, file=f"{id}.yaml", cases=(outline,), versions=(CaseVersion(number=1, digest="f" * 64),))


def ran(id: str, status: RunStatus, at: float = 1.0, digest: str = "f" * 12) -> RunRow:
    labels = {"case_digest": digest} if digest else {}
    return RunRow(run=f"run-{id}-{at}", name=f"Case {id}", suite="shop", status=status, requested_at=at, labels=labels)


CASES = [stored("A", "REQ-7"), stored("B", "REQ-7", "REQ-8"), stored("C")]


@pytest.mark.parametrize(
    ("rows", "states"),
    [
        ([], ["open", "open"]),
        ([ran("A", "pass"), ran("B", "pass")], ["passed", "passed"]),
        ([ran("B", "pass")], ["open", "passed"]),
        ([ran("A", "fail"), ran("B", "pass")], ["failed", "passed"]),
        ([ran("A", "fail"), ran("A", "pass", at=2.0), ran("B", "pass")], ["passed", "passed"]),
        ([ran("A", "pass"), ran("A", "fail", at=2.0), ran("B", "running")], ["failed", "open"]),
        ([ran("A", "pass"), ran("B", "pass", digest="e" * 12)], ["open", "open"]),
        ([ran("A", "pass", digest=""), ran("B", "pass")], ["open", "passed"]),
    ],
)
def test_a_requirement_has_passed_if_all_its_cases_did_in_their_newest_version(rows: list[RunRow], states: list[str]):
    found = view_requirements(view_library(CASES, rows))
    assert [one.id for one in found] == ["REQ-7", "REQ-8"]
    assert [one.state for one in found] == states
    assert [one.case for one in found[0].cases] == ["A", "B"]


def test_a_case_without_a_run_is_listed_too():
    (never, *_) = view_library(CASES, [])
    assert (never.cases[0].run, never.cases[0].outdated) == ("", False)

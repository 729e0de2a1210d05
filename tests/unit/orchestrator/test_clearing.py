"""Which artifacts go, decided."""

from muster_orchestrator.artifact_cleanup import excess_bytes, find_orphans


def test_artifacts_go_whose_run_has_no_log_and_is_not_under_way() -> None:
    names = ["run-1/a", "run-10/a", "run-2/b/c", "run-3/d", "loose"]
    assert find_orphans(names, ["run-1", "run-4"], ["run-3"]) == ["run-10/a", "run-2/b/c", "loose"]


def test_a_store_is_emptied_to_four_fifths_once_nine_tenths_are_used() -> None:
    assert excess_bytes(900, 1000) == 0
    assert excess_bytes(901, 1000) == 101
    assert excess_bytes(10**12, 0) == 0
    assert excess_bytes(10**12, -1) == 0

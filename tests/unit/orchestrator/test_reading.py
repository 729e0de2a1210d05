"""Logs as they are found: written by a newer version, damaged, or parked until something happens."""

import pytest
from driven import Driven, a_case

from muster_bus import Stored
from muster_orchestrator.machine import Run, fold
from muster_orchestrator.run_loader import decode_entries
from muster_orchestrator.snapshot_store import run_schema_digest
from muster_orchestrator.sweeper import find_parking, should_wake
from muster_protocol import codec
from muster_protocol.errors import NewerVersion
from muster_protocol.events import Entry, GivenUp, OwnerChanged, Parked, VerdictReached, Woken

PARKED = Parked(reason="it is paused", until=1000.0)


def stored(driven: Driven, **damaged: bytes) -> list[Stored]:
    """Return a log as it is stored, some messages of it (`m3`) with other bytes."""
    found = [codec.encode(entry) for entry in driven.entries]
    return [Stored(seq, "muster.runs.run-1.events", damaged.get(f"m{seq}", it)) for seq, it in enumerate(found, 1)]


def test_a_log_that_can_be_read_is_read_as_it_is():
    driven = Driven.planned(a_case("One is seen"))
    assert list(decode_entries(stored(driven), Run())) == driven.entries


def test_an_entry_of_a_newer_version_is_not_touched():
    driven = Driven.planned(a_case("One is seen"))
    log = [*stored(driven), Stored(9, "muster.runs.run-1.events", b"?", codec.VERSION + 1)]
    with pytest.raises(NewerVersion, match=r"message 9 of muster.runs.run-1.events is of version 2"):
        list(decode_entries(log, Run()))


@pytest.mark.parametrize("damage", [b"", b"\xff\x00", b"{}", b'{"epoch":1,"at":2.0,"events":[{"type":"danced"}]}'])
def test_a_run_whose_log_is_damaged_is_given_up_and_the_message_is_named(damage: bytes):
    driven = Driven.planned(a_case("One is seen"))
    found = list(decode_entries(stored(driven, m2=damage), Run()))
    assert [type(event) for event in found[1].events] == [GivenUp]
    run = fold(Run(), found)
    assert run.given_up.startswith("message 2 of the run's log cannot be read (")
    driven.run = run
    driven.happens(OwnerChanged(owner="b", epoch=2, message=1, delivery=2))
    assert driven.verdict.summary.startswith("given up: message 2 of the run's log cannot be read")
    assert len(driven.logged(VerdictReached)) == 1


def test_a_damaged_entry_keeps_the_time_and_the_owner_of_the_one_before():
    driven = Driven.planned(a_case("One is seen"))
    found = list(decode_entries(stored(driven, m3=b"?"), Run()))
    assert (found[2].epoch, found[2].at) == (found[1].epoch, found[1].at)


def test_reading_on_from_a_snapshot_gives_the_same_also_over_a_damaged_entry():
    driven = Driven.planned(a_case("One is seen"))
    log = stored(driven, m3=b"?")
    whole = fold(Run(), decode_entries(log, Run()))
    for cut in range(len(log) + 1):
        start = fold(Run(), decode_entries(log[:cut], Run()))
        assert fold(start, decode_entries(log[cut:], start)) == whole


def test_a_shape_is_the_same_each_time_and_short():
    assert run_schema_digest() == run_schema_digest()
    assert len(run_schema_digest()) == 16


def test_a_run_is_parked_only_if_its_newest_entry_ends_with_that():
    def entry(*events: object) -> Entry:
        return Entry(epoch=1, at=1.0, events=events)  # pyright: ignore

    assert find_parking(entry(Woken(), PARKED)) == PARKED
    assert find_parking(entry(PARKED, Woken())) is None
    assert find_parking(entry()) is None
    assert find_parking(None) is None


@pytest.mark.parametrize(
    ("known", "newest", "now", "expected"),
    [
        ("", "", 999.0, False),
        ("c1", "c1", 999.0, False),
        ("c1", "c2", 999.0, True),
        ("", "c1", 999.0, True),
        ("c1", "c1", 1000.0, True),
    ],
)
def test_a_parked_run_goes_on_when_something_new_is_asked_or_its_time_is_up(
    known: str, newest: str, now: float, expected: bool
):
    assert should_wake(PARKED, known, newest, now) == expected


def test_a_run_parked_without_an_end_waits_for_ever():
    assert not should_wake(Parked(reason="it asks"), "c1", "c1", 1e12)


def test_a_run_parked_for_a_session_goes_on_once_it_is_no_longer_served_in_line():
    assert should_wake(Parked(reason="it waits for a session", session_host="session host"), "", "", 1.0)

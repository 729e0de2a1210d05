"""Logs of real runs, kept: every version after the one that wrote them folds them to the same and goes on the same."""

import json
from typing import get_args

import goldens
import msgspec
import pytest
from replaying import Replay, follows, replay

from muster_bus.run_store import find_verdict
from muster_orchestrator.machine import Run, fold
from muster_orchestrator.snapshot_store import Snapshot, build_snapshot
from muster_protocol import codec
from muster_protocol.events import (
    ChildrenAsked,
    Continued,
    Entry,
    Event,
    OwnerChanged,
    RunClosed,
    SubTaskEnded,
    VerdictReached,
)

RUNS = goldens.runs()


@pytest.fixture(params=RUNS)
def kept(request: pytest.FixtureRequest) -> goldens.Kept:
    return RUNS[request.param]


def test_a_log_is_read_as_it_was_written(kept: goldens.Kept):
    for line, entry in zip(kept.log, kept.entries, strict=True):
        assert codec.decode(codec.encode(entry), Entry) == entry
        if kept.version == codec.VERSION:
            assert json.loads(codec.encode(entry)) == json.loads(line)


def test_after_every_entry_the_run_is_what_it_was_and_wants_what_it_wanted(kept: goldens.Kept):
    recorded = msgspec.json.decode(kept.replay, type=Replay)
    found = replay(kept.entries)

    assert (found.verdict, found.nodes) == (recorded.verdict, recorded.nodes)
    for number, (now, then) in enumerate(zip(found.moments, recorded.moments, strict=True), 1):
        meant = f"after entry {number}; if it is meant to, see tests/golden/README.md"
        assert now.wants == then.wants, f"the run wants something else {meant}"
        assert now.state == then.state, f"something else is known of the run {meant}"


def test_told_what_happened_the_machine_writes_the_same_log_again(kept: goldens.Kept):
    recorded = msgspec.json.decode(kept.replay, type=Replay)

    assert follows(kept.entries) == recorded.follows


def test_a_snapshot_taken_anywhere_and_the_rest_of_the_log_are_the_whole_log(kept: goldens.Kept):
    entries = kept.entries
    whole = fold(Run(), entries)
    for cut in range(len(entries) + 1):
        taken = codec.encode(build_snapshot(fold(Run(), entries[:cut]), cut))
        assert fold(codec.decode(taken, Snapshot).run, entries[cut:]) == whole


def test_a_log_with_fields_of_a_later_version_means_the_same(kept: goldens.Kept):
    later = [codec.decode(codec.encode(goldens.aged(entry)), Entry) for entry in kept.entries]

    assert later == kept.entries


def test_a_log_has_one_verdict_one_end_and_rising_epochs(kept: goldens.Kept):
    events = [event for entry in kept.entries for event in entry.events]
    owners = [event for event in events if isinstance(event, OwnerChanged)]
    epochs = [entry.epoch for entry in kept.entries]

    assert len([event for event in events if isinstance(event, VerdictReached)]) == 1
    assert isinstance(events[-1], RunClosed)
    assert fold(Run(), kept.entries).verdict == find_verdict(kept.entries)
    assert epochs == sorted(epochs)
    assert [event.epoch for event in owners] == list(range(2, len(owners) + 2))


def test_outcomes_in_the_log_are_those_the_journals_end_with(kept: goldens.Kept):
    for event in (event for entry in kept.entries for event in entry.events):
        if isinstance(event, SubTaskEnded) and kept.journals:  # runs that were played by hand have none
            told = [getattr(it, "outcome", None) for it in kept.journal(event.outcome.task)]
            assert event.outcome in told


def test_an_entry_of_a_later_version_is_refused_and_not_misread(kept: goldens.Kept):
    for line in kept.log:
        written = json.loads(line)
        written["events"].append({"type": "of_a_later_version"})
        with pytest.raises(msgspec.ValidationError, match="of_a_later_version"):
            codec.decode(json.dumps(written), Entry)


def test_every_event_happens_in_a_log_that_is_kept():
    happened = {type(event) for kept in RUNS.values() for entry in kept.entries for event in entry.events}
    unheard = {Continued, ChildrenAsked}
    """No version cuts logs yet, and no agent asks for sub-tasks of its own."""

    assert happened == set(get_args(Event)) - unheard

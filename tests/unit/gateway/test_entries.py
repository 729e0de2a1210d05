"""Entries of run logs, as any version may have written them."""

from muster_bus import Stored
from muster_gateway.entries import decode_raw_entry, known_events
from muster_protocol.events import RunClosed
from muster_views.history import TimedEvent


def test_events_of_a_newer_version_are_left_out_of_the_fold_but_kept_in_the_entry():
    entry = decode_raw_entry(
        Stored(4, "s", b'{"epoch":1,"at":2,"events":[{"type":"run_closed"},{"type":"new"},{"type":"parked"}]}')
    )
    assert entry is not None
    assert (entry.sequence, len(entry.events)) == (4, 3)
    assert known_events([entry]) == [TimedEvent(2.0, RunClosed())]
    assert decode_raw_entry(Stored(4, "s", b"no json")) is None
    assert decode_raw_entry(Stored(4, "s", b'{"events":' + b"[" * 100_000)) is None

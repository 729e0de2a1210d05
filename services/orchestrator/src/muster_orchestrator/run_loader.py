"""Reads a run back: from its snapshot and the rest of its log, or from the log alone, with the same result."""

from collections.abc import Iterable, Iterator

import msgspec
import structlog
from nats.js.errors import NotFoundError

from muster_bus import Bus, Log, Stored
from muster_orchestrator.machine import Run, fold
from muster_orchestrator.snapshot_store import Snapshot, read_snapshot
from muster_protocol import codec
from muster_protocol.errors import NewerVersion
from muster_protocol.events import Entry, GivenUp

log = structlog.get_logger("muster.orchestrator")


async def read_run(bus: Bus, events: Log, run: str) -> Run:
    """Return the fold of a run's log; `events` then appends after the newest message.

    Raises:
        NewerVersion: the log holds an entry of a newer version; leave the run to a newer orchestrator.
    """
    snapshot = await read_snapshot(bus, run)
    if snapshot is not None and not await _matches_log(bus, snapshot, events.subject):
        log.warning("snapshot does not match the run's log; ignored", run=run, sequence=snapshot.sequence)
        snapshot = None
    start = snapshot.run if snapshot else Run()
    stored = await events.read(after=snapshot.sequence if snapshot else 0)
    events.size += snapshot.size if snapshot else 0
    return fold(start, decode_entries(stored, start))


async def _matches_log(bus: Bus, snapshot: Snapshot, subject: str) -> bool:
    """Return whether the log still has the entry that the snapshot was made after: same subject, time and epoch."""
    try:
        found = await bus.js.get_msg(bus.names.stream("RUNS"), seq=snapshot.sequence)
        entry = codec.decode(found.data or b"", Entry)
    except (NotFoundError, msgspec.DecodeError):
        return False
    return (found.subject, entry.at, entry.epoch) == (subject, snapshot.run.clock.now, snapshot.run.owner.epoch)


def decode_entries(stored: Iterable[Stored], before: Run) -> Iterator[Entry]:
    """Yield the entries of a run's log; replace an unreadable one by `GivenUp`. Pure.

    Raises:
        NewerVersion: an entry is of a newer version.
    """
    epoch, at = before.owner.epoch, before.clock.now
    for message in stored:
        if message.version > codec.VERSION:
            raise NewerVersion(
                f"message {message.seq} of {message.subject} is of version {message.version}; "
                f"this orchestrator reads up to version {codec.VERSION}"
            )
        try:
            entry = codec.decode(message.data, Entry)
        except msgspec.DecodeError as error:
            reason = f"message {message.seq} of the run's log cannot be read ({error})"
            log.error("run log is damaged; giving the run up", log=message.subject, reason=reason)
            entry = Entry(epoch=epoch, at=at, events=(GivenUp(reason=reason),))
        epoch, at = entry.epoch, entry.at
        yield entry

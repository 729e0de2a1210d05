"""Reads what was found out about runs after their end."""

from muster_bus import Bus, Rows
from muster_bus.store_answers import NotAvailable
from muster_protocol.notes import Note


async def read_notes(bus: Bus, run: str) -> tuple[Note, ...]:
    """Return the notes beside a run, oldest first; none in a fleet that was provisioned by an earlier version.

    Raises:
        BusError, NatsError, TimeoutError: they cannot be read now.
    """
    try:
        found = await Rows(bus, "NOTES", Note, f"{run}.").all()
    except NotAvailable:
        return ()
    return tuple(sorted(found, key=lambda note: (note.at, note.source)))

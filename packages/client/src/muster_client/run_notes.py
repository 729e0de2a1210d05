"""Reads notes about finished runs."""

from muster_bus import Bus, Rows
from muster_bus.store_answers import NotAvailable
from muster_client.watch_requests import CLASSIFICATIONS
from muster_protocol.notes import Note


async def read_notes(bus: Bus, run: str) -> tuple[Note, ...]:
    """Return the notes beside a run, oldest first; none in a fleet that was provisioned by an earlier version.

    Raises:
        BusError, NatsError, TimeoutError: they cannot be read now.
    """
    found = await _read(bus, f"{run}.")
    return tuple(sorted(found, key=lambda note: (note.at, note.source)))


async def list_watch_notes(bus: Bus) -> tuple[Note, ...]:
    """Return what agents of triggers have found events and times to be, newest first.

    Raises:
        BusError, NatsError, TimeoutError: they cannot be read now.
    """
    found = [note for note in await _read(bus, "") if note.severity and note.classification in CLASSIFICATIONS]
    return tuple(sorted(found, key=lambda note: (-note.at, note.source)))


async def _read(bus: Bus, under: str) -> list[Note]:
    try:
        return list(await Rows(bus, "NOTES", Note, under).all())
    except NotAvailable:
        return []

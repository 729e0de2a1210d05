"""Keeps findings about another run as a note beside that run."""

from muster_bus import Bus, Rows
from muster_bus.run_store import find_verdict, read_entries
from muster_orchestrator.bounded_tries import try_to_store
from muster_protocol.notes import Note


async def keep_note(bus: Bus, note: Note) -> str:
    """Keep a note of a run that is over; return why it was not kept, or "". Calling again is harmless."""
    without_run = ""

    async def keep() -> None:
        nonlocal without_run
        if find_verdict(await read_entries(bus, note.run)) is None:
            without_run = f"{note.run} is not over, or its log is gone"
        else:
            await Rows(bus, "NOTES", Note).put(note.key, note)

    failed = await try_to_store(keep, f"a note about {note.run} was not kept", note.source)
    return failed or without_run

"""Keeps the findings of an assignment about another run as a note beside that run."""

from typing import cast

from muster_bus import Bus, Rows
from muster_bus.run_store import find_verdict, read_entries
from muster_orchestrator.bounded_tries import try_to_store
from muster_protocol.analyses import AnalyseOutput
from muster_protocol.kinds import AssignOutput
from muster_protocol.notes import Note
from muster_protocol.requests import Analysis, Assignment, RunRequest
from muster_protocol.verdicts import Verdict

UNSEEN = ("unclear", "unknown")
"""Classification and severity of what a trigger's agent could not look at, which may be anything."""
LONGEST_CLASS = 40
"""Characters of a classification."""


def note_of(request: RunRequest, verdict: Verdict) -> Note | None:
    """Return the note that a run's end makes; None: it is none. Pure.

    What a trigger has had an agent look at leaves one beside the agent's own run, unless it was about another run.
    """
    job = request.job
    if isinstance(job, Analysis):
        return _note_of_analysis(job, verdict)
    if not isinstance(job, Assignment) or not (job.notes_on or job.role):
        return None
    if not verdict.results and not job.role:
        return None  # an alert that nobody came to look at is noted, too
    found = verdict.results[-1].assigned if verdict.results else AssignOutput()
    kept = tuple(it for it in found.findings if not it.unread)
    classified = cast("dict[str, object]", found.output) if isinstance(found.output, dict) else {}
    return Note(
        run=job.notes_on or verdict.run,
        source=verdict.run,
        agent=job.agent,
        at=verdict.ended_at,
        status="done" if verdict.achieved else "failed",
        summary=verdict.summary,
        findings=kept,
        left_out=len(found.findings) - len(kept),
        cost=verdict.usage.cost,
        classification=str(classified.get("classification") or UNSEEN[0])[:LONGEST_CLASS] if job.role else "",
        severity=str(classified.get("severity") or UNSEEN[1])[:LONGEST_CLASS] if job.role else "",
    )


def _note_of_analysis(job: Analysis, verdict: Verdict) -> Note | None:
    output = verdict.results[-1].output if verdict.results else None
    if not isinstance(output, AnalyseOutput):
        return None  # no model was there: that says nothing of the run
    return Note(
        run=job.run,
        source=verdict.run,
        agent="analyzer",
        at=verdict.ended_at,
        status="done",
        summary=verdict.summary,
        findings=output.doubts,
        left_out=output.left_out,
        cost=verdict.usage.cost,
        classification="doubtful" if output.doubts else "no doubts",
    )


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

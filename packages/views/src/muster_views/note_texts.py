"""Notes beside runs as text. Pure."""

from muster_protocol.notes import Note
from muster_views.texts import to_one_line

LONGEST_SUMMARY, LONGEST_FINDING = 2_000, 500
"""Characters."""


def describe_note(note: Note) -> str:
    """Return a note: who found what, with each finding in a line of its own."""
    worth = ", ".join(to_one_line(it) for it in (note.classification, note.severity) if it)
    failed = "nothing found" if note.status == "failed" else ""
    told = ", ".join(filter(None, (worth, failed)))
    head = f"note of {note.agent}{f' ({told})' if told else ''}: {to_one_line(note.summary, LONGEST_SUMMARY)}"
    lines = [head, f"  found in {note.source}"] if note.source != note.run else [head]
    for it in note.findings:
        quote = f": “{to_one_line(it.quote, LONGEST_FINDING)}”" if it.quote else ""
        where = f" ({it.file or it.source})" if it.file or it.source else ""
        lines.append(f"  - {to_one_line(it.text, LONGEST_FINDING)}{quote}{where}")
    return "\n".join(lines)

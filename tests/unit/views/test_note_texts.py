"""Notes beside runs as text."""

from muster_protocol.assignments import Found
from muster_protocol.notes import Note
from muster_views.note_texts import describe_note


def test_a_note_says_who_found_what_and_where_each_text_in_one_line():
    found = (Found(text="It is\nrefused", quote="500", source="network"), Found(text="Look", file="cart.py", line=7))
    note = Note(
        run="run-1",
        source="run-2",
        agent="monitor",
        at=1.0,
        status="done",
        summary="The checkout\nis down.",
        findings=found,
        classification="incident",
        severity="critical",
    )
    assert describe_note(note).splitlines() == [
        "note of monitor (incident, critical): The checkout is down.",
        "  found in run-2",
        "  - It is refused: “500” (network)",
        "  - Look (cart.py)",
    ]

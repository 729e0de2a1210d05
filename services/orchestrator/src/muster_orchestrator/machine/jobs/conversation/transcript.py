"""The part of a conversation that the next answer knows of: bounded, so that a long chat costs no more. Pure."""

from collections.abc import Sequence

from muster_protocol.conversation_work import Spoken
from muster_text.text_match import both_ends

MOST_MESSAGES = 40
LONGEST_MESSAGE = 4_000
"""Characters of one message; a longer one loses its middle."""
MOST_CHARACTERS = 24_000
"""Characters of all messages together."""


def extend_transcript(said: Sequence[Spoken], *new: Spoken) -> tuple[Spoken, ...]:
    """Return the newest messages within the bounds, oldest first."""
    shortened = (Spoken(by=it.by, text=both_ends(it.text, LONGEST_MESSAGE)) for it in new)
    kept: list[Spoken] = []
    room = MOST_CHARACTERS
    for spoken in reversed([*said, *shortened]):
        room -= len(spoken.text)
        if room < 0 or len(kept) == MOST_MESSAGES:
            break
        kept.append(spoken)
    return tuple(reversed(kept))

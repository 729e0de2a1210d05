"""The messages of a run as a sequence diagram of a page. Pure."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from muster_views.messages import Message
from muster_views.texts import format_seconds, to_one_line

MOST_ARROWS, LONGEST = 300, 90
"""Messages of a diagram, and characters of each."""


class Arrow(Struct, frozen=True, kw_only=True):
    """A message between two parties, whose columns count from 0."""

    first: int
    last: int
    way: Literal["right", "left"]
    answers: bool
    text: str
    ended: str
    """Status of what it answers, and how long that took; empty if it answers nothing."""
    at: float


class SequenceChart(Struct, frozen=True, kw_only=True):
    """A sequence diagram: a column for each party, an arrow for each message."""

    parties: tuple[str, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    left_out: int = 0


def build_chart(messages: Sequence[Message]) -> SequenceChart:
    """Return the diagram of the first messages; parties stand in the order in which they appear."""
    shown = messages[:MOST_ARROWS]
    parties = tuple(dict.fromkeys(name for it in shown for name in (it.sender, it.recipient)))
    arrows = tuple(_arrow(it, parties.index(it.sender), parties.index(it.recipient)) for it in shown)
    return SequenceChart(parties=parties, arrows=arrows, left_out=len(messages) - len(shown))


def _arrow(message: Message, sender: int, recipient: int) -> Arrow:
    ended = (message.status, format_seconds(message.took) if message.parent else "")
    about = " ".join(filter(None, (message.type, message.node)))
    return Arrow(
        first=min(sender, recipient),
        last=max(sender, recipient),
        way="right" if recipient >= sender else "left",
        answers=bool(message.parent),
        text=f"{about}: {to_one_line(message.text, LONGEST)}",
        ended=", ".join(filter(None, ended)),
        at=message.at,
    )

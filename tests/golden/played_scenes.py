"""Logs that are played by hand on the machine: what real fleets come to seldom."""

from pathlib import Path
from typing import NamedTuple

from driven import Driven, a_case, faults, plan_of

from muster_protocol import codec, events
from muster_protocol.plans import Plan


class Stored(NamedTuple):
    """What a run left in its streams."""

    log: list[bytes]
    journals: list[tuple[str, bytes]]
    """Sub-task and stored message, in the order of the stream."""


def played(driven: Driven) -> Stored:
    """Return the log of a run that is played by hand: what real fleets come to seldom; it has no journals."""
    while driven.run.verdict is None:
        driven.ends(driven.open())
    return Stored([codec.encode(entry) for entry in driven.closes().entries], [])


async def refused(_: Path) -> Stored:
    """The plan left out a step."""
    driven = Driven(run="golden-refused")
    return played(driven.ends(driven.open("plan"), plan=Plan(nodes=())))


async def without_session(_: Path) -> Stored:
    """No session could be opened."""
    driven = Driven(run="golden-without-session")
    driven.ends(driven.open("plan"), plan=plan_of(a_case()))
    return played(driven.happens(events.SessionFailed(name="main", reason="no session host had room within 60 s")))


async def in_line(_: Path) -> Stored:
    """No host had room: the run waited in line, and went on when it was served."""
    driven = Driven(run="golden-in-line")
    driven.ends(driven.open("plan"), plan=plan_of(a_case()))
    driven.happens(events.SessionQueued(name="main", place=7))
    driven.happens(events.OwnerChanged(owner="b", epoch=2, message=2, delivery=1), events.Woken(), after=600).opens()
    for _step in range(3):
        driven.ends(driven.open())
    return played(driven)


async def timed_out(_: Path) -> Stored:
    """The time of the run was up while a sub-task was at work."""
    return played(Driven.planned(run="golden-timed-out").waits(3_700))


async def given_up(_: Path) -> Stored:
    """What the run had to store was more than the bus takes."""
    return played(Driven.planned(run="golden-given-up").happens(events.GivenUp(reason="an entry is too large")))


async def retried(_: Path) -> Stored:
    """Infrastructure failed a sub-task twice."""
    driven = Driven.planned(run="golden-retried")
    for _again in range(2):
        driven.ends(driven.open(), faults(driven.open())).waits(6)
    return played(driven)

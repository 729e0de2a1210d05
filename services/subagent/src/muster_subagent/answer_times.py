"""How long a device took to answer what was done last, and whether the machine may have had a share in that."""

import time
from typing import NamedTuple
from weakref import WeakKeyDictionary

from muster_devices.device import Device
from muster_devices.observations import ReadPlace, Wait
from muster_subagent.tool_context import Session

GLANCES, GLANCE_SHARE = 3, 0.1
"""A machine is too busy to tell whose fault a time is if the fastest of so many glances takes this share of it."""
STILL = 0.2
"""Seconds that a look may take at a screen that had settled before."""


class _Acted(NamedTuple):
    """When an action began and was over, by the monotonic clock."""

    began: float
    ended: float


_last: WeakKeyDictionary[Session, _Acted] = WeakKeyDictionary()


def note_act(session: Session, began: float) -> None:
    """Remember when the newest action of a session began (monotonic clock); it is over now."""
    _last[session] = _Acted(began, time.monotonic())


async def answer_seconds(session: Session, limit: float) -> float | None:
    """Return the seconds from the last action until the screen had settled; None: nothing was done here.

    The screen is waited for `limit` seconds at most.
    """
    acted = _last.get(session)
    if acted is None:
        return None
    began = time.monotonic()
    await (await session.device()).look(ReadPlace(), Wait(settle=limit))
    now = time.monotonic()
    return (now if now - began > STILL else acted.ended) - acted.began


async def is_busy(device: Device, seconds: float) -> bool:
    """Return whether a machine is so busy that it may have caused a delay of so many seconds itself."""
    fastest = seconds
    for _ in range(GLANCES):
        began = time.monotonic()
        await device.look(ReadPlace(), Wait())
        fastest = min(fastest, time.monotonic() - began)
    return fastest >= GLANCE_SHARE * seconds

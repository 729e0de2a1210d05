"""A second look at a screen that nobody expected, so that it is not taken for a state while it is being drawn."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection

from muster_subagent.exploring.perception import Perceived

LONGEST_SECONDS = 4.0
"""How long an awaited screen may take, or one that keeps changing, and as long again as it took to come."""
MOST_SECONDS = 10.0
"""The longest of that."""
STEADY_SECONDS = 0.4
"""For how long a screen that nobody knows has to stay at least; else as long as it took to come.

So there is time for what is drawn after a skeleton, on a busy machine, too.
"""
FIRST_STEADY_SECONDS = 1.5
"""The same of an app's first screen, which every tour has to come back to."""

See = Callable[[], Awaitable[Perceived]]


async def see_awaited(see: See, state: str, came: float) -> Perceived:
    """Return the screen once it is this state, or else what is there when the time is up.

    `came`: the seconds that the last one took to come.
    """
    here, until = await see(), time.monotonic() + LONGEST_SECONDS + min(MOST_SECONDS, came)
    while here.shape.id != state and time.monotonic() < until:
        await asyncio.sleep(STEADY_SECONDS)
        here = await see()
    return here


async def see_steady(see: See, known: Collection[str], came: float, *, first: bool) -> Perceived:
    """Return the screen at once if its state is known, otherwise once it has stopped changing.

    `came`: the seconds that it took to come.
    """
    stays = min(MOST_SECONDS, max(came, FIRST_STEADY_SECONDS if first else STEADY_SECONDS))
    here, until = await see(), time.monotonic() + LONGEST_SECONDS + stays
    while here.shape.id not in known and time.monotonic() < until:
        await asyncio.sleep(stays)
        before, here = here, await see()
        if here.shape.id == before.shape.id:
            break
    return here

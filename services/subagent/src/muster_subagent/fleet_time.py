"""The fleet's time while a worker works on a sub-task: its own machine's clock may be wrong."""

import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import date, datetime

CLOCK: ContextVar[Callable[[], float]] = ContextVar("fleet_clock", default=time.time)
"""Returns Unix seconds; each sub-task sets that of its bus."""


def fleet_time() -> float:
    """Return the time in Unix seconds."""
    return CLOCK.get()()


def today() -> date:
    """Return the day in the worker's time zone."""
    return datetime.fromtimestamp(fleet_time()).astimezone().date()

"""Refuses new runs while a stream is nearly full, so that runs in progress can finish."""

import asyncio
import time

from muster_bus import Bus
from muster_bus.levels import StreamLevel, stream_level

FULL = 0.9
"""Share of a stream's limit from which new runs are refused; the rest is reserved for runs in progress."""
MAX_AGE_SECONDS = 2.0
"""How long levels are cached."""
ADVICE = {
    "RUNS": "remove old runs or raise its limit",
    "JOURNAL": "remove old runs or raise its limit",
    "TASKS": "start more workers or raise its limit",
    "OPENINGS": "start more session hosts or raise its limit",
    "CONTROL": "remove old runs or raise its limit",
}
"""The streams a run writes to, and what to do when one is full."""


def describe_shortage(level: StreamLevel) -> str:
    """Return why a stream has no room for new runs, and what to do; "" if it has. Pure."""
    if level.full < FULL:
        return ""
    advice = ADVICE[level.stream]
    return f"stream {level.stream} is {level.full:.0%} full, so no new run is taken now: {advice}, then try again"


class RunAdmission:
    """Decides whether new runs are taken, by stream levels cached for `MAX_AGE_SECONDS`."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._lock = asyncio.Lock()
        self._shortages: tuple[str, ...] = ()
        self._read_at = float("-inf")

    async def find_shortage(self) -> str:
        """Return why no new run may be taken now, or "".

        Raises:
            NatsError, TimeoutError: the levels cannot be read now.
        """
        async with self._lock:
            if time.monotonic() - self._read_at > MAX_AGE_SECONDS:
                levels = [await stream_level(self._bus, self._bus.names.stream(name)) for name in ADVICE]
                self._shortages = tuple(text for text in map(describe_shortage, levels) if text)
                self._read_at = time.monotonic()
        return "; ".join(self._shortages)

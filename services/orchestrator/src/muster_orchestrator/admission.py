"""Is there room for new runs? Streams that fill up refuse new runs first, so that those under way can be finished."""

import asyncio
import time
from typing import NamedTuple

from nats.js.api import StreamInfo

from muster_bus import Bus

FULL = 0.9
"""Share of a stream's limit from which on no new run is taken; the rest is for the runs under way."""
SECONDS = 2.0
"""How long an answer counts."""
ADVICE = {
    "RUNS": "remove old runs or raise its limit",
    "JOURNAL": "remove old runs or raise its limit",
    "TASKS": "start more workers or raise its limit",
    "CONTROL": "remove old runs or raise its limit",
}
"""The streams a run writes to, and what to do when one is full."""


class Level(NamedTuple):
    """How much a stream holds, and may hold; a limit of 0 or less is none."""

    stream: str
    messages: int
    bytes: int
    max_messages: int
    max_bytes: int


def describe_shortage(level: Level) -> str:
    """Return why a stream has no room for new runs, and what to do; "" if it has. Pure."""
    by_messages = level.messages / level.max_messages if level.max_messages > 0 else 0.0
    by_bytes = level.bytes / level.max_bytes if level.max_bytes > 0 else 0.0
    share = max(by_messages, by_bytes)
    if share < FULL:
        return ""
    advice = ADVICE[level.stream]
    return f"stream {level.stream} is {share:.0%} full, so no new run is taken now: {advice}, then try again"


class Admission:
    """Looks at the streams, at most every few seconds, however often it is asked."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._lock = asyncio.Lock()
        self._known: tuple[str, ...] = ()
        self._looked = float("-inf")

    async def problem(self) -> str:
        """Return why no new run may be taken now, or "".

        Raises:
            NatsError, TimeoutError: it cannot be told now.
        """
        async with self._lock:
            if time.monotonic() - self._looked > SECONDS:
                levels = [_level(name, await self._bus.js.stream_info(self._bus.names.stream(name))) for name in ADVICE]
                self._known = tuple(text for text in map(describe_shortage, levels) if text)
                self._looked = time.monotonic()
        return "; ".join(self._known)


def _level(name: str, info: StreamInfo) -> Level:
    state, config = info.state, info.config
    return Level(name, state.messages, state.bytes, config.max_msgs or 0, config.max_bytes or 0)

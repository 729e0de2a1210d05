"""The wall clock of the NATS server, which the whole fleet uses because the clock of a machine may be wrong, or
jump."""

import platform
import time
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from nats.errors import Error as NatsError
from prometheus_client import Gauge

if TYPE_CHECKING:
    from muster_bus.bus import Bus

MOST_SKEW = 30.0
"""Seconds that a machine's clock may be away from the server's before operators are told."""
ANSWER_SECONDS = 2.0
PROMPT_SECONDS = 0.5
"""An answer that took longer says too little about when it was given, unless nothing better is known."""


SKEW = Gauge("muster_clock_skew_seconds", "Seconds by which this machine's clock is ahead of the NATS server's")


class _Told(Struct):
    """What of an answer about a stream is of use here."""

    ts: datetime


class ServerClock:
    """Goes on by this process's monotonic clock from what the server told last."""

    def __init__(self) -> None:
        self._ahead: float | None = None
        """The server's Unix seconds less this process's monotonic ones."""

    def now(self) -> float:
        """Return the server's time in Unix seconds; by the machine's own clock as long as the server has told none."""
        return time.time() if self._ahead is None else time.monotonic() + self._ahead

    @property
    def skew(self) -> float:
        """Seconds by which this machine's clock is ahead of the server's (negative: behind); 0 until it is known."""
        return 0.0 if self._ahead is None else time.time() - self.now()

    @property
    def warning(self) -> str:
        """What is wrong with this machine's clock, for operators; empty if nothing is."""
        if abs(self.skew) < MOST_SKEW:
            return ""
        apart = f"{abs(self.skew):.0f} s {'ahead of' if self.skew > 0 else 'behind'} the NATS server's"
        kept = "the fleet goes by the server's, but browsers and commands here do not"
        return f"the clock of {platform.node()} is {apart}: {kept}; set both by NTP"

    def learn(self, told: float, asked: float, answered: float) -> None:
        """Take note of the server's time, told between two moments of this process's monotonic clock."""
        if self._ahead is None or answered - asked < PROMPT_SECONDS:
            self._ahead = told - (asked + answered) / 2


async def read_server_clock(bus: "Bus") -> None:
    """Ask the server for its time, for `bus.clock`.

    Raises:
        NatsError, TimeoutError, msgspec.DecodeError: it does not tell it now.
    """
    asked = time.monotonic()
    reply = await bus.nc.request(f"$JS.API.STREAM.INFO.KV_{bus.names.bucket('WORKERS')}", b"", timeout=ANSWER_SECONDS)
    bus.clock.learn(msgspec.json.decode(reply.data, type=_Told).ts.timestamp(), asked, time.monotonic())


async def set_clock(bus: "Bus") -> None:
    """Set the fleet's clock, if the server tells its time now; else it goes on as it is."""
    with suppress(TimeoutError, NatsError, msgspec.DecodeError):
        await read_server_clock(bus)
    SKEW.set(bus.clock.skew)


__all__ = ["ServerClock", "read_server_clock", "set_clock"]

"""The wall clock of the NATS server, which the whole fleet uses because the clock of a machine may be wrong, or
jump."""

import time
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from muster_bus.connection import Bus

ANSWER_SECONDS = 2.0
PROMPT_SECONDS = 0.5
"""An answer that took longer says too little about when it was given, unless nothing better is known."""


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


__all__ = ["ServerClock", "read_server_clock"]

"""Pull requests to a durable consumer: how many messages are requested, and which requests were lost."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_bus.bus import Bus
from muster_bus.store_answers import MISSING, describe_error
from muster_protocol import codec

log = structlog.get_logger("muster.bus")

DRAIN_SECONDS = 4.0
"""Longest wait at stop for messages that the server has sent already; the rest is redelivered after ack_wait."""
SETTLE_SECONDS = 0.1
"""Age at which a pull request counts as answered; a message sent to a closed inbox is redelivered after ack_wait."""


class Pull:
    """Pull requests to one durable consumer, on one inbox; counts what is requested, so as not to exceed the slots."""

    EXPIRES = 5.0
    """Seconds until a pull request expires."""
    BEAT = 1.0
    """Seconds between the server's heartbeats while requests wait; silence means that a request was lost."""
    LATE = 1.0
    """Seconds that the notice of an expiry may take."""

    def __init__(self, bus: Bus, stream: str, consumer: str, arrived: Callable[[Msg], None]) -> None:
        self._bus, self._arrived = bus, arrived
        self._what = f"consumer {stream}/{consumer}"
        self._api = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._inbox = bus.nc.new_inbox()
        self._sub: Subscription | None = None
        self._asked: deque[tuple[float, int]] = deque()
        """(when, how many are still owed) of each request, oldest first; the server serves them in that order."""
        self._heard = self._wait_until = 0.0

    async def start(self) -> None:
        """Subscribe to the inbox; nothing is requested yet."""
        self._sub = await self._bus.nc.listen(self._inbox, self._on_message)

    async def stop(self) -> None:
        """Unsubscribe; messages that the server has sent already still go to `arrived`."""
        if self._sub is not None and self._bus.nc.is_connected:
            with suppress(TimeoutError, NatsError):
                await self._wait_settled()
                await asyncio.wait_for(self._sub.drain(), DRAIN_SECONDS)

    async def _wait_settled(self) -> None:
        """Let the server answer a request just made; an answer after that would be lost with the inbox."""
        if self._asked:
            await asyncio.sleep(self._asked[-1][0] + SETTLE_SECONDS - time.monotonic())

    async def ask(self, wanted: int) -> None:
        """Request messages until `wanted` are requested in all."""
        now = time.monotonic()
        while self._asked and now - self._asked[0][0] > self.EXPIRES + self.LATE:
            self._asked.popleft()
        if self._asked and now - max(self._heard, self._asked[-1][0]) > 1.5 * self.BEAT:
            self.forget()
        missing = wanted - sum(owed for _, owed in self._asked)
        if missing > 0 and now >= self._wait_until and self._bus.nc.is_connected:
            self._asked.append((now, missing))
            expires = min(1.0, self.EXPIRES) if self._bus.problems.has(self._what) else self.EXPIRES
            beat = min(self.BEAT, expires / 2)
            body = codec.encode({"batch": missing, "expires": int(expires * 1e9), "idle_heartbeat": int(beat * 1e9)})
            try:
                await self._bus.nc.publish(self._api, body, reply=self._inbox)
            except NatsError as error:
                self.forget()
                log.warning(
                    "cannot request work from NATS; trying again", consumer=self._what, error=describe_error(error)
                )

    def forget(self) -> None:
        """Forget all requests: they end with the connection."""
        self._asked.clear()

    def _on_message(self, message: Msg) -> None:
        self._heard = time.monotonic()
        if (message.reply or "").startswith("$JS.ACK."):
            self._bus.problems.resolve(self._what)
            self._mark_served(1)
            self._arrived(message)
            return
        headers = message.headers or {}
        status = headers.get("Status", "")
        if status == "100":
            return
        self._mark_served(int(headers.get("Nats-Pending-Messages", 1)))
        if status in ("404", "408"):
            self._bus.problems.resolve(self._what)
            return
        self.forget()
        self._wait_until = time.monotonic() + 1.0
        reason = (headers.get("Description") or "").strip().partition("\n")[0]
        if status == "503" or reason == "Consumer Deleted":
            reason = MISSING
        self._bus.problems.report(self._what, f"cannot pull work: {reason}")

    def _mark_served(self, count: int) -> None:
        while count > 0 and self._asked:
            when, owed = self._asked.popleft()
            if owed > count:
                self._asked.appendleft((when, owed - count))
            count -= owed

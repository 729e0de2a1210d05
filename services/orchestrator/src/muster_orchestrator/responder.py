"""Answers requests on a subject as a member of a queue group, each in its own task."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import structlog
from msgspec import Struct
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_bus.faults import FAULTS
from muster_protocol.submit_replies import Rejected

log = structlog.get_logger("muster.orchestrator")

QUEUE_GROUP = "orchestrators"
FINISH_SECONDS = 5.0
WHERE = "requests"
FAILED = Rejected(reasons=("an internal error of the orchestrator; see its log",), kind="busy")


class Responder:
    """Replies to each request on a subject with what `answer` returns; NATS gives a request to one orchestrator.

    Whoever asks gets a reply whatever happens: that of an error that nobody foresaw is `FAILED`.
    """

    def __init__(self, bus: Bus, subject: str, answer: Callable[[Msg], Coroutine[Any, Any, Struct]]) -> None:
        self._bus, self._subject, self._answer = bus, subject, answer
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None
        FAULTS.labels(WHERE)  # create it at 0, so that the first count is an increase

    async def start(self) -> None:
        """Subscribe."""
        self._subscription = await self._bus.nc.subscribe(self._subject, queue=QUEUE_GROUP, cb=self._on_request)
        await self._bus.flush_subscriptions()

    async def stop(self) -> None:
        """Take no more requests, and finish those being answered."""
        if self._subscription is not None and self._bus.nc.is_connected:
            await self._subscription.unsubscribe()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FINISH_SECONDS)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine beside the answers; `stop` waits for it, too."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _on_request(self, message: Msg) -> None:
        self.spawn(self._respond(message))

    async def _respond(self, message: Msg) -> None:
        try:
            reply = await self._answer(message)
        except Exception:
            FAULTS.labels(WHERE).inc()
            log.exception("request failed with an unexpected error; no answer sent", subject=self._subject)
            reply = FAILED
        with suppress(NatsError):
            await self._bus.respond(message, reply)

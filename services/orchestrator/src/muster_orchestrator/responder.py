"""Answers what is asked on a subject, as one of a queue group; each request in a task of its own."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from muster_bus import Bus

QUEUE_GROUP = "orchestrators"
FINISH_SECONDS = 5.0


class Responder:
    """Hands each message of a subject to `answer`; any orchestrator may get any of them."""

    def __init__(self, bus: Bus, subject: str, answer: Callable[[Msg], Coroutine[Any, Any, None]]) -> None:
        self._bus, self._subject, self._answer = bus, subject, answer
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Begin to answer."""
        self._subscription = await self._bus.nc.subscribe(self._subject, queue=QUEUE_GROUP, cb=self._asked)
        await self._bus.subscribed()

    async def stop(self) -> None:
        """Stop answering; what is being answered is finished."""
        if self._subscription is not None and self._bus.nc.is_connected:
            await self._subscription.unsubscribe()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FINISH_SECONDS)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done beside an answer; `stop` waits for it, too."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _asked(self, message: Msg) -> None:
        self.spawn(self._answer(message))

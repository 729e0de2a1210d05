"""Answers those who ask to settle dead letters; any orchestrator may answer any request."""

import asyncio
from contextlib import suppress

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_orchestrator.intake import QUEUE_GROUP
from muster_protocol import codec
from muster_protocol.bus import Bus
from muster_protocol.dead_settling import DeadNotSettled, SettleDead, SettleReply, settle

log = structlog.get_logger("muster.orchestrator")


class Settling:
    """Puts dead letters back, or forgets them, for services that may not write to the queues themselves."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Begin to answer."""
        subject = self._bus.names.dead_letters
        self._subscription = await self._bus.nc.subscribe(subject, queue=QUEUE_GROUP, cb=self._asked)
        await self._bus.subscribed()

    async def stop(self) -> None:
        """Stop answering; what is being settled is finished."""
        if self._subscription is not None and self._bus.nc.is_connected:
            await self._subscription.unsubscribe()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5.0)

    async def _asked(self, message: Msg) -> None:
        task = asyncio.get_running_loop().create_task(self._answer(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Msg) -> None:
        reply = await self._settled(message.data)
        with suppress(NatsError):
            await self._bus.respond(message, reply)

    async def _settled(self, data: bytes) -> SettleReply:
        try:
            ask = codec.decode(data, SettleDead)
        except msgspec.DecodeError as error:
            return DeadNotSettled(reasons=(f"the request cannot be read: {error}",), kind="invalid")
        reply = await settle(self._bus, ask)
        log.info("asked to settle a dead letter", letter=ask.sequence, action=ask.action, outcome=type(reply).__name__)
        return reply

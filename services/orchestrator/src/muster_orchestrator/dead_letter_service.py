"""Answers those who ask to settle dead letters; any orchestrator may answer any request."""

from contextlib import suppress

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_bus.dead_letter_store import settle
from muster_orchestrator.responder import Responder
from muster_protocol import codec
from muster_protocol.dead_letter_requests import DeadNotSettled, SettleDead, SettleReply

log = structlog.get_logger("muster.orchestrator")


class DeadLetterService:
    """Puts dead letters back, or forgets them, for services that may not write to the queues themselves."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._answering = Responder(bus, bus.names.dead_letters, self._answer)

    async def start(self) -> None:
        """Begin to answer."""
        await self._answering.start()

    async def stop(self) -> None:
        """Stop answering; what is being settled is finished."""
        await self._answering.stop()

    async def _answer(self, message: Msg) -> None:
        reply = await self._settle(message.data)
        with suppress(NatsError):
            await self._bus.respond(message, reply)

    async def _settle(self, data: bytes) -> SettleReply:
        try:
            ask = codec.decode(data, SettleDead)
        except msgspec.DecodeError as error:
            return DeadNotSettled(reasons=(f"the request cannot be read: {error}",), kind="invalid")
        reply = await settle(self._bus, ask)
        log.info("asked to settle a dead letter", letter=ask.sequence, action=ask.action, outcome=type(reply).__name__)
        return reply

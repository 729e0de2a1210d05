"""Asking a session host: each request is repeated until it is answered, which is safe as every one is idempotent."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar, cast

from msgspec import DecodeError, Struct
from nats.errors import Error as NatsError

from muster_bus import Bus
from muster_protocol.errors import Refused
from muster_protocol.session_responses import RefusalReason, SessionError, SessionReply
from muster_protocol.sessions import Holder
from muster_subagent.tool_context import SessionLost

R = TypeVar("R", bound=Struct)
T = TypeVar("T")

ANSWER_SECONDS = 15.0
TRY_SECONDS = 5.0
AWAY_SECONDS = 2.5
"""How long a host may be away, as while it reconnects, before it counts as gone."""
BUSY_SECONDS = 0.2
"""Until a host is asked again that could not carry out a request because the bus did not answer it."""


class SessionRefused(Exception):
    """The host said no to one request; the session goes on. The message says what is wrong and what to do."""

    def __init__(self, reason: RefusalReason, text: str) -> None:
        self.reason: RefusalReason = reason
        super().__init__(text)


class HostClient:
    """What one holder asks of the host of one session."""

    def __init__(self, bus: Bus, host: str, run: str, name: str, holder: Holder) -> None:
        self._bus = bus
        self._subject = bus.names.session_host(host)
        self.host, self.run, self.name, self.holder = host, run, name, holder
        self._lost: asyncio.Future[SessionLost] = asyncio.get_running_loop().create_future()

    @property
    def lost(self) -> SessionLost | None:
        """Why the session is over for this holder, if it is."""
        return self._lost.result() if self._lost.done() else None

    def lose(self, lost: SessionLost) -> None:
        """End it for this holder: whatever is being waited for raises `lost`, and so does all that is asked later."""
        if not self._lost.done():
            self._lost.set_result(lost)

    async def unless_lost(self, doing: Awaitable[T]) -> T:
        """Return what comes of an awaitable.

        Raises:
            SessionLost: the session is over; the awaitable was cancelled.
        """
        task = asyncio.ensure_future(doing)
        try:
            await asyncio.wait({task, self._lost}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                task.cancel()
        if self.lost is not None and (task.cancelled() or not task.done()):
            raise self.lost
        return await task

    async def ask(
        self, request: Struct, kind: type[R], seconds: float = ANSWER_SECONDS, each: float = TRY_SECONDS
    ) -> R:
        """Return the answer to a request, asked again each `each` seconds until `seconds` have passed.

        Raises:
            SessionLost: the session or its host is gone, or another worker holds it.
            SessionRefused: the host said no to this request.
        """
        reply = await self.unless_lost(self._answer(request, seconds, each))
        if isinstance(reply, SessionError):
            raise self._error(reply)
        if not isinstance(reply, kind):
            raise SessionRefused("fault", f"session host {self.host} gave an answer of the wrong kind")
        return reply

    def mine(self, kind: type[R], **fields: object) -> R:
        """Return a request about this session from this holder."""
        return cast("Any", kind)(run=self.run, name=self.name, holder=self.holder, **fields)

    async def tell(self, request: Struct) -> None:
        """Send a request whose answer does not matter."""
        try:
            await self._bus.publish(self._subject, request)
        except (NatsError, OSError):
            return

    async def _answer(self, request: Struct, seconds: float, each: float) -> SessionReply:
        loop = asyncio.get_running_loop()
        began = loop.time()
        busy: SessionError | None = None
        while True:
            left = began + seconds - loop.time()
            if left <= 0:
                if busy is not None:
                    return busy
                raise self._gone(f"did not answer within {seconds:g} seconds")
            try:
                reply = await self._bus.request(self._subject, request, cast("Any", SessionReply), min(each, left))
                busy = _busy(reply)
                if busy is None:
                    return cast("SessionReply", reply)
                await asyncio.sleep(BUSY_SECONDS)
            except Refused:
                if loop.time() - began > AWAY_SECONDS:
                    raise self._gone("is gone") from None
                await asyncio.sleep(0.1)
            except TimeoutError:
                continue
            except (NatsError, DecodeError, OSError) as error:
                raise self._gone(f"cannot be asked ({type(error).__name__})") from error

    def _gone(self, what: str) -> SessionLost:
        lost = SessionLost(f"session host {self.host} {what}, and with it session {self.run}.{self.name}")
        self.lose(lost)
        return lost

    def _error(self, reply: SessionError) -> Exception:
        match reply.reason:
            case "fenced" | "no_session":
                self.lose(SessionLost(reply.text, fenced=reply.reason == "fenced"))
                return self.lost or SessionLost(reply.text)
            case reason:
                return SessionRefused(reason, reply.text)


def _busy(reply: object) -> SessionError | None:
    """Return the reply if the host says that it is busy for the moment, else None."""
    return reply if isinstance(reply, SessionError) and reply.reason == "busy" else None

"""What comes to an orchestrator from outside: requests to run something, and runs that have to go on."""

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress

import structlog
from msgspec.structs import replace
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from muster_bus import Bus, Rows, StoreRefused, newest
from muster_bus.run_store import find_request, read_entries, store_request, verdict_in
from muster_orchestrator import metrics
from muster_orchestrator.admission import Admission
from muster_orchestrator.responder import Responder
from muster_protocol import codec
from muster_protocol.errors import BusError, Busy, Conflict, InvalidRequest
from muster_protocol.logs import RunRow, queued_row
from muster_protocol.requests import Rejected, RunRequest, SubmitReply, correlated
from muster_service import tracing
from muster_text.request_rules import decode_request, prepared

log = structlog.get_logger("muster.orchestrator")

TELL_AT_ONCE = 4
"""How many logs are read at once for senders who ask for a verdict again."""


class SubmitHandler:
    """Answers `muster.submit`; any orchestrator may answer any request."""

    def __init__(self, bus: Bus, room: Admission) -> None:
        self._bus, self._room = bus, room
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._telling = asyncio.Semaphore(TELL_AT_ONCE)
        self._answering = Responder(bus, bus.names.submit, self._answer)

    async def start(self) -> None:
        """Begin to answer."""
        await self._answering.start()

    async def stop(self) -> None:
        """Stop answering; requests being answered are finished."""
        await self._answering.stop()

    async def _answer(self, message: Msg) -> None:
        with tracing.span("submit", {}, kind=tracing.SERVER, headers=message.headers):
            reply = await self._accept(message.data)
        metrics.REQUESTS.labels(type(reply).__name__.lower()).inc()
        with suppress(NatsError):
            await self._bus.respond(message, reply)

    async def _accept(self, data: bytes) -> SubmitReply:
        try:
            request = prepared(decode_request(data, self._bus.settings.muster_prefix), time.time())
            request = with_traceparent(request, tracing.carried())
            await self._refuse_if_full(request.id)
            accepted = await store_request(self._bus, request)
        except Conflict as error:
            return Rejected(reasons=error.reasons, kind="conflict")
        except InvalidRequest as error:
            return Rejected(reasons=error.reasons)
        except Busy as error:
            return Rejected(reasons=(str(error),), kind="busy")
        except (BusError, TimeoutError, NatsError) as error:
            return Rejected(reasons=(f"the request could not be stored, try again: {error}",), kind="busy")
        if not accepted.duplicate:
            await add_queued_row(self._rows, request)
        elif request.reply_to:
            self._answering.spawn(self._tell_again(request))
        return accepted

    async def _tell_again(self, request: RunRequest) -> None:
        async with self._telling:
            await resend_verdict(self._bus, request)

    async def _refuse_if_full(self, run: str) -> None:
        """Raise Busy if no new run can be taken; one that is known already is answered for as ever."""
        problem = await self._room.problem()
        if problem and await find_request(self._bus, run) is None:
            raise Busy(problem)


async def resend_verdict(bus: Bus, request: RunRequest) -> None:
    """Tell a verdict once more to a sender who asks for its run again; nobody else is told, whatever they send."""
    with suppress(BusError, TimeoutError, NatsError):
        known = await find_request(bus, request.id)
        if known is not None and known.reply_to == request.reply_to:
            verdict = verdict_in(await read_entries(bus, request.id))
            if verdict is not None:
                await bus.publish(request.reply_to, verdict, correlated(verdict.correlation_id))


def with_traceparent(request: RunRequest, headers: Mapping[str, str]) -> RunRequest:
    """Return the request with the span that asked for it, as its message's headers say, unless it names one. Pure."""
    found = request.traceparent or headers.get(tracing.TRACEPARENT, "")
    return replace(request, traceparent=found if tracing.is_place(found) else "")


async def add_queued_row(rows: Rows[RunRow], request: RunRequest) -> None:
    """Write the row of a run that has just been queued, unless it has one."""
    with suppress(TimeoutError, NatsError):  # the row is only a cache; the owner writes the next one
        await rows.create(request.id, queued_row(request.id, request))


async def requeue_run(bus: Bus, run: str) -> bool:
    """Put a run whose log is not closed back into the queue; False if it is there already, or over."""
    request = await find_request(bus, run)
    last = await newest(bus, "RUNS", bus.names.events(run))
    if request is None or last is None or b'"type":"run_closed"' in last.data:
        return False
    with suppress(StoreRefused):  # another orchestrator was faster
        await bus.store(bus.names.request(run), codec.encode(request))
        log.warning("a run that nobody held is back in the queue", run=run)
        return True
    return False

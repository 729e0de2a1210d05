"""Accepts run requests, and requeues runs that have to go on."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

import structlog
from msgspec.structs import replace
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from muster_bus import Bus, Rows, Stored, StoreRefused, newest
from muster_bus.run_store import find_request, store_request
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_orchestrator import metrics
from muster_orchestrator.admission import RunAdmission
from muster_orchestrator.dead_letter_handling import rejection
from muster_orchestrator.responder import Responder
from muster_orchestrator.run_ids import RunIds
from muster_orchestrator.verdict_delivery import resend_verdict
from muster_protocol import codec
from muster_protocol.errors import Busy, InvalidRequest
from muster_protocol.logs import RunRow, queued_row
from muster_protocol.requests import Assignment, RunRequest
from muster_protocol.submit_replies import Rejected, SubmitReply
from muster_service import tracing
from muster_text.request_rules import decode_request, with_id_and_time

log = structlog.get_logger("muster.orchestrator")

RESENDS_AT_ONCE = 4
"""Logs read at once for senders who submit a finished run again."""


class SubmitHandler(Responder):
    """Answers `muster.submit`; any orchestrator may answer any request."""

    def __init__(self, bus: Bus, admission: RunAdmission) -> None:
        super().__init__(bus, bus.names.submit, self._submit)
        self._bus, self._admission, self._ids = bus, admission, RunIds(bus)
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._resending = asyncio.Semaphore(RESENDS_AT_ONCE)

    async def _submit(self, message: Msg) -> SubmitReply:
        with tracing.span("submit", {}, kind=tracing.SERVER, headers=message.headers):
            reply = await self.accept(message.data, by_trigger=False)
        metrics.REQUESTS.labels(type(reply).__name__.lower()).inc()
        return reply

    async def accept(self, data: bytes, *, by_trigger: bool) -> SubmitReply:
        """Store a request as JSON, or say why not."""
        try:
            request = with_id_and_time(await self._with_id_of_key(data), self._bus.clock.now())
            if not by_trigger:
                _require_no_role(request)
            request = with_traceparent(request, tracing.current_headers())
            await self._refuse_if_full(request.id)
            accepted = await store_request(self._bus, request)
        except InvalidRequest as error:
            return rejection(error)
        except Busy as error:
            return Rejected(reasons=(str(error),), kind="busy")
        except BUS_ERRORS as error:
            return Rejected(
                reasons=(f"the request could not be stored, try again: {describe_error(error)}",), kind="busy"
            )
        if not accepted.duplicate:
            await add_queued_row(self._rows, request)
        elif request.reply_to:
            self.spawn(self._resend(request))
        return accepted

    async def _with_id_of_key(self, data: bytes) -> RunRequest:
        request = decode_request(data, self._bus.settings.muster_prefix)
        if request.id or not request.idempotency_key:
            return request
        return replace(request, id=await self._ids.id_for(request.idempotency_key))

    async def _resend(self, request: RunRequest) -> None:
        async with self._resending:
            await resend_verdict(self._bus, request)

    async def _refuse_if_full(self, run: str) -> None:
        """Raise Busy if a new run cannot be taken; a known run is answered as usual."""
        problem = await self._admission.find_shortage()
        if problem and await find_request(self._bus, run) is None:
            raise Busy(problem)


def _require_no_role(request: RunRequest) -> None:
    """Refuse work of an agent that is to ask the fleet: only triggers start it. Pure.

    Raises:
        InvalidRequest: it is such work.
    """
    if isinstance(request.job, Assignment) and request.job.role:
        raise InvalidRequest(["role: only triggers give one; `muster triggers fire TRIGGER` starts it again"])


def with_traceparent(request: RunRequest, headers: Mapping[str, str]) -> RunRequest:
    """Return the request with the `traceparent` of its message's headers, unless it has its own. Pure."""
    found = request.traceparent or headers.get(tracing.TRACEPARENT, "")
    return replace(request, traceparent=found if tracing.is_traceparent(found) else "")


async def add_queued_row(rows: Rows[RunRow], request: RunRequest) -> None:
    """Write the row of a run that has just been queued, unless it has one."""
    with suppress(TimeoutError, NatsError):  # the row is only a cache; the owner writes the next one
        await rows.create(request.id, queued_row(request.id, request))


def is_closed(last: Stored) -> bool:
    """Return whether the newest message of a run's log closes it, without decoding the rest of the entry. Pure."""
    return b'"type":"run_closed"' in last.data


async def requeue_run(bus: Bus, run: str) -> bool:
    """Requeue a run whose log is open; False if it is queued already, or over."""
    request = await find_request(bus, run)
    last = await newest(bus, "RUNS", bus.names.events(run))
    if request is None or last is None or is_closed(last):
        return False
    with suppress(StoreRefused):  # another orchestrator was faster
        await bus.store(bus.names.request(run), codec.encode(request))
        log.warning("run without an owner requeued", run=run)
        return True
    return False

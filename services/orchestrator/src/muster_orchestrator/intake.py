"""What comes to an orchestrator from outside: requests to run something, and runs nobody holds."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import structlog
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from muster_orchestrator import metrics
from muster_protocol import codec
from muster_protocol.bus import Bus, Rows, StoreRefused, newest
from muster_protocol.errors import BusError, InvalidRequest
from muster_protocol.logs import RunRow
from muster_protocol.requests import Rejected, RunRequest, SubmitReply, TestCase
from muster_protocol.runs import decode_request, find_request, prepared, store_request

log = structlog.get_logger("muster.orchestrator")

QUEUE_GROUP = "orchestrators"


class Desk:
    """Answers `muster.submit`; any orchestrator may answer any request."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Begin to answer."""
        self._subscription = await self._bus.nc.subscribe(self._bus.names.submit, queue=QUEUE_GROUP, cb=self._asked)
        await self._bus.nc.flush()

    async def stop(self) -> None:
        """Stop answering; requests being answered are finished."""
        if self._subscription is not None and self._bus.nc.is_connected:
            await self._subscription.unsubscribe()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5.0)

    async def _asked(self, message: Msg) -> None:
        self._spawn(self._answer(message))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Msg) -> None:
        reply = await self._taken(message.data)
        metrics.REQUESTS.labels(type(reply).__name__.lower()).inc()
        with suppress(NatsError):
            await self._bus.respond(message, reply)

    async def _taken(self, data: bytes) -> SubmitReply:
        try:
            request = prepared(decode_request(data, self._bus.settings.muster_prefix), time.time())
            accepted = await store_request(self._bus, request)
        except InvalidRequest as error:
            return Rejected(reasons=error.reasons)
        except (BusError, TimeoutError, NatsError) as error:
            return Rejected(reasons=(f"the request could not be stored, try again: {error}",))
        if not accepted.duplicate:
            await self._list(request)
        return accepted

    async def _list(self, request: RunRequest) -> None:
        row = RunRow(
            run=request.id,
            name=request.job.name,
            status="queued",
            suite=request.suite,
            labels=request.labels,
            tags=request.job.tags if isinstance(request.job, TestCase) else (),
            requested_at=request.requested_at,
        )
        with suppress(TimeoutError, NatsError):  # the row is only a cache; the owner writes the next one
            await self._rows.create(request.id, row)


async def sweep(bus: Bus) -> int:
    """Put runs back into the queue that began, are not over, and that no queue message stands for; return how many.

    Idempotent: a queue takes one message a run, so any number of orchestrators may sweep at once.
    """
    woken = 0
    for row in await Rows(bus, "RUN_LIST", RunRow).all():
        if row.status not in ("queued", "running", "paused"):
            continue
        if await newest(bus, "REQUESTS", bus.names.request(row.run)) is None:
            woken += await _wake(bus, row.run)
    return woken


async def _wake(bus: Bus, run: str) -> bool:
    """Republish the request of a run whose log is not closed."""
    request = await find_request(bus, run)
    last = await newest(bus, "RUNS", bus.names.events(run))
    if request is None or last is None or b'"type":"run_closed"' in last.data:
        return False
    with suppress(StoreRefused):  # another orchestrator was faster
        await bus.store(bus.names.request(run), codec.encode(request))
        log.warning("a run that nobody held is back in the queue", run=run)
        return True
    return False

"""What comes to an orchestrator from outside: requests to run something, and runs that have to go on."""

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
from muster_orchestrator.room import Room
from muster_protocol import codec
from muster_protocol.bus import Bus, Rows, StoreRefused, newest
from muster_protocol.errors import BusError, Busy, Conflict, InvalidRequest
from muster_protocol.logs import RunRow
from muster_protocol.requests import Rejected, RunRequest, SubmitReply, TestCase
from muster_protocol.runs import decode_request, find_request, prepared, store_request

log = structlog.get_logger("muster.orchestrator")

QUEUE_GROUP = "orchestrators"


class Desk:
    """Answers `muster.submit`; any orchestrator may answer any request."""

    def __init__(self, bus: Bus, room: Room) -> None:
        self._bus, self._room = bus, room
        self._rows = Rows(bus, "RUN_LIST", RunRow)
        self._tasks: set[asyncio.Task[None]] = set()
        self._subscription: Subscription | None = None

    async def start(self) -> None:
        """Begin to answer."""
        self._subscription = await self._bus.nc.subscribe(self._bus.names.submit, queue=QUEUE_GROUP, cb=self._asked)
        await self._bus.subscribed()

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
            await list_queued(self._rows, request)
        return accepted

    async def _refuse_if_full(self, run: str) -> None:
        """Raise Busy if no new run can be taken; one that is known already is answered for as ever."""
        problem = await self._room.problem()
        if problem and await find_request(self._bus, run) is None:
            raise Busy(problem)


async def list_queued(rows: Rows[RunRow], request: RunRequest) -> None:
    """Write the row of a run that has just been queued, unless it has one."""
    row = RunRow(
        run=request.id,
        name=request.job.name,
        status="queued",
        suite=request.suite,
        labels=request.labels,
        tags=request.job.tags if isinstance(request.job, TestCase) else (),
        requested_at=request.requested_at,
        rerun_of=request.rerun_of,
    )
    with suppress(TimeoutError, NatsError):  # the row is only a cache; the owner writes the next one
        await rows.create(request.id, row)


async def wake(bus: Bus, run: str) -> bool:
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

"""The line of runs that wait for sessions: a work queue by kind of device and priority, pulled by hosts with room."""

import time
from collections.abc import Mapping
from typing import Any, cast

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from muster_bus import Bus, StoreRefused, newest
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_orchestrator.submit_handler import is_closed, requeue_run
from muster_protocol import codec
from muster_protocol.ids import is_token
from muster_protocol.requests import PRIORITIES, DeviceKind, Priority
from muster_protocol.session_requests import CloseSession, Opening, SessionsReady
from muster_protocol.session_responses import Done, SessionError, SessionReply

log = structlog.get_logger("muster.orchestrator")

CLOSE_SECONDS = 5.0


class SessionWait:
    """One run's wait for sessions: joins the line and tracks whether the run is still in it."""

    def __init__(self, bus: Bus, opening: Opening, priority: Priority) -> None:
        self.reported = False
        """Whether the run's place in line was reported."""
        self._bus, self._opening = bus, opening
        self._priority: Priority = priority
        self._joined, self._since = False, time.monotonic()

    @property
    def seconds(self) -> float:
        """Seconds since the wait began."""
        return time.monotonic() - self._since

    async def stay(self) -> bool:
        """Join the line, unless in it, and return whether the run is in line; False once a host has served it."""
        try:
            if not self._joined:
                await join_line(self._bus, self._opening, self._priority)
                self._joined = True
            else:
                first = self._opening.sessions[0].name
                self._joined = bool(await runs_in_line(self._bus, self._opening.run, first))
        except BUS_ERRORS as error:
            log.warning("cannot queue for a session; trying again", error=describe_error(error))
        return self._joined

    async def find_place(self) -> int:
        """Return the run's place in line, 1 for the next; 0 if it cannot be read now."""
        names, kind = self._bus.names, self._opening.sessions[0].kind
        before = PRIORITIES[: PRIORITIES.index(self._priority) + 1]
        consumers = [names.openings_consumer(kind, priority) for priority in before]
        try:
            found = [await self._bus.js.consumer_info(names.stream("OPENINGS"), consumer) for consumer in consumers]
        except (TimeoutError, NatsError):
            return 0
        return max(1, sum(info.num_pending or 0 for info in found))


async def join_line(bus: Bus, opening: Opening, priority: Priority) -> None:
    """Put a run in line, unless it is in line already.

    Raises:
        BusError, TimeoutError, nats.errors.Error: the bus is unavailable or the line is full.
    """
    first = opening.sessions[0]
    subject = bus.names.opening(first.kind, priority, opening.run, first.name)
    try:
        await bus.store(subject, codec.encode(opening))
    except StoreRefused as error:
        if "per subject" not in str(error):
            raise


async def leave_line(bus: Bus, run: str) -> None:
    """Take a run out of the line.

    Raises:
        TimeoutError, nats.errors.Error: the bus is unavailable.
    """
    await bus.js.purge_stream(bus.names.stream("OPENINGS"), subject=f"{bus.names.prefix}.openings.*.*.{run}.*")


async def runs_in_line(bus: Bus, run: str = "*", name: str = "*") -> Mapping[str, DeviceKind]:
    """Return the runs in line or being served from it, each with the kind of device that it waits for.

    `run` and `name` (of a run's first session) narrow the search.

    Raises:
        TimeoutError, nats.errors.Error: the bus is unavailable.
    """
    wanted = f"{bus.names.prefix}.openings.*.*.{run}.{name}"
    info = await bus.js.stream_info(bus.names.stream("OPENINGS"), wanted)
    places = [subject.split(".") for subject in info.state.subjects or ()]
    return {run: cast("DeviceKind", kind) for *_, kind, _, run, _ in places}


async def wake_served_run(bus: Bus, message: Msg) -> Done | SessionError:
    """Requeue a run that a session host has served; if the run is over, close the sessions instead."""
    try:
        ready = codec.decode(message.data, SessionsReady)
        if not (is_token(ready.run) and is_token(ready.host)):
            return SessionError(reason="invalid", text="run and host must be letters, digits, - and _")
        last = await newest(bus, "RUNS", bus.names.events(ready.run))
        if last is None or is_closed(last):
            await _close_sessions(bus, ready)
        else:
            await requeue_run(bus, ready.run)  # an owner, if it has one, requests its sessions again by itself
    except (msgspec.DecodeError, *BUS_ERRORS) as error:
        return SessionError(reason="busy", text=str(error))
    return Done()


async def _close_sessions(bus: Bus, ready: SessionsReady) -> None:
    subject = bus.names.session_host(ready.host)
    for name in ready.names:
        close = CloseSession(run=ready.run, name=name)
        await bus.request(subject, close, cast("Any", SessionReply), CLOSE_SECONDS)

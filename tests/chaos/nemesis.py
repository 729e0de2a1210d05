"""Does to the fleet what the schedule says, by pid, and notes what was done when."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator

from nats.errors import Error as NatsError
from proxy import Proxy

from chaos.history import Strike
from chaos.places import Fleet, Place
from chaos.schedule import NATS, Fault, FaultKind
from muster_bus import Bus

GRACE_SECONDS = 15.0
"""How long a process that was asked to stop may take."""
JUMP = 15 * 60
"""Seconds by which a clock is set wrong."""
FULL: dict[FaultKind, str] = {"runs-full": "RUNS", "tasks-full": "TASKS", "journal-full": "JOURNAL"}
"""Streams that have no room for another message."""


class Nemesis:
    """Carries out faults, several at once where the schedule has it so."""

    def __init__(self, fleet: Fleet, bus: Bus, faults: Iterator[Fault]) -> None:
        self.strikes: list[Strike] = []
        self._fleet, self._bus, self._faults = fleet, bus, faults
        self._going: set[asyncio.Task[None]] = set()
        self._failed: list[Exception] = []

    async def run(self) -> None:
        """Strike as scheduled, for ever. A place that has not recovered from the fault before is spared."""
        began = time.monotonic()
        for fault in self._faults:
            await asyncio.sleep(max(0.0, fault.at - (time.monotonic() - began)))
            if fault.slot not in self._fleet.attended:
                task = asyncio.create_task(self._strike(fault))
                self._going.add(task)
                task.add_done_callback(self._over)

    async def heal(self) -> None:
        """Wait until every fault that is going on is over; each is bounded. Raise what went wrong with any."""
        if self._going:
            await asyncio.wait(self._going)
        if self._failed:
            raise ExceptionGroup("the nemesis failed", self._failed)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._going.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._failed.append(error)

    async def _strike(self, fault: Fault) -> None:
        self._fleet.attended.add(fault.slot)
        place = self._fleet.places.get(fault.slot)
        pid, began, in_time = place.pid if place else self._fleet.server.pid, time.time(), True
        try:
            if fault.slot == NATS:
                await self._outage(fault)
            elif place is not None:
                in_time = await strike(place, fault)
        finally:
            self._fleet.attended.discard(fault.slot)
            self.strikes.append(Strike(fault.kind, fault.slot, pid, began, time.time(), not in_time))

    async def _outage(self, fault: Fault) -> None:
        if fault.kind in FULL:
            await self._fill(FULL[fault.kind], fault.seconds)
            return
        server = self._fleet.server
        if fault.kind == "nats-freeze":
            os.kill(server.pid, signal.SIGSTOP)
            await asyncio.sleep(fault.seconds)
            os.kill(server.pid, signal.SIGCONT)
            return
        await server.stop(signal.SIGKILL if fault.kind == "nats-kill" else signal.SIGTERM)
        await asyncio.sleep(fault.seconds)
        await server.start()
        self._fleet.own.add(server.pid)

    async def _fill(self, stream: str, seconds: float) -> None:
        """Have a stream take no more messages than it holds; for so long it can only be read."""
        held = (await self._bus.js.stream_info(self._bus.names.stream(stream))).state.messages
        try:
            await self._limit(stream, max(1, held))
            await asyncio.sleep(seconds)
        finally:
            await self._limit(stream, -1)

    async def _limit(self, stream: str, messages: int) -> None:
        for _ in range(60):
            try:
                config = (await self._bus.js.stream_info(self._bus.names.stream(stream))).config
                await self._bus.js.update_stream(config.evolve(max_msgs=messages))
            except (TimeoutError, NatsError):
                await asyncio.sleep(0.5)
            else:
                return
        raise TimeoutError(f"the limit of {stream} could not be set")


async def strike(place: Place, fault: Fault) -> bool:
    """Do one fault to the process of a place, and undo it when its time is over; False if it would not stop."""
    match fault.kind:
        case "kill":
            place.send(signal.SIGKILL)
            return await _followed(place, fault.seconds)
        case "stop":
            place.send(signal.SIGTERM)
            return await _followed(place, fault.seconds)
        case "freeze":
            place.send(signal.SIGSTOP)
            await asyncio.sleep(fault.seconds)
            place.send(signal.SIGCONT)
        case "clock-ahead" | "clock-behind":
            place.set_clock(JUMP if fault.kind == "clock-ahead" else -JUMP)
            await asyncio.sleep(fault.seconds)
            place.set_clock(0)
        case "twin":
            return await _doubled(place, fault.seconds)
        case "one-room":
            return await _narrowed(place, fault.seconds)
        case _:
            await _cut_off(place, fault)
    return True


async def _followed(place: Place, seconds: float, **more: str) -> bool:
    in_time = await place.ended(GRACE_SECONDS)
    await asyncio.sleep(seconds)
    await place.start(**more)
    return in_time


async def _doubled(place: Place, seconds: float) -> bool:
    """Have a second process under the same id, started while the first does not answer, so that it cannot be told.

    The one that is the later to notice may end, as it should; be it the first, another one fills its place.
    """
    place.send(signal.SIGSTOP)
    twin = await place.twin()
    await asyncio.sleep(seconds / 2)
    place.send(signal.SIGCONT)
    await asyncio.sleep(seconds / 2)
    in_time = await place.end_twin(twin, GRACE_SECONDS)
    if not place.pid:
        await _followed(place, 0.0)
    return in_time


async def _narrowed(place: Place, seconds: float) -> bool:
    """Have a session host with room for a single session."""
    place.send(signal.SIGTERM)
    in_time = await _followed(place, 0.0, MAX_SESSIONS="1")
    await asyncio.sleep(seconds)
    place.send(signal.SIGTERM)
    return await _followed(place, 0.0) and in_time


async def _cut_off(place: Place, fault: Fault) -> None:
    """Cut the place off from NATS.

    `cut`: connections are ended and refused; `stall`: all bytes arrive late; `deaf`, `mute`: those of one direction do;
    `half-open`: nothing arrives any more, and at last the connection is ended; `requests-lost`, `answers-lost`: the
    same in one direction, while the other goes on.
    """
    proxy = place.proxy
    match fault.kind:
        case "cut":
            proxy.cut(refuse=True)
        case "requests-lost":
            proxy.to_server.drop()
        case "answers-lost":
            proxy.to_client.drop()
        case _:
            _hold_back(proxy, fault.kind)
    await asyncio.sleep(fault.seconds)
    if fault.kind in ("half-open", "requests-lost", "answers-lost"):
        proxy.cut()
    await proxy.mend()


def _hold_back(proxy: Proxy, kind: FaultKind) -> None:
    if kind != "deaf":
        proxy.to_server.hold()
    if kind != "mute":
        proxy.to_client.hold()

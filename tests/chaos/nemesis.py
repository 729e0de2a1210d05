"""Does to the fleet what the schedule says, by pid, and notes what was done when."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator

from chaos.history import Strike
from chaos.places import Fleet, Place
from chaos.schedule import NATS, Fault

GRACE_SECONDS = 15.0
"""How long a process that was asked to stop may take."""


class Nemesis:
    """Carries out faults, several at once where the schedule has it so."""

    def __init__(self, fleet: Fleet, faults: Iterator[Fault]) -> None:
        self.strikes: list[Strike] = []
        self._fleet, self._faults = fleet, faults
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
        case _:
            await _cut_off(place, fault)
    return True


async def _followed(place: Place, seconds: float) -> bool:
    in_time = await place.ended(GRACE_SECONDS)
    await asyncio.sleep(seconds)
    await place.start()
    return in_time


async def _cut_off(place: Place, fault: Fault) -> None:
    """Cut the place off from NATS.

    `cut`: connections are ended and refused; `stall`: all bytes arrive late; `deaf`, `mute`: those of one direction do;
    `half-open`: nothing arrives any more, and at last the connection is ended.
    """
    proxy = place.proxy
    if fault.kind == "cut":
        proxy.cut(refuse=True)
    else:
        if fault.kind != "deaf":
            proxy.to_server.hold()
        if fault.kind != "mute":
            proxy.to_client.hold()
    await asyncio.sleep(fault.seconds)
    if fault.kind == "half-open":
        proxy.cut()
    await proxy.mend()

"""NATS is stopped and killed under load, several times: nothing it acknowledged is lost, and nobody has to help."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec
import pytest
from nats.errors import Error as NatsError
from waiting import eventually
from workshop import SUBJECT, Workshop, acks, at_work

from muster_bus import Bus, Log, NotStored, StoreRefused
from muster_bus.nats_server import NatsServer
from muster_protocol import codec
from muster_protocol.errors import OutcomeUnknown

WRITERS = 4


class Note(msgspec.Struct):
    number: int


class Load:
    """Writers that store messages and append to logs, and remember what was acknowledged."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self.stored: list[str] = []
        self.appended: dict[int, list[int]] = {writer: [] for writer in range(WRITERS)}
        self.over = asyncio.Event()

    async def store(self) -> None:
        number = 0
        while not self.over.is_set():
            number += 1
            while True:
                try:
                    await self._bus.store(SUBJECT, f"m{number}".encode(), {"Nats-Msg-Id": f"m{number}"}, timeout=1.0)
                    break
                except (TimeoutError, NotStored, StoreRefused, NatsError):
                    await asyncio.sleep(0.05)
            self.stored.append(f"m{number}")

    async def append(self, writer: int) -> None:
        log, number = self.log(self._bus, writer), 0
        while not self.over.is_set():
            number += 1
            try:
                await log.append(Note(number))
            except OutcomeUnknown:  # then who writes reads first
                stored = await self.numbers(self._bus, writer)
                number = stored[-1] if stored else 0
                log.last = (await log.read())[-1].seq if stored else 0
            self.appended[writer].append(number)

    @staticmethod
    def log(bus: Bus, writer: int) -> Log:
        return Log(bus, "JOURNAL", f"muster.journal.r.w.{writer}")

    async def numbers(self, bus: Bus, writer: int) -> list[int]:
        return [codec.decode(message.data, Note).number for message in await self.log(bus, writer).read()]


@asynccontextmanager
async def under_load(bus: Bus) -> AsyncGenerator[Load]:
    load = Load(bus)
    tasks = [asyncio.ensure_future(load.store()), *(asyncio.ensure_future(load.append(it)) for it in range(WRITERS))]
    try:
        yield load
    finally:
        load.over.set()
        await asyncio.wait_for(asyncio.gather(*tasks), 60.0)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
async def test_nothing_acknowledged_is_lost(server: NatsServer, bus: Bus, other: Bus, how: signal.Signals):
    workshop = Workshop(acks)
    async with at_work(other, workshop, slots=4):
        async with under_load(bus) as load:
            for _ in range(3):
                reached = len(load.stored) + 50

                async def going(reached: int = reached) -> bool:
                    return len(load.stored) >= reached

                await eventually(going, "load goes on")
                await server.stop(how)
                await server.start()
        for writer in range(WRITERS):
            stored = await load.numbers(bus, writer)
            assert stored == list(range(1, len(stored) + 1))
            assert stored[-1] == load.appended[writer][-1]

        async def all_done() -> bool:
            return set(load.stored) <= set(workshop.done)

        await eventually(all_done, "everything that was acknowledged is worked on")
        assert set(workshop.done) == set(load.stored)

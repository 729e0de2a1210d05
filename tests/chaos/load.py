"""Asks for runs while faults strike, as clients do: again and again under the same id until it is acknowledged."""

import asyncio
import time
from collections.abc import Sequence

import httpx
import msgspec

from chaos.history import Wish
from chaos.jobs import CANCELLED, Assignment
from muster_bus import Bus
from muster_bus.store_answers import BUS_ERRORS
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.control import Cancel, Control, Pause, Resume
from muster_protocol.errors import InvalidRequest

ANSWER_SECONDS = 5.0
BURST = 6
"""Runs asked for at once, so that a fault hits several of them."""
TRIES_SECONDS = 120.0
"""How long a client goes on asking; what is not acknowledged by then is not counted on."""


class Load:
    """Submits runs, a few at a time, and cancels or pauses some of them."""

    def __init__(self, bus: Bus, gateway_url: str) -> None:
        self.wishes: dict[str, Wish] = {}
        self.tries = 0
        """Requests sent, the repeated ones included."""
        self.oddities: list[str] = []
        """Answers that no client should get."""
        self._bus, self._url = bus, gateway_url

    async def run(self, wanted: Sequence[Assignment], seconds: float) -> None:
        """Ask for all runs within so many seconds, and return when all of them are asked for and steered."""
        began = time.monotonic()
        http = httpx.AsyncClient(base_url=self._url, timeout=ANSWER_SECONDS)
        async with http, asyncio.TaskGroup() as group:
            for number, assignment in enumerate(wanted):
                due = began + seconds * (number // BURST * BURST) / len(wanted)
                await asyncio.sleep(max(0.0, due - time.monotonic()))
                group.create_task(self._ask(http, assignment))

    async def _ask(self, http: httpx.AsyncClient, wanted: Assignment) -> None:
        self.wishes[wanted.run] = Wish(wanted.run, wanted.kind, 0.0)
        deadline = time.monotonic() + TRIES_SECONDS
        while time.monotonic() < deadline:
            self.tries += 1
            accepted = await (self._by_http(http, wanted) if wanted.by == "http" else self._by_nats(wanted))
            if accepted:
                self.wishes[wanted.run] = Wish(wanted.run, wanted.kind, time.time())
                await self._steer(wanted)
                return
            await asyncio.sleep(0.3)

    async def _by_nats(self, wanted: Assignment) -> bool:
        try:
            await submit(self._bus, wanted.request, ANSWER_SECONDS)
        except BUS_ERRORS:
            return False
        except InvalidRequest as error:
            self.oddities.append(f"{wanted.run}: a good request was rejected: {error}")
            return False
        return True

    async def _by_http(self, http: httpx.AsyncClient, wanted: Assignment) -> bool:
        headers = {"Content-Type": "application/json"}
        try:
            reply = await http.post("/runs", content=codec.encode(wanted.request), headers=headers)
        except httpx.HTTPError:
            return False
        if reply.status_code not in (202, 503):
            self.oddities.append(f"{wanted.run}: a good request was answered with {reply.status_code}: {reply.text}")
        return reply.status_code == 202

    async def _steer(self, wanted: Assignment) -> None:
        """Cancel or pause a run, and let a paused one go on."""
        if wanted.kind not in (*CANCELLED, "drill-paused"):
            return
        await asyncio.sleep(wanted.control_after)
        if wanted.kind in CANCELLED:
            if await self._control(wanted.run, Cancel(id="cancel-1", by="chaos")):
                self.wishes[wanted.run] = self.wishes[wanted.run]._replace(cancelled=True)
            return
        await self._control(wanted.run, Pause(id="pause-1", by="chaos"))
        await asyncio.sleep(wanted.paused)
        if not await self._control(wanted.run, Resume(id="resume-1", by="chaos")):
            self.oddities.append(f"{wanted.run}: could not be resumed in {TRIES_SECONDS:g} s")

    async def _control(self, run: str, control: Control) -> bool:
        deadline = time.monotonic() + TRIES_SECONDS
        while time.monotonic() < deadline:
            try:
                await send_control(self._bus, run, control)
            except (msgspec.MsgspecError, *BUS_ERRORS):
                await asyncio.sleep(0.3)
            else:
                return True
        return False

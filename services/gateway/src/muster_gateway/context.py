"""State shared by all request handlers: bus, settings, caches and limits."""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

from muster_bus import Bus, newest
from muster_gateway.http import spools
from muster_gateway.incoming.signatures import read_senders
from muster_gateway.lists.row_changes import Changes
from muster_gateway.lists.run_list import Listing
from muster_gateway.nodes.journals import TakeoverCounts
from muster_gateway.problem_details import Refusal, service_unavailable
from muster_gateway.relay.hub import RelayHub
from muster_gateway.security.audit import AuditLog
from muster_gateway.security.gate import Gate
from muster_gateway.settings import GatewaySettings
from muster_gateway.webhooks import webhook_rules as webhooks
from muster_protocol.errors import BusError
from muster_protocol.ids import is_token
from muster_views.suite_health import SuiteAnalyst

P = ParamSpec("P")
T = TypeVar("T")

MAX_CURSOR = 2**53
"""Largest cursor: JavaScript's largest exact integer, and more than a stream ever holds."""
BODIES_AT_ONCE, WAITING_SECONDS = 2, 20.0
"""Submitted bodies parsed at the same time, and seconds that one waits for its turn."""
REPORTS_AT_ONCE = 2
"""Reports rendered at the same time."""
ANALYSTS = 8
"""Suites of which the health is kept; each look at one that nobody has looked at for long starts anew."""


class Gateway:
    """One gateway process."""

    def __init__(self, bus: Bus, settings: GatewaySettings) -> None:
        self.bus, self.settings = bus, settings
        self.gate, self.audit = Gate(settings, bus.clock.now), AuditLog(settings.audit_file)
        self.listing = Listing(bus)
        self.analyst = lru_cache(ANALYSTS)(_new_analyst)
        self.changes = Changes(self.listing)
        self.takeovers = TakeoverCounts(bus)
        self.senders = read_senders(settings.event_secrets)
        self.hub, self.webhooks = RelayHub(bus), webhooks.read_rules(settings)
        self.stopping = asyncio.Event()
        self.reading = asyncio.Semaphore(BODIES_AT_ONCE)
        self.reporting = asyncio.Semaphore(REPORTS_AT_ONCE)
        self.sending = asyncio.Semaphore(spools.MAX_SPOOLS)

    @property
    def problem(self) -> str:
        """Why the gateway is not ready, as /readyz reports it; empty if it is."""
        return self.bus.trouble

    def require_bus(self) -> None:
        """Raise a Refusal without a connection to the bus, so that no request waits for it."""
        if not self.bus.nc.is_connected:
            raise service_unavailable(
                "NATS is unreachable: this gateway has no connection to it and keeps trying to reconnect"
            )

    async def parse_in_thread(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a parser in a thread, since a large YAML file takes seconds; return its result.

        Raises:
            Refusal: other bodies were being parsed for `WAITING_SECONDS`.
        """
        try:
            async with asyncio.timeout(WAITING_SECONDS):
                await self.reading.acquire()
        except TimeoutError:
            raise service_unavailable(
                f"the gateway was busy with other request bodies for {WAITING_SECONDS:g} s"
            ) from None
        try:
            return await asyncio.to_thread(read, *args, **kwargs)
        finally:
            self.reading.release()

    async def exists(self, run: str) -> bool:
        """Return whether a run exists: queued, live, over, or at least listed.

        Raises:
            BusError: NATS is unreachable.
        """
        if not self.bus.nc.is_connected:
            raise BusError(self.problem)
        if not is_token(run):
            return False
        names = self.bus.names
        return (
            await newest(self.bus, "REQUESTS", names.request(run)) is not None
            or await newest(self.bus, "RUNS", names.events(run)) is not None
            or await self.listing.row(run) is not None
        )

    async def require_run(self, run: str) -> None:
        """Raise a Refusal unless the bus is reachable and the run exists."""
        self.require_bus()
        if not await self.exists(run):
            raise no_run(run)


def _new_analyst(_suite: str) -> SuiteAnalyst:
    return SuiteAnalyst()


def no_run(run: str) -> Refusal:
    """Return the refusal of an unknown run."""
    return Refusal(404, f"there is no run {run!r}; GET /runs lists all runs")

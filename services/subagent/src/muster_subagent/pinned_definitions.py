"""The agents and skills of a run: those of the worker, and over them those of the release that the run has pinned."""

import asyncio
from collections import OrderedDict

import structlog

from muster_agents import Definitions, with_files
from muster_bus import Bus
from muster_bus.definition_store import DefinitionStore
from muster_bus.faults import Rounds
from muster_subagent.agent_catalogue import NAMES

log = structlog.get_logger("muster.subagent")

FOLLOW_SECONDS = 2.0
"""Pause between two looks for a newer release."""
MOST_KEPT = 8
"""Releases that are kept in memory."""


class PinnedDefinitions:
    """Agents and skills by release. A release never changes, so each is read once."""

    def __init__(self, bus: Bus, own: Definitions) -> None:
        self.own = own
        """Those of the worker, without any release."""
        self.newest = own
        """Those of runs that are opened now."""
        self._store = DefinitionStore(bus)
        self._kept: OrderedDict[str, Definitions] = OrderedDict()

    async def follow(self) -> None:
        """Read each release once it is the newest, until cancelled; see `newest`."""
        rounds = Rounds("definitions")
        while True:
            with rounds.outlast():
                self.newest = await self.of(await self._store.newest())
            await asyncio.sleep(FOLLOW_SECONDS)

    async def of(self, release: str) -> Definitions:
        """Return the agents and skills of a release; of none, those of the worker.

        Raises:
            BusError: it is not there, or NATS does not answer.
        """
        if not release:
            return self.own
        if release not in self._kept:
            files = await self._store.files(release)
            found = with_files(self.own, files, f"{release[:12]}/", NAMES)
            for problem in found.problems:
                log.warning("agent or skill of a release not usable", release=release[:12], problem=problem)
            self._kept[release] = found
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(release)
        return self._kept[release]

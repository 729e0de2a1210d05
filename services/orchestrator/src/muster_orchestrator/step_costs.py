"""Keeps what runs came to, and estimates from it what a request will come to."""

import asyncio

from muster_bus import Bus, Rows
from muster_orchestrator.machine import Run, job_of
from muster_protocol.estimates import Estimate, PastCosts
from muster_protocol.requests import RunRequest
from muster_protocol.tool_calls import Usage
from muster_text.cost_estimates import with_sample

AT_ONCE = 16
"""Rows read or written at the same time."""


class StepCosts:
    """The bucket `COSTS`."""

    def __init__(self, bus: Bus) -> None:
        self._rows = Rows(bus, "COSTS", PastCosts)
        self._room = asyncio.Semaphore(AT_ONCE)

    async def estimate(self, request: RunRequest) -> Estimate | None:
        """Return what a run will come to; None if its job is not estimated.

        Raises:
            BusError, NatsError, TimeoutError: the store does not answer.
        """
        run = Run(request=request)
        job = job_of(run)
        found = await asyncio.gather(*(self._read(key) for key in job.cost_keys(run)))
        return job.estimate(run, {row.key: row for row in found if row})

    async def keep(self, run: Run) -> None:
        """Add what a run that is over came to, by step or goal; a sample that another run overtakes is dropped."""
        await asyncio.gather(*(self._add(key, sample) for key, sample in job_of(run).costs(run).items()))

    async def _read(self, key: str) -> PastCosts | None:
        async with self._room:
            return await self._rows.get(key)

    async def _add(self, key: str, sample: Usage) -> None:
        async with self._room:
            past, revision = await self._rows.entry(key) or (PastCosts(key=key), 0)
            row = with_sample(past, sample)
            if row is None:
                return
            if revision:
                await self._rows.update(key, row, revision)
            else:
                await self._rows.create(key, row)

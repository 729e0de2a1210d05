"""Keeps the costs of runs' steps, and estimates from them what a request will cost."""

import asyncio

from msgspec.structs import replace

from muster_bus import Bus, Rows
from muster_orchestrator.machine import Run
from muster_orchestrator.machine.jobs.test_case.state import TestCaseState
from muster_protocol.estimates import Estimate, PastCosts
from muster_protocol.requests import Assignment, RunRequest, TestCase
from muster_protocol.tool_calls import Usage
from muster_text.cost_estimates import assignment_keys, cost_samples, estimate_case, rest_key, step_keys, with_sample

AT_ONCE = 16
"""Rows read or written at the same time."""


class StepCosts:
    """The bucket `COSTS`."""

    def __init__(self, bus: Bus) -> None:
        self._rows = Rows(bus, "COSTS", PastCosts)
        self._room = asyncio.Semaphore(AT_ONCE)

    async def estimate(self, request: RunRequest) -> Estimate | None:
        """Return what a test case will come to; None for other jobs.

        Raises:
            BusError, NatsError, TimeoutError: the store does not answer.
        """
        case = request.job
        if not isinstance(case, TestCase):
            return None
        found = await asyncio.gather(*(self._read(key) for key in {*step_keys(case), rest_key(case)}))
        return estimate_case(case, {row.key: row for row in found if row})

    async def keep(self, run: Run) -> None:
        """Add what a run that is over came to, by step or goal; a sample that another run overtakes is dropped."""
        samples = _samples(run)
        await asyncio.gather(*(self._add(key, sample) for key, sample in samples.items()))

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


def _samples(run: Run) -> dict[str, Usage]:
    """Return by key what the steps of a run came to, or an assignment that was done."""
    request, state, verdict = run.request, run.job, run.verdict
    if request is None or verdict is None:
        return {}
    if isinstance(request.job, Assignment) and verdict.status == "done":
        spent = replace(run.usage, seconds=verdict.duration)
        return dict.fromkeys(assignment_keys(request.job), spent)
    if not isinstance(state, TestCaseState) or state.plan is None:
        return {}
    assert isinstance(request.job, TestCase)
    return cost_samples(request.job, state.plan, run.results, run.usage, verdict.duration)

"""Analyses runs that are over: by arithmetic over the runs of their tests, and by an analyzer's second look.

What comes of it are notes beside the runs; their verdicts stay as they are.
"""

import hashlib
from typing import Literal

import structlog
from msgspec.structs import replace
from nats.errors import Error as NatsError

from muster_bus import Bus, Rows
from muster_bus.run_store import find_request, store_request
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_client.batches import BATCH_LABEL
from muster_client.test_histories import history_key
from muster_protocol.analyses import TestHistory
from muster_protocol.errors import MusterError
from muster_protocol.logs import RunRow, queued_row
from muster_protocol.notes import Note
from muster_protocol.requests import RunRequest
from muster_protocol.verdicts import Verdict
from muster_views.run_analysis import analysis_note, describe_health, ended_row, with_run
from muster_views.second_look import read_analysis
from muster_views.suite_health import analyse_case

log = structlog.get_logger("muster.orchestrator")

TRIES = 8
"""How often a history is written that other runs of the same test change meanwhile."""
SecondLooks = Literal["never", "unusual", "all"]
"""Which runs an analyzer looks at: of those that are `unusual`, arithmetic has something to say."""


class RunAnalyst:
    """Analyses the runs of one orchestrator; `looks` says which of them an analyzer looks at."""

    def __init__(self, bus: Bus, looks: SecondLooks) -> None:
        self._bus, self._looks = bus, looks
        self._histories = Rows(bus, "HISTORIES", TestHistory)
        self._notes = Rows(bus, "NOTES", Note)

    async def analyse(self, request: RunRequest, verdict: Verdict) -> None:
        """Add a run that is over to its test's history, and note what that says of it; a failure is logged."""
        row = ended_row(request, verdict)
        if row is None:
            return
        try:
            history = await self._keep(row)
            note = analysis_note(history, row.run)
            if note is not None:
                await self._notes.put(note.key, note)
        except BUS_ERRORS as error:
            log.warning("run not analysed", run=row.run, error=describe_error(error))

    async def look_again(self, request: RunRequest, verdict: Verdict) -> str:
        """Have an analyzer look at a run that is over, where that is wanted; return the run in which it does, or "".

        Calling again starts nothing new. A failure is logged.
        """
        if self._looks == "never" or ended_row(request, verdict) is None:
            return ""
        id = f"run-{hashlib.sha256(f'second look at {verdict.run}'.encode()).hexdigest()[:24]}"
        try:
            if await find_request(self._bus, id) is None:
                history = await self._histories.get(history_key(verdict.suite, verdict.name))
                if not self._is_wanted(history, verdict):
                    return ""
                asked = replace(await self._request(request, verdict, history), id=id)
                await store_request(self._bus, asked)
                await Rows(self._bus, "RUN_LIST", RunRow).create(id, queued_row(id, asked))
        except (MusterError, NatsError, TimeoutError) as error:
            log.warning("second look at a run skipped", run=verdict.run, error=describe_error(error))
            return ""
        return id

    def _is_wanted(self, history: TestHistory | None, verdict: Verdict) -> bool:
        unusual = not verdict.achieved or (history is not None and analysis_note(history, verdict.run) is not None)
        return unusual or self._looks == "all"

    async def _request(self, request: RunRequest, verdict: Verdict, history: TestHistory | None) -> RunRequest:
        health = describe_health(analyse_case(history.rows)) if history and history.rows else ""
        job = await read_analysis(self._bus, verdict.run, health)
        labels = {name: it for name, it in request.labels.items() if name != BATCH_LABEL}  # nobody submitted it
        return RunRequest(job=job, labels=labels)

    async def _keep(self, row: RunRow) -> TestHistory:
        """Return the history of a run's test with the run in it, once that is stored."""
        key = history_key(row.suite, row.name)
        history = TestHistory(name=row.name, suite=row.suite)
        for _ in range(TRIES):
            found = await self._histories.entry(key)
            before, revision = found or (TestHistory(name=row.name, suite=row.suite), 0)
            history = with_run(before, row)
            if history == before or await self._histories.update(key, history, revision) is not None:
                return history
        log.warning("run not added to the history of its test", run=row.run, test=row.name)
        return history

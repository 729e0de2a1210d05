"""Runs jobs on a fleet: submits them, follows them to their verdicts, and cancels them if it has to end early."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from nats.errors import Error as NatsError

from muster_bus import Bus, Rows
from muster_bus.connection import without_password
from muster_bus.store_answers import BUS_ERRORS
from muster_cli.app import tell
from muster_cli.case_jobs import Job
from muster_cli.display import Display
from muster_cli.embedded import Fleet
from muster_cli.past_passes import settle_doubt
from muster_cli.person_prompt import QuestionPrompt
from muster_cli.progress import Update, start_progress
from muster_cli.run_follower import follow
from muster_client.missing_names import find_missing_names, named_in
from muster_client.runs import send_control, submit
from muster_protocol.control import Cancel
from muster_protocol.errors import Busy, InvalidRequest, Refused, RunGone
from muster_protocol.logs import WorkerRow
from muster_protocol.requests import RunRequest
from muster_views.outcome import CaseOutcome, Report, Stopped, build_outcome, build_report

SUBMIT_SECONDS = 20.0
"""Seconds to try to submit a request while no orchestrator answers."""
CANCEL_SECONDS = 15.0
"""How long cancelled runs may take to reach their verdict and close their sessions."""
OUTAGE_SECONDS = 2.0
"""How often to look whether NATS is away; shorter outages are not worth a word."""
AT_ONCE = 16
REASONS: dict[Stopped, str] = {
    "interrupted": "the command was interrupted",
    "timeout": "the command's time was up",
    "fail-fast": "another case failed",
    "error": "the command could not continue",
}


class Options(NamedTuple):
    """When to end before all runs have ended."""

    timeout: float = 3600.0
    fail_fast: bool = False
    at_once: int = 0
    """How many runs may be under way; 0: all."""


async def run_jobs(bus: Bus, jobs: Sequence[Job], display: Display, options: Options) -> Report:
    """Run the jobs and return the report. If this task is cancelled, the runs are cancelled and the report is returned.

    Raises:
        InvalidRequest: the fleet refuses a case.
        Refused: nobody takes requests.
    """
    await _tell_missing_names(bus, [job.case.request for job in jobs])
    return await _Batch(bus, jobs, display, options).run()


async def run_on_fleet(fleet: Fleet, jobs: Sequence[Job], display: Display, options: Options) -> Report:
    """Run the jobs on a fleet of our own; if the fleet fails on the way, the report says so.

    Raises:
        FleetFailed: it failed before any run could be followed.
        InvalidRequest: the fleet refuses a case.
    """
    report = await fleet.while_whole(run_jobs(fleet.bus, jobs, display, options))
    if fleet.failure:
        report = build_report(report.runs, "fleet", report.started_at, report.duration)
        tell(f"muster: {fleet.failure}")
    return report


async def _tell_missing_names(bus: Bus, requests: Sequence[RunRequest]) -> None:
    """Say which workspaces and phones requests name that no live session host has; such runs wait, and then fail."""
    if not any(any(named_in(request)) for request in requests):
        return
    rows = await Rows(bus, "WORKERS", WorkerRow).all()
    for told in dict.fromkeys(text for request in requests for text in find_missing_names(request, rows)):
        tell(f"muster: {told}")


class _Batch:
    """The runs of one command, under way."""

    def __init__(self, bus: Bus, jobs: Sequence[Job], display: Display, options: Options) -> None:
        self._bus, self._jobs, self._display, self._options = bus, jobs, display, options
        self._runs = {job.case.request.id: start_progress(job.case.request, job.label) for job in jobs}
        self._stopped: Stopped = ""
        self._failed = asyncio.Event()
        self._refused: set[str] = set()
        self._submitting = asyncio.Semaphore(AT_ONCE)
        self._room = asyncio.Semaphore(options.at_once or max(1, len(jobs)))
        self._asking = QuestionPrompt(bus, self._runs, display)

    async def run(self) -> Report:
        started_at, clock = time.time(), time.monotonic()
        running = [asyncio.create_task(self._run_one(job)) for job in self._jobs]
        beside = [asyncio.create_task(work) for work in (self._asking.work(), tell_outages(self._bus))]
        try:
            self._stopped = await self._until_stopped(running)
            if self._stopped:
                await self._cancel_open()
                await asyncio.wait(running, timeout=CANCEL_SECONDS)
        finally:
            await _cancel([*beside, *running])
        _raise_first(running)
        outcomes = [await self._outcome(job) for job in self._jobs]
        return build_report(outcomes, self._stopped, started_at, time.monotonic() - clock)

    async def _outcome(self, job: Job) -> CaseOutcome:
        request = job.case.request
        outcome = build_outcome(self._runs[request.id].history, job.label, job.place)
        return await settle_doubt(self._bus, outcome, request)

    async def _until_stopped(self, running: Sequence[asyncio.Task[None]]) -> Stopped:
        """Wait for all runs; return why to cancel the remaining ones, or an empty text if all have ended."""
        failing = asyncio.create_task(self._failed.wait())
        everything = asyncio.create_task(asyncio.wait(running, return_when=asyncio.FIRST_EXCEPTION))
        try:
            done, _ = await asyncio.wait(
                {failing, everything}, timeout=self._options.timeout, return_when=asyncio.FIRST_COMPLETED
            )
        except asyncio.CancelledError:
            if self._bus.denied is not None:
                raise  # what cannot be followed cannot be cancelled either
            task = asyncio.current_task()
            assert task is not None
            task.uncancel()  # the runs are cancelled in an orderly way; whoever called learns of it from the report
            return "interrupted"
        finally:
            failing.cancel()
            everything.cancel()
        if everything in done:
            return "" if all(task.done() and task.exception() is None for task in running) else "error"
        return "fail-fast" if done else "timeout"

    async def _run_one(self, job: Job) -> None:
        async with self._room:
            await self._run_in_room(job)

    async def _run_in_room(self, job: Job) -> None:
        request = job.case.request
        async with self._submitting:
            if self._stopped:
                return
            try:
                await submit_patiently(self._bus, request)
            except InvalidRequest:
                self._refused.add(request.id)  # the id may be somebody else's run, which is not ours to cancel
                raise
        try:
            await follow(self._bus, request.id, partial(self._update, request.id))
        except RunGone as error:  # it has no verdict, and the other runs go on
            tell(f"muster: {error}; {error.remedy}")

    def _update(self, run: str, update: Update) -> None:
        progress = self._runs[run]
        progress.apply(update)
        self._display.show(self._runs, progress, update)
        self._asking.update(progress)
        if self._options.fail_fast and progress.history.status in ("fail", "failed"):
            self._failed.set()

    async def _cancel_open(self) -> None:
        """Cancel each run that has no verdict."""
        control = Cancel(id="command-ended", reason=REASONS[self._stopped], by="muster")
        open_runs = [id for id, run in self._runs.items() if run.history.verdict is None and id not in self._refused]
        with suppress(*BUS_ERRORS):
            async with asyncio.timeout(CANCEL_SECONDS):
                await asyncio.gather(*(send_control(self._bus, run, control) for run in open_runs))


async def tell_outages(bus: Bus) -> None:
    """Say when NATS is away or lacks something, and when it is back: the command waits for it."""
    url, told = without_password(bus.settings.nats_url), ""
    while True:
        await asyncio.sleep(OUTAGE_SECONDS)
        trouble = str(bus.problems) if bus.nc.is_connected else f"NATS at {url} does not answer"
        if trouble != told:
            told = trouble
            tell(f"muster: {trouble}; waiting for it" if trouble else f"muster: NATS at {url} is back")


async def submit_patiently(bus: Bus, request: RunRequest, patience: float = SUBMIT_SECONDS) -> None:
    """Submit a request that has an id; try again while no orchestrator answers.

    Raises:
        InvalidRequest: it cannot be run.
        Refused: nobody took it in time.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            await submit(bus, request, timeout=5.0)
        except (Refused, TimeoutError, NatsError) as error:
            if time.monotonic() > deadline:
                if isinstance(error, Busy):
                    raise
                url = without_password(bus.settings.nats_url)
                raise Refused(
                    f"no orchestrator takes requests at {url}; `muster up` starts a fleet, and `muster doctor` "
                    f"says what is missing ({error or type(error).__name__})"
                ) from error
            await asyncio.sleep(0.2)
        else:
            return


async def _cancel(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)


def _raise_first(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        if not task.cancelled() and (error := task.exception()) is not None:
            raise error

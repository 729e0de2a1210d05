"""The orchestrator process: claims runs, answers submissions, sweeps for runs without an owner."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus, Claim, Intake, Rows, newest
from muster_bus.dead_letter_store import count_letters
from muster_bus.definition_store import DefinitionStore
from muster_bus.faults import Rounds
from muster_bus.log import count_appends
from muster_bus.process_row import Load, Running
from muster_bus.run_store import opened_request
from muster_bus.store_answers import BUS_ERRORS, describe_error
from muster_bus.streams import EVENTS_CONSUMER, RUNS_CONSUMER
from muster_orchestrator import metrics
from muster_orchestrator.admission import RunAdmission
from muster_orchestrator.artifact_cleanup import ArtifactCleaner, clean_periodically
from muster_orchestrator.control_handler import ControlHandler
from muster_orchestrator.dead_letter_handling import reject_request, settle_dead_letter
from muster_orchestrator.event_handler import EventHandler
from muster_orchestrator.presence import Presence
from muster_orchestrator.queue_sampler import sample_queues
from muster_orchestrator.responder import Responder
from muster_orchestrator.run_analyst import RunAnalyst
from muster_orchestrator.run_driver import RunDriver
from muster_orchestrator.session_line import wake_served_run
from muster_orchestrator.settings import OrchestratorSettings
from muster_orchestrator.submit_handler import SubmitHandler, with_traceparent
from muster_orchestrator.sweeper import Sweeper
from muster_orchestrator.trigger_clock import TriggerClock
from muster_protocol.errors import ClaimLost, Fenced, InvalidRequest, NewerVersion
from muster_protocol.ids import new_id
from muster_protocol.logs import RunRow
from muster_protocol.requests import Drill, RunRequest
from muster_service.task_cleanup import finish
from muster_text.request_rules import decode_request, with_id_and_time

log = structlog.get_logger("muster.orchestrator")

EVENTS_AT_ONCE = 4
PAUSE_SECONDS = 5.0
"""Delay before a run is redelivered that there was no room for, or that failed because the bus was unavailable."""


@asynccontextmanager
async def orchestrator(bus: Bus, settings: OrchestratorSettings) -> AsyncGenerator[Running]:
    """Drive runs inside the block; on exit, hand those in progress back to the queue at once."""
    count_letters("REQUESTS", "EVENTS")
    count_appends("RUNS", "JOURNAL")
    metrics.begin()
    id, presence, admission = new_id("orchestrator"), Presence(bus), RunAdmission(bus)
    analyst = RunAnalyst(bus, settings.orchestrator_second_looks)
    runs = _Runs(bus, settings, id, presence, admission, DefinitionStore(bus), analyst)
    intake = Intake(bus, "REQUESTS", [RUNS_CONSUMER], slots=settings.orchestrator_runs, handler=runs.handle)
    submits, controls = SubmitHandler(bus, admission), ControlHandler(bus, id, admission)
    triggers = TriggerClock(bus, submits)
    events = Intake(bus, "EVENTS", [EVENTS_CONSUMER], slots=EVENTS_AT_ONCE, handler=EventHandler(bus, triggers).handle)
    settling = Responder(bus, bus.names.dead_letters, partial(settle_dead_letter, bus))
    readying = Responder(bus, bus.names.sessions_ready, partial(wake_served_run, bus))
    responders = (submits, controls, settling, readying)
    for responder in responders:
        await responder.start()
    presence.start()
    await intake.start()
    await events.start()
    sweeper = Sweeper(bus, presence)
    cleaner = ArtifactCleaner(bus, settings.artifact_days, lambda: sweeper.unfinished)
    rounds = (
        _sweep_periodically(sweeper, settings.sweep_seconds),
        triggers.run(),
        clean_periodically(cleaner, settings.artifact_sweep_seconds, bus.clock),
    )
    recurring = [asyncio.create_task(one) for one in rounds]
    try:
        async with sample_queues(bus):
            yield Running(id, lambda: Load({"runs": intake.slots}, {"runs": intake.busy}))
    finally:
        for task in recurring:
            task.cancel()
        stops = (intake.stop(grace=0.0), events.stop(grace=0.0), presence.stop(), *(it.stop() for it in responders))
        await asyncio.gather(*stops)


class _Runs(NamedTuple):
    """Handles the run messages of one process."""

    bus: Bus
    settings: OrchestratorSettings
    owner: str
    presence: Presence
    admission: RunAdmission
    definitions: DefinitionStore
    analyst: RunAnalyst

    async def handle(self, claim: Claim) -> None:
        """Drive the run of one queue message; hand back a run that cannot be driven here or now.

        Any client can publish to the queue: only the decoded request is trusted, and no message may block the queue.
        """
        run = claim.subject.rsplit(".", 1)[-1]
        try:
            await self._drive(claim, run)
        except (Fenced, ClaimLost) as error:
            metrics.FENCED.inc()
            log.warning("run has another owner; stopping", run=run, reason=str(error))
        except NewerVersion as error:
            log.warning("run left to a newer orchestrator's sweep", run=run, reason=str(error))
            await self._leave_to_newer(claim, run)
        except BUS_ERRORS as error:
            log.warning("NATS unavailable; run returned to the queue", run=run, error=describe_error(error))
            await claim.nak(PAUSE_SECONDS)
        except asyncio.CancelledError:
            await finish(claim.nak())
            raise

    async def _leave_to_newer(self, claim: Claim, run: str) -> None:
        """Remove a run that this version cannot read from the queue; a newer orchestrator's sweep finds its row."""
        row = RunRow(run=run, name=run, status="running", requested_at=claim.stored_at)
        try:
            await Rows(self.bus, "RUN_LIST", RunRow).create(run, row)
        except (NatsError, TimeoutError):
            await claim.nak(PAUSE_SECONDS)
        else:
            metrics.NEWER.inc()
            await claim.ack()

    async def _drive(self, claim: Claim, run: str) -> None:
        try:
            request = _decode_request(claim, self.settings.muster_prefix)
        except InvalidRequest as error:
            request = await _find_started(self.bus, run)
            if request is None:
                await reject_request(self.bus, claim, error)
                return
        problem = await self.admission.find_shortage()
        if problem and await newest(self.bus, "RUNS", self.bus.names.events(run)) is None:
            log.warning("new run delayed", run=run, reason=problem)
            await claim.nak(PAUSE_SECONDS)
            return
        if claim.delivery == 1:
            metrics.WAIT_SECONDS.observe(max(0.0, self.bus.clock.now() - claim.stored_at))
        policy = self.settings.policy()
        driver = RunDriver(
            self.bus,
            claim,
            request,
            owner=self.owner,
            policy=policy,
            presence=self.presence,
            definitions=self.definitions,
            analyst=self.analyst,
        )
        await driver.drive()


def _decode_request(claim: Claim, prefix: str) -> RunRequest:
    """Return the request in a message; its subject names the run.

    Raises:
        InvalidRequest: the request cannot be read or run, or the subject names no run.
    """
    request = decode_request(claim.data, prefix, claim.subject.rsplit(".", 1)[-1])
    return with_traceparent(with_id_and_time(request, claim.stored_at), claim.headers)


async def _find_started(bus: Bus, run: str) -> RunRequest | None:
    """Return the request of a run that has a log, else None: a started run goes on even if today's rules refuse it."""
    if await newest(bus, "RUNS", bus.names.events(run)) is None:
        return None
    stand_in = RunRequest(id=run, job=Drill(count=1))  # the log is unreadable: taking it over gives the run up
    return await opened_request(bus, run) or stand_in


async def _sweep_periodically(sweeper: Sweeper, period: float) -> None:
    rounds = Rounds("sweep")
    while True:
        await asyncio.sleep(period)
        with rounds.outlast():
            await sweeper.sweep()

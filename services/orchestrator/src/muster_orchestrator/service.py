"""The orchestrator process: claims runs, answers submissions, sweeps for runs nobody holds."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec
import structlog
from nats.errors import Error as NatsError

from muster_orchestrator import metrics
from muster_orchestrator.cancelling import QueuedCancels
from muster_orchestrator.intake import Desk, sweep
from muster_orchestrator.settings import OrchestratorSettings
from muster_orchestrator.shell import Driver
from muster_protocol import codec
from muster_protocol.bus import Bus, Claim, Intake, StoreRefused
from muster_protocol.bus.streams import RUNS_CONSUMER
from muster_protocol.errors import BusError, ClaimLost, Fenced, InvalidRequest
from muster_protocol.ids import new_id
from muster_protocol.requests import Rejected, RunRequest
from muster_protocol.runs import decode_request, may_be_told, problems
from muster_protocol.service import Load, Running

log = structlog.get_logger("muster.orchestrator")


@asynccontextmanager
async def orchestrator(bus: Bus, settings: OrchestratorSettings) -> AsyncGenerator[Running]:
    """Drive runs until left; then runs in progress are handed back at once."""
    id = new_id("orchestrator")

    async def handle(claim: Claim) -> None:
        await _drive(bus, claim, settings, id)

    intake = Intake(bus, "REQUESTS", [RUNS_CONSUMER], slots=settings.orchestrator_runs, handler=handle)
    desk, cancels = Desk(bus), QueuedCancels(bus, id)
    await desk.start()
    await cancels.start()
    await intake.start()
    sweeping = asyncio.create_task(_sweep_for_ever(bus, settings.sweep_seconds))
    try:
        yield Running(id, lambda: Load({"runs": intake.slots}, {"runs": intake.busy}))
    finally:
        sweeping.cancel()
        await desk.stop()
        await cancels.stop()
        await intake.stop(grace=0.0)


async def _drive(bus: Bus, claim: Claim, settings: OrchestratorSettings, owner: str) -> None:
    try:
        request = _request_in(claim, settings.muster_prefix)
    except InvalidRequest as error:
        await _refuse(bus, claim, error)
        return
    driver = Driver(bus, claim, request, owner=owner, policy=settings.policy(), wait=settings.session_wait_seconds)
    try:
        await driver.drive()
    except (Fenced, ClaimLost) as error:
        metrics.FENCED.inc()
        log.warning("a run is left to another owner", run=request.id, reason=str(error))
    except asyncio.CancelledError:
        await asyncio.shield(claim.nak())
        raise


def _request_in(claim: Claim, prefix: str) -> RunRequest:
    """Return the request a message holds; the subject it was published on names the run.

    Raises:
        InvalidRequest: it cannot be read or run, or its subject names no run.
    """
    request = msgspec.structs.replace(decode_request(claim.data, prefix), id=claim.subject.rsplit(".", 1)[-1])
    reasons = problems(request, prefix)
    if reasons:
        raise InvalidRequest(reasons)
    return request


async def _refuse(bus: Bus, claim: Claim, error: InvalidRequest) -> None:
    """Put a request that cannot be run aside as dead, tell whoever waits for its verdict, and free the queue."""
    await bus.store(
        bus.names.dead("REQUESTS"), claim.data, {"Muster-Subject": claim.subject, "Muster-Reason": str(error)[:500]}
    )
    reply_to = _reply_to(claim.data, bus.settings.muster_prefix)
    if reply_to:
        await bus.publish(reply_to, Rejected(reasons=error.reasons))
    log.error("a published request cannot be run", subject=claim.subject, reasons=error.reasons)
    await claim.term("invalid request")


class _Reply(msgspec.Struct):
    """The one part of a request that is worth reading when the rest is not."""

    reply_to: str = ""


def _reply_to(data: bytes, prefix: str) -> str:
    """Return where the sender of an unusable request can be told, or ""."""
    try:
        reply_to = codec.decode(data, _Reply).reply_to
    except msgspec.DecodeError:
        return ""
    return reply_to if reply_to and may_be_told(reply_to, prefix) else ""


async def _sweep_for_ever(bus: Bus, period: float) -> None:
    while True:
        await asyncio.sleep(period)
        try:
            await sweep(bus)
        except (BusError, StoreRefused, TimeoutError, NatsError) as error:
            log.warning("sweeping failed; trying again", error=repr(error))

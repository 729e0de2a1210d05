"""Submits requests and sends controls."""

from typing import Any, cast

from muster_bus import Bus
from muster_protocol import codec
from muster_protocol.control import Control
from muster_protocol.errors import BusError, Busy, Conflict, InvalidRequest
from muster_protocol.requests import RunRequest
from muster_protocol.submit_replies import Accepted, Rejected, SubmitReply


async def submit(bus: Bus, request: RunRequest, timeout: float = 10.0) -> Accepted:
    """Submit a request to the fleet.

    Raises:
        InvalidRequest: it cannot be run; Conflict: its id belongs to another request.
        Refused: no orchestrator answers; Busy: the fleet takes no new run now.
        TimeoutError: no answer came; submitting again with the same id or idempotency key is safe.
    """
    reply = cast("SubmitReply", await bus.request(bus.names.submit, request, cast("Any", SubmitReply), timeout))
    match reply:
        case Accepted():
            return reply
        case Rejected(kind="busy", reasons=reasons):
            raise Busy("; ".join(reasons))
        case Rejected(kind="conflict", reasons=reasons):
            raise Conflict(reasons)
        case Rejected(reasons=reasons):
            raise InvalidRequest(reasons)


async def send_control(bus: Bus, run: str, control: Control) -> None:
    """Store a control of a run, unless one with its id is stored already.

    Raises:
        BusError: it was not, or may not be, stored; sending it again is safe.
    """
    try:
        await bus.store(bus.names.control(run), codec.encode(control), {"Nats-Msg-Id": f"{run}.{control.id}"})
    except TimeoutError as error:
        raise BusError("NATS does not answer; sending this again is safe") from error

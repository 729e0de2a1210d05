"""Dead letters as a client sees them: it asks a service that may write to the queues."""

from typing import Any, cast

from muster_bus import Bus
from muster_protocol.dead_letter_requests import DeadNotSettled, DeadSettled, SettleDead, SettleReply
from muster_protocol.errors import Busy, InvalidRequest, WrongState

ANSWER_SECONDS = 10.0


async def ask_to_settle(bus: Bus, ask: SettleDead) -> str:
    """Have a dead letter put back or forgotten, and return the subject it came from.

    Raises:
        InvalidRequest: it can still not be worked on; WrongState: it is too late for it, or there is no need.
        Refused: nobody answers; Busy: it is not taken now. TimeoutError: no answer came; asking again is safe.
    """
    reply = cast(
        "SettleReply", await bus.request(bus.names.dead_letters, ask, cast("Any", SettleReply), ANSWER_SECONDS)
    )
    match reply:
        case DeadSettled(subject=subject):
            return subject
        case DeadNotSettled(kind="state", reasons=reasons):
            raise WrongState("; ".join(reasons))
        case DeadNotSettled(kind="busy", reasons=reasons):
            raise Busy("; ".join(reasons))
        case DeadNotSettled(reasons=reasons):
            raise InvalidRequest(reasons)

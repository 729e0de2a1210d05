"""Settles dead letters through an orchestrator, as clients may not write to the queues."""

from typing import Any, cast

from muster_bus import Bus
from muster_protocol.dead_letter_requests import DeadNotSettled, DeadSettled, SettleDead, SettleReply
from muster_protocol.errors import Busy, InvalidRequest, WrongState

ANSWER_SECONDS = 10.0


async def ask_to_settle(bus: Bus, ask: SettleDead) -> str:
    """Replay or drop a dead letter, and return the subject it came from.

    Raises:
        InvalidRequest: it does not exist or cannot be replayed.
        WrongState: its run is over or does not need it.
        Refused: no orchestrator answers; Busy: the queue takes no message now.
        TimeoutError: no answer came; asking again is safe.
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

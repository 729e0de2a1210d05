"""Settling dead letters on behalf of others: whoever may ask need not be allowed to write to the queues."""

from typing import Any, Literal, cast

from msgspec import Struct
from nats.errors import Error as NatsError

from muster_protocol.bus import Bus
from muster_protocol.dead import drop_dead, read_dead, replay_dead
from muster_protocol.errors import BusError, Busy, InvalidRequest, WrongState

ANSWER_SECONDS = 10.0


class SettleDead(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Put a dead letter back where it came from, or forget it; sent to `muster.dead-letters`."""

    sequence: int
    action: Literal["replay", "drop"]


class DeadSettled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="settled"):
    """It is a dead letter no longer."""

    subject: str


NotSettledKind = Literal["invalid", "state", "busy"]
"""`invalid`: it cannot be worked on, or is not there; `state`: it is too late for it; `busy`: later it may be taken."""


class DeadNotSettled(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="not_settled"):
    """It is still a dead letter, if there is one of that number."""

    reasons: tuple[str, ...]
    kind: NotSettledKind


SettleReply = DeadSettled | DeadNotSettled


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


async def settle(bus: Bus, ask: SettleDead) -> SettleReply:
    """Do what is asked with a dead letter, and return what to answer."""
    try:
        letter = await read_dead(bus, ask.sequence)
        await (replay_dead(bus, letter) if ask.action == "replay" else drop_dead(bus, letter.sequence))
    except InvalidRequest as error:
        return DeadNotSettled(reasons=error.reasons, kind="invalid")
    except WrongState as error:
        return DeadNotSettled(reasons=(str(error),), kind="state")
    except (BusError, NatsError, TimeoutError) as error:
        return DeadNotSettled(reasons=(f"not now: {error}",), kind="busy")
    return DeadSettled(subject=letter.subject)

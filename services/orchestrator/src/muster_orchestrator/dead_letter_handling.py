"""Stores invalid requests and given-up runs as dead letters; settles dead letters for other services."""

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec
import structlog
from nats.aio.msg import Msg

from muster_bus import Bus, Claim
from muster_bus.dead_letter_store import DeadLetter, build_letter, bury, settle_letter
from muster_bus.run_store import find_request, read_entries
from muster_protocol import codec
from muster_protocol.dead_letter_requests import DeadNotSettled, SettleDead, SettleReply
from muster_protocol.errors import Conflict, InvalidRequest
from muster_protocol.events import Asked, Entry, OwnerChanged, RunOpened, SubTaskEnded
from muster_protocol.submit_replies import Rejected, correlation_headers
from muster_text.request_rules import is_header, is_reply_subject

log = structlog.get_logger("muster.orchestrator")


async def reject_request(bus: Bus, claim: Claim, error: InvalidRequest) -> None:
    """Store an invalid request as a dead letter, reply to its sender, and take it out of the queue."""
    claim.check()
    await bury(bus, build_letter("REQUESTS", claim, str(error)))
    sender = _read_sender(claim.data)
    if sender.reply_to and is_reply_subject(sender.reply_to, bus.names.prefix):
        known_by = sender.correlation_id if is_header(sender.correlation_id) else ""
        await bus.publish(sender.reply_to, rejection(error), correlation_headers(known_by))
    log.error("invalid request rejected; it is now a dead letter", subject=claim.subject, reasons=error.reasons)
    await claim.term("invalid request")


def rejection(error: InvalidRequest) -> Rejected:
    """Return the answer to a request that cannot be run. Pure."""
    return Rejected(reasons=error.reasons, kind="conflict" if isinstance(error, Conflict) else "invalid")


class _Sender(msgspec.Struct):
    """The fields of an invalid request that say where to send the rejection."""

    reply_to: str = ""
    correlation_id: str = ""


def _read_sender(data: bytes) -> _Sender:
    try:
        return codec.decode(data, _Sender)
    except msgspec.DecodeError:
        return _Sender()


async def bury_run(bus: Bus, run: str, reason: str) -> None:
    """Store the request of a run that was given up as a dead letter, with the run's history, once.

    Raises:
        BusError, TimeoutError: the letter may not be stored; calling again is safe.
    """
    request = await find_request(bus, run)
    letter = DeadLetter(
        stream="REQUESTS",
        subject=bus.names.request(run),
        reason=reason,
        history=describe_owners(await read_entries(bus, run)),
        key=f"REQUESTS.{run}",
        data=codec.encode(request) if request else b"",
    )
    if await bury(bus, letter):
        log.error("run given up; its request is now a dead letter", run=run, reason=reason)


def describe_owners(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return a line for a run's last progress and one for each owner since, oldest first. Pure."""
    lines: list[str] = []
    for entry in entries:
        when = f"{datetime.fromtimestamp(entry.at, UTC):%Y-%m-%d %H:%M:%S} UTC"
        for event in entry.events:
            match event:
                case RunOpened(owner=owner):
                    lines = [f"{when}: {owner} took it"]
                case SubTaskEnded(outcome=outcome):
                    lines = [f"{when}: sub-task {outcome.task} ended"]
                case Asked(task=task):
                    lines = [f"{when}: sub-task {task} asked a person"]
                case OwnerChanged(owner=owner, epoch=epoch):
                    lines.append(f"{when}: {owner} took it over (owner {epoch})")
                case _:
                    pass
    return tuple(lines)


async def settle_dead_letter(bus: Bus, message: Msg) -> SettleReply:
    """Replay or drop a dead letter for a service that may not write to the queues; return the reply."""
    try:
        ask = codec.decode_asked(message.data, SettleDead)
    except msgspec.DecodeError as error:
        return DeadNotSettled(reasons=(f"the request cannot be read: {error}",), kind="invalid")
    reply = await settle_letter(bus, ask)
    log.info("dead letter request handled", letter=ask.sequence, action=ask.action, outcome=type(reply).__name__)
    return reply

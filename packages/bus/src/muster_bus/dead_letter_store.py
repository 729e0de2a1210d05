"""Dead letters: messages that no service could process, kept with the reason and their history.

The stream `DEAD` stores them on `muster.dead.<original stream>`: the original data, and everything else in headers.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from typing import cast

import msgspec
from msgspec import Struct
from nats.js.api import RawStreamMsg
from nats.js.errors import BadRequestError, NotFoundError
from prometheus_client import Counter

from muster_bus import Bus, Claim, NotStored, StoreRefused, newest
from muster_bus.bus import HEADERS, header_size
from muster_bus.run_store import find_request, find_verdict, read_entries, store_request
from muster_bus.store_answers import BUS_ERRORS
from muster_protocol import codec
from muster_protocol.dead_letter_requests import DeadNotSettled, DeadSettled, SettleDead, SettleReply
from muster_protocol.errors import Busy, InvalidRequest, WrongState
from muster_protocol.journal import Finished, JournalBatch, Revoked
from muster_text.request_rules import decode_request

DEAD_LETTERS = Counter("muster_dead_letters", "Messages stored as dead letters", ["stream"])

NO_SUCH_SEQUENCE = 10043
MOST_LINES, LONGEST_LINE, LONGEST_REASON = 20, 200, 500
"""Bounds of history and reason: headers share the message's size limit with the data."""


class DeadLetter(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A dead message, and why it is dead."""

    sequence: int = 0
    """Its sequence in the stream DEAD, which people refer to; 0 until it is stored."""
    stream: str
    """The queue it came from, without prefix: `REQUESTS`, `TASKS`, `WEBHOOKS`."""
    subject: str
    reason: str
    history: tuple[str, ...] = ()
    """What happened to it, oldest first, one line each."""
    run: str = ""
    task: str = ""
    """Id of the sub-task; empty for other messages."""
    id: str = ""
    """Its message id in the queue."""
    delivery: int = 0
    """How often the queue had delivered it."""
    key: str = ""
    """Message id of the letter: whichever process stores it, the key is the same, so it is stored once."""
    at: float = 0.0
    """Unix seconds at which the letter was stored."""
    size: int = 0
    """Bytes of the original message; `data` is shorter if it did not fit beside the headers."""
    data: bytes = b""

    @property
    def cut(self) -> bool:
        """Whether part of the message is lost, so that it cannot be replayed."""
        return len(self.data) < self.size


def build_letter(stream: str, claim: Claim, reason: str, history: Sequence[str] = ()) -> DeadLetter:
    """Return the dead letter of a claimed message; every holder of the message builds the same one."""
    key = f"{stream}.{claim.message}.{claim.stored_at:.6f}"
    return DeadLetter(
        stream=stream,
        subject=claim.subject,
        reason=reason,
        history=tuple(history),
        id=claim.headers.get("Nats-Msg-Id", ""),
        delivery=claim.delivery,
        key=key,
        data=claim.data,
    )


def count_letters(*streams: str) -> None:
    """Create the counters of these queues at 0, so that the first letter shows as an increase."""
    for stream in streams:
        DEAD_LETTERS.labels(stream)


async def bury(bus: Bus, letter: DeadLetter) -> bool:
    """Store a dead letter; False if it was stored before.

    Raises:
        BusError, TimeoutError: the letter may not be stored; the message must stay in its queue.
    """
    headers = build_headers(letter)
    room = bus.nc.max_payload - header_size(HEADERS | headers)
    ack = await bus.store(bus.names.dead(letter.stream), letter.data[:room], headers)
    if not ack.duplicate:
        DEAD_LETTERS.labels(letter.stream).inc()
    return not ack.duplicate


def build_headers(letter: DeadLetter) -> dict[str, str]:
    """Return the headers of a dead letter. Pure."""
    lines = [line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…" for line in letter.history]
    headers = {
        "Nats-Msg-Id": _escape(letter.key),
        "Muster-Subject": _escape(letter.subject),
        "Muster-Reason": _escape(letter.reason[:LONGEST_REASON]),
        "Muster-Size": str(len(letter.data)),
    }
    if letter.delivery:
        headers["Muster-Delivery"] = str(letter.delivery)
    if letter.id:
        headers["Muster-Id"] = _escape(letter.id)
    if lines:
        headers["Muster-History"] = json.dumps(lines[-MOST_LINES:])
    return headers


def _escape(text: str) -> str:
    """Return a text as one line of ASCII with JSON escapes, which every reader of headers can handle."""
    return json.dumps(text)[1:-1]


def _unescape(header: str) -> str:
    try:
        return str(json.loads(f'"{header}"'))
    except ValueError:  # not written by this code
        return header


def _lines(header: str) -> tuple[str, ...]:
    try:
        return codec.decode(header, tuple[str, ...])
    except msgspec.DecodeError:
        return (header,) if header else ()


def decode_letter(stored: RawStreamMsg) -> DeadLetter:
    """Return the letter in a message of the stream `DEAD`; what others wrote there is read as far as possible."""
    headers, data = cast("dict[str, str]", stored.headers or {}), stored.data or b""
    stream = (stored.subject or "").rpartition(".")[2]
    subject, id = _unescape(headers.get("Muster-Subject", "")), _unescape(headers.get("Muster-Id", ""))
    task = id.partition("+")[0] if stream == "TASKS" else ""
    return DeadLetter(
        sequence=stored.seq or 0,
        stream=stream,
        subject=subject,
        reason=_unescape(headers.get("Muster-Reason", "")),
        history=_lines(headers.get("Muster-History", "")),
        run=task.partition(".")[0] or _run_in(stream, subject),
        task=task,
        id=id,
        delivery=codec.read_number(headers.get("Muster-Delivery", "")),
        key=_unescape(headers.get("Nats-Msg-Id", "")),
        at=stored.time.timestamp() if stored.time else 0.0,
        size=max(codec.read_number(headers.get("Muster-Size", "")), len(data)),
        data=data,
    )


def _run_in(stream: str, subject: str) -> str:
    """Return the run in the subject of a message; empty for queues whose subjects name none."""
    tokens = subject.split(".")
    return tokens[2] if stream in ("REQUESTS", "WEBHOOKS") and len(tokens) > 2 else ""


async def newest_dead(bus: Bus, before: int = 0) -> AsyncGenerator[DeadLetter]:
    """Yield dead letters, newest first; with `before`, only those with a lower number."""
    name = bus.names.stream("DEAD")
    state = (await bus.js.stream_info(name)).state
    last = min(state.last_seq, before - 1) if before else state.last_seq
    for sequence in range(last, state.first_seq - 1, -1) if state.messages else ():
        try:
            yield decode_letter(await bus.js.get_msg(name, seq=sequence))
        except NotFoundError:  # dropped
            continue


async def read_dead(bus: Bus, sequence: int) -> DeadLetter:
    """Return one dead letter by its number.

    Raises:
        InvalidRequest: there is no such letter.
    """
    try:
        return decode_letter(await bus.js.get_msg(bus.names.stream("DEAD"), seq=sequence))
    except NotFoundError:
        reason = f"there is no dead letter {sequence}; `muster dead list` shows all"
        raise InvalidRequest([reason]) from None


async def drop_dead(bus: Bus, sequence: int) -> None:
    """Delete a dead letter; no error if it is gone already."""
    try:
        await bus.js.delete_msg(bus.names.stream("DEAD"), sequence)
    except BadRequestError as error:
        if error.err_code != NO_SUCH_SEQUENCE:
            raise


async def replay_dead(bus: Bus, letter: DeadLetter) -> None:
    """Put a message back into its queue and delete its letter.

    Raises:
        InvalidRequest: the message cannot be replayed; says why.
        WrongState: the run is over, or does not need the message.
        Busy: the queue takes no message now.
    """
    if letter.cut:
        kept = f"only {len(letter.data)} of its {letter.size} bytes were kept"
        raise InvalidRequest([f"dead letter {letter.sequence} cannot be put back: {kept}"])
    if letter.subject == bus.names.request(letter.run) and letter.stream == "REQUESTS":
        await _replay_request(bus, letter)
    elif letter.stream == "TASKS" and letter.subject.startswith(f"{bus.names.prefix}.tasks."):
        await _replay_task(bus, letter)
    elif letter.stream == "WEBHOOKS" and letter.subject.startswith(bus.names.webhook("")):
        await _put_back(bus, letter)
    else:
        raise InvalidRequest([f"dead letter {letter.sequence} came from no queue of a run: it can only be read"])
    await drop_dead(bus, letter.sequence)


async def _replay_request(bus: Bus, letter: DeadLetter) -> None:
    run, prefix = letter.run, bus.names.prefix
    request = decode_request(letter.data, prefix, run)
    if await find_request(bus, run) is not None:
        verdict = find_verdict(await read_entries(bus, run))
        if verdict is None:
            raise WrongState(f"run {run} is queued or in progress; there is nothing to replay")
        raise WrongState(f"run {run} is over ({verdict.status}); `muster rerun {run}` makes a new run of it")
    await store_request(bus, request)


async def _replay_task(bus: Bus, letter: DeadLetter) -> None:
    """Put a sub-task back, if its run still waits for it."""
    if letter.run:
        await _refuse_if_settled(bus, letter)
    await _put_back(bus, letter)


async def _put_back(bus: Bus, letter: DeadLetter) -> None:
    """Store a message in its queue again, under a new message id: the queue would drop the old one as a duplicate."""
    headers = {"Nats-Msg-Id": f"{letter.task or letter.run or 'dead'}+dead{letter.sequence}"}
    try:
        await bus.store(letter.subject, letter.data, headers)
    except (StoreRefused, NotStored) as error:
        raise Busy(f"queue {letter.stream} takes no message now: {error}") from error


async def _refuse_if_settled(bus: Bus, letter: DeadLetter) -> None:
    run, task = letter.run, letter.task
    entries = await read_entries(bus, run)
    if not entries:
        raise WrongState(f"there is no run {run} here that waits for sub-task {task}")
    verdict = find_verdict(entries)
    if verdict is not None:
        raise WrongState(f"run {run} is over ({verdict.status}); `muster rerun {run}` makes a new run of it")
    last = await newest(bus, "JOURNAL", bus.names.journal(task))
    written = codec.decode(last.data, JournalBatch).entries if last else ()
    if any(isinstance(entry, Finished | Revoked) for entry in written):
        raise WrongState(f"sub-task {task} has ended, and its run goes on without it")


async def settle_letter(bus: Bus, ask: SettleDead) -> SettleReply:
    """Replay or drop a dead letter, and return the reply."""
    try:
        letter = await read_dead(bus, ask.sequence)
        await (replay_dead(bus, letter) if ask.action == "replay" else drop_dead(bus, letter.sequence))
    except InvalidRequest as error:
        return DeadNotSettled(reasons=error.reasons, kind="invalid")
    except WrongState as error:
        return DeadNotSettled(reasons=(str(error),), kind="state")
    except BUS_ERRORS as error:
        return DeadNotSettled(reasons=(f"not now: {error}",), kind="busy")
    return DeadSettled(subject=letter.subject)

"""Dead letters: messages that no service could work on, put aside with the reason and what had happened to them.

They lie in the stream `DEAD` on `muster.dead.<stream they came from>`: the message as it was, the rest in its headers.
"""

import json
from collections.abc import AsyncGenerator, Sequence
from typing import cast

import msgspec
from msgspec import Struct
from nats.errors import Error as NatsError
from nats.js.api import RawStreamMsg
from nats.js.errors import BadRequestError, NotFoundError
from prometheus_client import Counter

from muster_bus import Bus, Claim, NotStored, StoreRefused, newest
from muster_bus.connection import HEADERS, header_size
from muster_bus.run_store import find_request, find_verdict, read_entries, store_request
from muster_protocol import codec
from muster_protocol.dead_letter_requests import DeadNotSettled, DeadSettled, SettleDead, SettleReply
from muster_protocol.errors import BusError, Busy, InvalidRequest, WrongState
from muster_protocol.journal import Finished, JournalBatch, Revoked
from muster_text.request_rules import decode_request

DEAD_LETTERS = Counter("muster_dead_letters", "Messages put aside as dead", ["stream"])

NO_SUCH_SEQUENCE = 10043
MOST_LINES, LONGEST_LINE, LONGEST_REASON = 20, 200, 500
"""What is kept of the history and the reason: headers share a message with what was put aside."""


class DeadLetter(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message that was put aside, and why."""

    sequence: int = 0
    """Its number in the stream of dead letters, by which people call it; 0 until it is stored."""
    stream: str
    """The queue it came from, by its plain name: `REQUESTS`, `TASKS`, `WEBHOOKS`."""
    subject: str
    reason: str
    history: tuple[str, ...] = ()
    """What had happened to it, oldest first, one line each."""
    run: str = ""
    task: str = ""
    """Id of the sub-task, if it was one."""
    id: str = ""
    """The message id it had in its queue."""
    delivery: int = 0
    """How often its queue had handed it out."""
    key: str = ""
    """What the same letter has in common with itself, written by whomever."""
    at: float = 0.0
    """Unix seconds at which it was put aside."""
    size: int = 0
    """Bytes of the whole message; `data` has fewer if it did not fit beside its headers."""
    data: bytes = b""

    @property
    def cut(self) -> bool:
        """Whether a part of the message is lost, so that it can never be put back."""
        return len(self.data) < self.size


def build_letter(stream: str, claim: Claim, reason: str, history: Sequence[str] = ()) -> DeadLetter:
    """Return the letter that puts a claimed message aside; every holder of the same message makes the same one."""
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
    """Have the letters from these queues counted from 0 on, so that the first one shows as an increase."""
    for stream in streams:
        DEAD_LETTERS.labels(stream)


async def bury(bus: Bus, letter: DeadLetter) -> bool:
    """Store a dead letter; False if it was there before.

    Raises:
        BusError, TimeoutError: it may not be stored; the message must stay in its queue.
    """
    headers = build_headers(letter)
    room = bus.nc.max_payload - header_size(HEADERS | headers)
    ack = await bus.store(bus.names.dead(letter.stream), letter.data[:room], headers)
    if not ack.duplicate:
        DEAD_LETTERS.labels(letter.stream).inc()
    return not ack.duplicate


def build_headers(letter: DeadLetter) -> dict[str, str]:
    """Return what is kept beside the message. Pure."""
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
    """Return the text in ASCII on one line, as JSON writes it: readers of headers agree on nothing more."""
    return json.dumps(text)[1:-1]


def _unescape(header: str) -> str:
    try:
        return str(json.loads(f'"{header}"'))
    except ValueError:  # somebody else wrote it
        return header


def _lines(header: str) -> tuple[str, ...]:
    try:
        return codec.decode(header, tuple[str, ...])
    except msgspec.DecodeError:
        return (header,) if header else ()


def decode_letter(stored: RawStreamMsg) -> DeadLetter:
    """Return a stored message of the stream `DEAD` as a letter; another's is read as well as it goes."""
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
        delivery=_number(headers.get("Muster-Delivery", "")),
        key=_unescape(headers.get("Nats-Msg-Id", "")),
        at=stored.time.timestamp() if stored.time else 0.0,
        size=max(_number(headers.get("Muster-Size", "")), len(data)),
        data=data,
    )


def _run_in(stream: str, subject: str) -> str:
    """Return the run that the subject of a message names, in those queues where it does."""
    tokens = subject.split(".")
    return tokens[2] if stream in ("REQUESTS", "WEBHOOKS") and len(tokens) > 2 else ""


def _number(header: str) -> int:
    return int(header) if header.isdecimal() else 0


async def newest_dead(bus: Bus, before: int = 0) -> AsyncGenerator[DeadLetter]:
    """Yield the dead letters, the newest first; with `before`, only those with a lower number."""
    name = bus.names.stream("DEAD")
    state = (await bus.js.stream_info(name)).state
    last = min(state.last_seq, before - 1) if before else state.last_seq
    for sequence in range(last, state.first_seq - 1, -1) if state.messages else ():
        try:
            yield decode_letter(await bus.js.get_msg(name, seq=sequence))
        except NotFoundError:  # it was dropped
            continue


async def read_dead(bus: Bus, sequence: int) -> DeadLetter:
    """Return one dead letter by its number.

    Raises:
        InvalidRequest: there is none.
    """
    try:
        return decode_letter(await bus.js.get_msg(bus.names.stream("DEAD"), seq=sequence))
    except NotFoundError:
        reason = f"there is no dead letter {sequence}; `muster dead list` shows those there are"
        raise InvalidRequest([reason]) from None


async def drop_dead(bus: Bus, sequence: int) -> None:
    """Forget a dead letter for good; one that is gone already is no error."""
    try:
        await bus.js.delete_msg(bus.names.stream("DEAD"), sequence)
    except BadRequestError as error:
        if error.err_code != NO_SUCH_SEQUENCE:
            raise


async def replay_dead(bus: Bus, letter: DeadLetter) -> None:
    """Put a message back where it came from, and its letter away.

    Raises:
        InvalidRequest: it can still not be worked on; says why.
        WrongState: it is too late for it, or there is no need.
        Busy: the queue takes nothing now.
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
            raise WrongState(f"run {run} is queued or under way; there is nothing to put back")
        raise WrongState(f"run {run} is over ({verdict.status}); `muster rerun {run}` makes a new run of it")
    await store_request(bus, request)


async def _replay_task(bus: Bus, letter: DeadLetter) -> None:
    """Put a sub-task back, unless its run does not wait for it any more."""
    if letter.run:
        await _refuse_if_settled(bus, letter)
    await _put_back(bus, letter)


async def _put_back(bus: Bus, letter: DeadLetter) -> None:
    """Store a message where it came from; its own id would be taken for one already queued."""
    headers = {"Nats-Msg-Id": f"{letter.task or letter.run or 'dead'}+dead{letter.sequence}"}
    try:
        await bus.store(letter.subject, letter.data, headers)
    except (StoreRefused, NotStored) as error:
        raise Busy(f"the queue {letter.stream} takes nothing now: {error}") from error


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
    except (BusError, NatsError, TimeoutError) as error:
        return DeadNotSettled(reasons=(f"not now: {error}",), kind="busy")
    return DeadSettled(subject=letter.subject)

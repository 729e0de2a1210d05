"""What anybody may do with runs from outside: submit, look up, control, watch."""

import re
import time
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

import msgspec
import structlog
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from muster_protocol import codec, events
from muster_protocol.bus import Bus, Log, NotStored, Stored, StoreRefused
from muster_protocol.control import Control
from muster_protocol.errors import BusError, Busy, Conflict, InvalidRequest
from muster_protocol.ids import is_token, new_id, run_id_for
from muster_protocol.requests import Accepted, Rejected, RunRequest, SubmitReply, TestCase
from muster_protocol.values import PLACEHOLDER, SECRET, names, secret_names
from muster_protocol.verdicts import Verdict

log = structlog.get_logger("muster.runs")

LARGEST = 256 * 1024
"""Bytes of a request; its plan and its results must fit into messages of 1 MB."""

CORRELATION = "Correlation-Id"
"""Header of what goes to a `reply_to`: the request's correlation id."""
LONGEST_CORRELATION = 200

LONGEST_ADDRESS = 2000
LATEST = 1e11
"""Unix seconds that no clock shows for a thousand years."""

TOKEN_OF_SUBJECT = re.compile(r"[^\s.*>]{1,200}")
"""One token of a subject that one can publish to."""


def problems(request: RunRequest, prefix: str = "muster") -> tuple[str, ...]:
    """Return why a request cannot be run, one sentence each; empty if it can. Pure."""
    found: list[str] = []
    if request.id and not is_token(request.id):
        found.append(f"id {request.id!r} must be 1 to 64 letters, digits, '-' or '_'")
    if isinstance(request.job, TestCase):
        found += _case_problems(request.job)
    if not is_header(request.correlation_id):
        found.append(f"correlation_id must be at most {LONGEST_CORRELATION} printable ASCII characters in one line")
    if not 0 <= request.requested_at < LATEST:
        found.append("requested_at must be Unix seconds, or left out")
    if request.reply_to and not may_be_told(request.reply_to, prefix):
        found.append(f"reply_to {request.reply_to!r} must be a subject of your own, or one below {prefix}.replies")
    if request.webhook and not is_web_address(request.webhook):
        found.append("webhook must be an http:// or https:// address without a login in it, of at most 2000 characters")
    return tuple(found)


def is_header(text: str) -> bool:
    """Return whether a text can stand in a header as it is: short, printable, no line break, no space at its ends."""
    return len(text) <= LONGEST_CORRELATION and text.isascii() and text.strip() == text and text.isprintable()


def correlated(id: str) -> dict[str, str]:
    """Return the headers that carry a correlation id; none if it is empty."""
    return {CORRELATION: id} if id else {}


def is_web_address(address: str) -> bool:
    """Return whether something may be posted to an address: one of HTTP, with a host and without a login. Pure."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    printable = address.isascii() and address.isprintable() and " " not in address and len(address) <= LONGEST_ADDRESS
    return printable and parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc


def may_be_told(subject: str, prefix: str) -> bool:
    """Return whether a verdict may be published on a subject a stranger names: a plain one outside the fleet's own."""
    tokens = subject.split(".")
    plain = all(TOKEN_OF_SUBJECT.fullmatch(token) for token in tokens) and not subject.startswith("$")
    return plain and (tokens[0] != prefix or tokens[1:2] == ["replies"])


def _case_problems(case: TestCase) -> list[str]:
    found: list[str] = []
    if not any(step.expected.strip() for step in case.steps):
        found.append(f"test case {case.name!r} expects nothing: at least one step needs an 'expected'")
    texts = [*case.preconditions, *(text for step in case.steps for text in (step.action, step.expected))]
    for name in sorted({name for text in texts for name in secret_names(text)} - set(case.secrets)):
        found.append(f"${{secret:{name}}} is used but {name!r} is not listed under secrets")
    for name in sorted({step.session for step in case.steps if not is_token(step.session)}):
        found.append(f"session {name!r} must be 1 to 64 letters, digits, '-' or '_'")
    for name in case.secrets:
        if not PLACEHOLDER.fullmatch(f"${{{name}}}") or not SECRET.fullmatch(f"${{secret:{name}}}"):
            found.append(f"secret {name!r} is no name (letters, digits and _): list names, never values")
    for name, value in case.variables.items():
        if not PLACEHOLDER.fullmatch(f"${{{name}}}"):
            found.append(f"variable {name!r} is no name (letters, digits, '_', '.' and '-')")
        if secret_names(value):
            found.append(f"variable {name!r} may not hold a secret: use ${{secret:…}} in the step itself")
        found += [f"variable {name!r} uses ${{{used}}}: variables cannot use variables" for used in names(value)]
    return found


def decode_request(data: bytes, prefix: str = "muster") -> RunRequest:
    """Return a request from JSON.

    Raises:
        InvalidRequest: it is no JSON, lacks something, or cannot be run.
    """
    _check_size(len(data))
    try:
        request = codec.decode(data, RunRequest)
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the request cannot be read: {error}"]) from error
    reasons = problems(request, prefix)
    if reasons:
        raise InvalidRequest(reasons)
    return request


def _check_size(size: int) -> None:
    if size > LARGEST:
        raise InvalidRequest([f"the request has {size} bytes; at most {LARGEST} are taken, so split the case"])


def prepared(request: RunRequest, now: float) -> RunRequest:
    """Return the request with its run id and time; the id is derived from the idempotency key if there is one."""
    run = request.id or (run_id_for(request.idempotency_key) if request.idempotency_key else new_id("run"))
    return msgspec.structs.replace(request, id=run, requested_at=request.requested_at or now)


async def submit(bus: Bus, request: RunRequest, timeout: float = 10.0) -> Accepted:
    """Hand a request to the fleet and return what it was accepted as.

    Raises:
        InvalidRequest: it cannot be run; Conflict: its id belongs to another request.
        Refused: no orchestrator answers; Busy: no more is taken now.
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


async def store_request(bus: Bus, request: RunRequest) -> Accepted:
    """Store a valid request in the queue; the same run again is a duplicate, whatever its state.

    Raises:
        InvalidRequest: it is too large with its id and time; Conflict: the id belongs to a different request.
        Busy: it is not taken now, or the bus does not say whether it was; storing the same again is safe.
    """
    request = prepared(request, time.time())
    if (known := await find_request(bus, request.id)) is None:
        _check_size(len(codec.encode(request)))
        known, reason = await _stored(bus, request)
        if known is None:
            raise Busy(reason)
        if known == request:
            return Accepted(run=request.id)
    if (known.job, known.suite, known.labels) != (request.job, request.suite, request.labels):
        raise Conflict([f"run {request.id!r} exists with another job; use another id or idempotency key"])
    return Accepted(run=request.id, duplicate=True)


async def _stored(bus: Bus, request: RunRequest) -> tuple[RunRequest | None, str]:
    """Return what is stored under the request's id after an attempt to store it; if nothing, why."""
    try:
        await bus.store(bus.names.request(request.id), codec.encode(request))
    except NotStored:
        return None, "the bus is not ready to take requests; try again"
    except StoreRefused as error:  # there is one already, or no room
        return await find_request(bus, request.id), f"the queue takes no more requests now: {error}"
    except (TimeoutError, NatsError):
        unclear = f"the bus does not answer: run {request.id!r} may or may not be queued; the same again is safe"
        try:
            return await find_request(bus, request.id), unclear
        except (TimeoutError, NatsError):
            return None, unclear
    return request, ""


async def find_request(bus: Bus, run: str) -> RunRequest | None:
    """Return the request of a run that is queued, live or over; None if there is no such run, or none can be read."""
    try:
        queued = await bus.js.get_last_msg(bus.names.stream("REQUESTS"), bus.names.request(run))
        return codec.decode(queued.data or b"", RunRequest)
    except (NotFoundError, msgspec.DecodeError):
        return await opened_request(bus, run)


async def opened_request(bus: Bus, run: str) -> RunRequest | None:
    """Return the request that a run's log was opened with; None if it has no log, or it cannot be read."""
    try:
        first = await bus.js.get_msg(bus.names.stream("RUNS"), seq=1, subject=bus.names.events(run), next=True)
    except NotFoundError:
        return None
    entry = readable(Stored(first.seq or 0, first.subject or "", first.data or b""))
    match entry.events if entry else ():
        case (events.RunOpened(request=request), *_):
            return request
        case _:
            return None


async def send_control(bus: Bus, run: str, control: Control) -> None:
    """Store something asked of a run; sent twice with the same id it is one.

    Raises:
        BusError: it could not be stored.
    """
    try:
        await bus.store(bus.names.control(run), codec.encode(control), {"Nats-Msg-Id": f"{run}.{control.id}"})
    except TimeoutError as error:
        raise BusError("the bus does not answer; asking again is safe") from error


async def read_entries(bus: Bus, run: str) -> list[events.Entry]:
    """Return a run's log, oldest entry first; empty if it has none. What cannot be read is left out, with a warning."""
    return (await read_log(bus, run)).entries


class RunLog(NamedTuple):
    """A run's log, oldest entry first, and how many of its messages cannot be read."""

    entries: list[events.Entry]
    unreadable: int


async def read_log(bus: Bus, run: str) -> RunLog:
    """Return a run's log, and how much of it this version cannot read."""
    stored = await Log(bus, "RUNS", bus.names.events(run)).read()
    entries = [entry for entry in map(readable, stored) if entry is not None]
    return RunLog(entries, len(stored) - len(entries))


def readable(message: Stored) -> events.Entry | None:
    """Return a stored message of a run's log as an entry; None, with a warning, if it cannot be read."""
    try:
        return codec.decode(message.data, events.Entry)
    except msgspec.DecodeError as error:
        newer = " (it was written by a newer version)" if message.version > codec.VERSION else ""
        said = f"an entry of a run's log is left out{newer}"
        log.warning(said, log=message.subject, seq=message.seq, error=str(error))
        return None


def verdict_in(entries: list[events.Entry]) -> Verdict | None:
    """Return the verdict in a run's log, if it has been reached."""
    for entry in reversed(entries):
        for event in entry.events:
            if isinstance(event, events.VerdictReached):
                return event.verdict
    return None

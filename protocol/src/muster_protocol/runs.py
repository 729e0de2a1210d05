"""What anybody may do with runs from outside: submit, look up, control, watch."""

import re
import time
from typing import Any, cast

import msgspec
from nats.js.errors import NotFoundError

from muster_protocol import codec, events
from muster_protocol.bus import Bus, Log, NotStored, StoreRefused
from muster_protocol.control import Control
from muster_protocol.errors import BusError, InvalidRequest, Refused
from muster_protocol.ids import is_token, new_id, run_id_for
from muster_protocol.requests import Accepted, Rejected, RunRequest, SubmitReply, TestCase
from muster_protocol.values import PLACEHOLDER, SECRET, names, secret_names
from muster_protocol.verdicts import Verdict

LARGEST = 256 * 1024
"""Bytes of a request; its plan and its results must fit into messages of 1 MB."""

TOKEN_OF_SUBJECT = re.compile(r"[^\s.*>]{1,200}")
"""One token of a subject that one can publish to."""


def problems(request: RunRequest, prefix: str = "muster") -> tuple[str, ...]:
    """Return why a request cannot be run, one sentence each; empty if it can. Pure."""
    found: list[str] = []
    if request.id and not is_token(request.id):
        found.append(f"id {request.id!r} must be 1 to 64 letters, digits, '-' or '_'")
    if isinstance(request.job, TestCase):
        found += _case_problems(request.job)
    if request.reply_to and not may_be_told(request.reply_to, prefix):
        found.append(f"reply_to {request.reply_to!r} must be a subject of your own, or one below {prefix}.replies")
    return tuple(found)


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
    if len(data) > LARGEST:
        raise InvalidRequest([f"the request has {len(data)} bytes; at most {LARGEST} are taken, so split the case"])
    try:
        request = codec.decode(data, RunRequest)
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the request cannot be read: {error}"]) from error
    reasons = problems(request, prefix)
    if reasons:
        raise InvalidRequest(reasons)
    return request


def prepared(request: RunRequest, now: float) -> RunRequest:
    """Return the request with its run id and time; the id is derived from the idempotency key if there is one."""
    run = request.id or (run_id_for(request.idempotency_key) if request.idempotency_key else new_id("run"))
    return msgspec.structs.replace(request, id=run, requested_at=request.requested_at or now)


async def submit(bus: Bus, request: RunRequest, timeout: float = 10.0) -> Accepted:
    """Hand a request to the fleet and return what it was accepted as.

    Raises:
        InvalidRequest: it cannot be run.
        Refused: no orchestrator answers.
        TimeoutError: no answer came; submitting again with the same id or idempotency key is safe.
    """
    reply = cast("SubmitReply", await bus.request(bus.names.submit, request, cast("Any", SubmitReply), timeout))
    if isinstance(reply, Rejected):
        raise InvalidRequest(reply.reasons)
    return reply


async def store_request(bus: Bus, request: RunRequest) -> Accepted:
    """Store a valid request in the queue; the same run again is a duplicate, whatever its state.

    Raises:
        InvalidRequest: the id belongs to a different request.
        Refused: the queue is full.
    """
    request = prepared(request, time.time())
    known = await find_request(bus, request.id)
    if known is None:
        try:
            await bus.store(bus.names.request(request.id), codec.encode(request))
        except StoreRefused as error:
            known = await find_request(bus, request.id)
            if known is None:
                raise Refused(f"the queue takes no more requests now: {error}") from error
        except NotStored as error:
            raise Refused("the bus is not ready to take requests; try again") from error
        else:
            return Accepted(run=request.id)
    if (known.job, known.suite, known.labels) != (request.job, request.suite, request.labels):
        raise InvalidRequest([f"run {request.id!r} exists with another job; use another id or idempotency key"])
    return Accepted(run=request.id, duplicate=True)


async def find_request(bus: Bus, run: str) -> RunRequest | None:
    """Return the request of a run that is queued, live or over; None if there is no such run."""
    try:
        queued = await bus.js.get_last_msg(bus.names.stream("REQUESTS"), bus.names.request(run))
        return codec.decode(queued.data or b"", RunRequest)
    except (NotFoundError, msgspec.DecodeError):
        pass
    try:
        first = await bus.js.get_msg(bus.names.stream("RUNS"), seq=1, subject=bus.names.events(run), next=True)
    except NotFoundError:
        return None
    match codec.decode(first.data or b"", events.Entry).events:
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
    """Return a run's log, oldest entry first; empty if it has none."""
    stored = await Log(bus, "RUNS", bus.names.events(run)).read()
    return [codec.decode(message.data, events.Entry) for message in stored]


def verdict_in(entries: list[events.Entry]) -> Verdict | None:
    """Return the verdict in a run's log, if it has been reached."""
    for entry in reversed(entries):
        for event in entry.events:
            if isinstance(event, events.VerdictReached):
                return event.verdict
    return None

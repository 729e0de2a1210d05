"""Whether a request can be run, and why not. Pure."""

import re
from urllib.parse import urlsplit

import msgspec

from muster_protocol import codec
from muster_protocol.errors import InvalidRequest, TooLarge
from muster_protocol.ids import is_token, new_id, run_id_for
from muster_protocol.requests import DeviceSpec, RunRequest, TestCase
from muster_text.values import PLACEHOLDER, SECRET, names, secret_names

MAX_REQUEST_BYTES = 256 * 1024
"""Bytes of a request; its plan and its results must fit into messages of 1 MB."""
LONGEST_CORRELATION = 200
LONGEST_ADDRESS = 2000
MAX_TIME = 1e11
"""Unix seconds that no clock shows for a thousand years."""
TOKEN_OF_SUBJECT = re.compile(r"[^\s.*>]{1,200}")
"""One token of a subject that one can publish to."""


def problems(request: RunRequest, prefix: str = "muster") -> tuple[str, ...]:
    """Return why a request cannot be run, one sentence each; empty if it can. Pure."""
    found: list[str] = []
    if request.id and not is_token(request.id):
        found.append(f"id {request.id!r} must be 1 to 64 letters, digits, '-' or '_'")
    if isinstance(request.job, TestCase):
        found += _find_case_problems(request.job)
    if not is_header(request.correlation_id):
        found.append(f"correlation_id must be at most {LONGEST_CORRELATION} printable ASCII characters in one line")
    if not 0 <= request.requested_at < MAX_TIME:
        found.append("requested_at must be Unix seconds, or left out")
    if request.reply_to and not is_reply_subject(request.reply_to, prefix):
        found.append(f"reply_to {request.reply_to!r} must be a subject of your own, or one below {prefix}.replies")
    if request.webhook and not is_web_address(request.webhook):
        found.append("webhook must be an http:// or https:// address without a login in it, of at most 2000 characters")
    return tuple(found)


def is_header(text: str) -> bool:
    """Return whether a text can stand in a header as it is: short, printable, no line break, no space at its ends."""
    return len(text) <= LONGEST_CORRELATION and text.isascii() and text.strip() == text and text.isprintable()


def is_web_address(address: str) -> bool:
    """Return whether something may be posted to an address: one of HTTP, with a host and without a login. Pure."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    printable = address.isascii() and address.isprintable() and " " not in address and len(address) <= LONGEST_ADDRESS
    return printable and parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc


def is_reply_subject(subject: str, prefix: str) -> bool:
    """Return whether a verdict may be published on a subject a stranger names: a plain one outside the fleet's own."""
    tokens = subject.split(".")
    plain = all(TOKEN_OF_SUBJECT.fullmatch(token) for token in tokens) and not subject.startswith("$")
    return plain and (tokens[0] != prefix or tokens[1:2] == ["replies"])


def _find_case_problems(case: TestCase) -> list[str]:
    found: list[str] = []
    if not any(step.expected.strip() for step in case.steps):
        found.append(f"test case {case.name!r} expects nothing: at least one step needs an 'expected'")
    found += _device_problems(case.device) if case.device else []
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


def _device_problems(device: DeviceSpec) -> list[str]:
    described = bool(device.definition or device.source)
    if device.kind == "screens" and not described:
        return ["a device 'screens' needs an 'app': the file that describes its screens"]
    if device.kind != "screens" and (described or device.faults):
        return [f"'app' and 'faults' are for a device 'screens', and this case has 'device: {device.kind}'"]
    return []


def decode_request(data: bytes, prefix: str = "muster", run: str = "") -> RunRequest:
    """Return a request from JSON; `run` is the id of the run that the subject it was published on names, if any.

    Raises:
        TooLarge, InvalidRequest: it is no JSON, lacks something, or cannot be run.
    """
    check_size(len(data))
    try:
        request = codec.decode(data, RunRequest)
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the request cannot be read: {error}"]) from error
    request = msgspec.structs.replace(request, id=run) if run else request
    if reasons := problems(request, prefix):
        raise InvalidRequest(reasons)
    return request


def check_size(size: int) -> None:
    """Refuse a request of so many bytes if the bus does not take it.

    Raises:
        TooLarge: it does not.
    """
    if size > MAX_REQUEST_BYTES:
        raise TooLarge([f"the request has {size} bytes; at most {MAX_REQUEST_BYTES} are taken, so split the case"])


def with_id_and_time(request: RunRequest, now: float) -> RunRequest:
    """Return the request with its run id and time; the id is derived from the idempotency key if there is one."""
    run = request.id or (run_id_for(request.idempotency_key) if request.idempotency_key else new_id("run"))
    return msgspec.structs.replace(request, id=run, requested_at=request.requested_at or now)

"""Validates requests. Pure."""

import re
from urllib.parse import urlsplit

import msgspec

from muster_protocol import codec
from muster_protocol.errors import InvalidRequest, TooLarge
from muster_protocol.graphs import explored_app
from muster_protocol.ids import is_token, new_id
from muster_protocol.requests import Assignment, DeviceSpec, Exploration, RunRequest, TestCase
from muster_text.sentences import action_excess, expectation_excess
from muster_text.values import PLACEHOLDER, SECRET, placeholder_names, secret_names

MAX_REQUEST_BYTES = 256 * 1024
"""Bytes; the plan and results of a request must fit into messages of 1 MB."""
LONGEST_CORRELATION = 200
LONGEST_ADDRESS = 2000
MOST = {
    "steps": 2_000,
    "preconditions": 500,
    "variables": 1_000,
    "secrets": 500,
    "tags": 500,
    "covers": 500,
    "domains": 500,
}
"""Entries per case."""
LONGEST_TITLE, MOST_LABELS = 1_000, 100
"""Characters of a name, a suite, a tag or a label, and labels of a run: each list of runs carries them."""
MOST_TOLD, LONGEST_REASON = 20, 500
"""Reasons reported for a request, and characters of each."""
LONGEST_SUBJECT = 500
LONGEST_NAME = 80
"""Characters of the name that an assignment gets by its goal."""
UNNAMED = "assignment"
SERVERS = ("$", "_R_", "_GR_")
"""Prefixes of subjects reserved for the NATS server."""
MAX_TIME = 1e11
"""Unix seconds, three thousand years from now."""
TOKEN_OF_SUBJECT = re.compile(r"[^\s.*>]{1,200}")
"""One token of a subject without wildcards."""


def find_problems(request: RunRequest, prefix: str = "muster") -> tuple[str, ...]:
    """Return why a request cannot be run, up to `MOST_TOLD` reasons of one sentence; empty if it can."""
    found = [
        one if len(one) <= LONGEST_REASON else f"{one[:LONGEST_REASON]}…" for one in _all_problems(request, prefix)
    ]
    more = len(found) - MOST_TOLD
    return (*found[:MOST_TOLD], f"and {more:,} more problems") if more > 0 else tuple(found)


def _all_problems(request: RunRequest, prefix: str) -> list[str]:
    found: list[str] = []
    if request.id and not is_token(request.id):
        found.append(f"id {request.id!r} must be 1 to 64 letters, digits, '-' or '_'")
    found += _find_long_titles(request)
    if isinstance(request.job, TestCase):
        found += _find_case_problems(request.job)
    if isinstance(request.job, Exploration):
        found += _find_exploration_problems(request.job)
    if isinstance(request.job, Assignment):
        found += _find_assignment_problems(request.job)
    if not is_header(request.correlation_id):
        found.append(f"correlation_id must be at most {LONGEST_CORRELATION} printable ASCII characters in one line")
    if not 0 <= request.requested_at < MAX_TIME:
        found.append("requested_at must be Unix seconds, or left out")
    if request.reply_to and not is_reply_subject(request.reply_to, prefix):
        found.append(
            f"reply_to {request.reply_to!r} must be a plain subject outside {prefix} or below {prefix}.replies"
        )
    if request.webhook and not is_web_address(request.webhook):
        found.append("webhook must be an http:// or https:// address without a login, of at most 2000 characters")
    return found


def _find_long_titles(request: RunRequest) -> list[str]:
    titles = [("the name", request.job.name), ("suite", request.suite)]
    titles += [("a tag", tag) for tag in request.tags]
    titles += [(f"label {name[:40]!r}", text) for name, value in request.labels.items() for text in (name, value)]
    found = [
        f"{what} has {len(text):,} characters, the limit is {LONGEST_TITLE:,}"
        for what, text in titles
        if len(text) > LONGEST_TITLE
    ]
    if len(request.labels) > MOST_LABELS:
        found.append(f"a run has at most {MOST_LABELS} labels, not {len(request.labels):,}")
    return found


def is_header(text: str) -> bool:
    """Return whether a text is a valid header value: short, printable ASCII, no line break, no space at its ends."""
    return len(text) <= LONGEST_CORRELATION and text.isascii() and text.strip() == text and text.isprintable()


def is_web_address(address: str) -> bool:
    """Return whether an address is a valid webhook: http(s), with a host and without a login."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    printable = address.isascii() and address.isprintable() and " " not in address and len(address) <= LONGEST_ADDRESS
    return printable and parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc


def is_reply_subject(subject: str, prefix: str) -> bool:
    """Return whether a verdict may be published on a caller's subject: no wildcards, not one of the fleet's own."""
    tokens = subject.split(".")
    plain = all(TOKEN_OF_SUBJECT.fullmatch(token) for token in tokens) and len(subject) <= LONGEST_SUBJECT
    if not subject.isprintable() or subject.startswith(SERVERS):
        return False
    return plain and (tokens[0] != prefix or tokens[1:2] == ["replies"])


def may_hear(first: RunRequest, again: RunRequest, prefix: str) -> bool:
    """Return whether a repeated request may get the verdict of the first on its own `reply_to`.

    Below `<prefix>.replies.<user>` both must name the same user. Elsewhere both must have the same idempotency key.
    """
    if again.reply_to in ("", first.reply_to):
        return True
    user, other = (_reply_user(request.reply_to, prefix) for request in (first, again))
    if user or other:
        return user == other
    return bool(first.idempotency_key) and first.idempotency_key == again.idempotency_key


def _reply_user(subject: str, prefix: str) -> str:
    tokens = subject.split(".")
    return tokens[2] if tokens[:2] == [prefix, "replies"] and len(tokens) > 3 else ""


def undeclared_secret(name: str) -> str:
    """Return what is said of a secret that a case uses without naming it."""
    return f"${{secret:{name}}} is used but {name!r} is not listed under secrets"


def _find_case_problems(case: TestCase) -> list[str]:
    found: list[str] = []
    if not any(step.expected.strip() for step in case.steps):
        found.append(f"test case {case.name!r} expects nothing: at least one step needs an 'expected'")
    found += _device_problems(case.device) if case.device else []
    sessions = sorted({step.session for step in case.steps})
    if case.device is not None and case.device.name and len(sessions) > 1:
        found.append(
            f"the phone {case.device.name!r} has one session at a time, and the steps name {', '.join(sessions)}"
        )
    found += _find_excess(case)
    for name in sorted({name for text in case.texts for name in secret_names(text)} - set(case.secrets)):
        found.append(undeclared_secret(name))
    for name in sorted({step.session for step in case.steps if not is_token(step.session)}):
        found.append(f"session {name!r} must be 1 to 64 letters, digits, '-' or '_'")
    for name in case.secrets:
        if not PLACEHOLDER.fullmatch(f"${{{name}}}") or not SECRET.fullmatch(f"${{secret:{name}}}"):
            found.append(f"secret {name!r} is not a valid name (letters, digits and _): list names, never values")
    for name, value in case.variables.items():
        if not PLACEHOLDER.fullmatch(f"${{{name}}}"):
            found.append(f"variable {name!r} is not a valid name (letters, digits, '_', '.' and '-')")
        if secret_names(value):
            found.append(f"variable {name!r} contains a secret: use ${{secret:…}} in the step itself")
        found += [
            f"variable {name!r} uses ${{{used}}}: variables cannot use variables" for used in placeholder_names(value)
        ]
    return found


def _find_exploration_problems(job: Exploration) -> list[str]:
    app = job.device is not None and job.device.kind in ("screens", "appium")
    found = _device_problems(job.device) if job.device else []
    if job.device is not None and job.device.kind == "none":
        found.append("an exploration needs a device: a browser, or a simulated app")
    if app and job.url:
        found.append("url is for a browser; an app begins where it is started")
    if not app and not is_web_address(job.url):
        found.append(f"url {job.url!r} must be a full web address such as https://shop.example/")
    if "focused" in job.policies and not job.focus:
        found.append("the policy 'focused' needs a focus: words of the part of the app")
    if "goal" in job.policies and not job.goal:
        found.append("the policy 'goal' needs a goal, such as: The page title contains \"Cart\"")
    names = [node.name for node in job.nodes]
    found += [f"two nodes are called {name!r}" for name in sorted({name for name in names if names.count(name) > 1})]
    found += [
        f"the node {name!r} must be called by letters, digits, '-' or '_'" for name in names if not is_token(name)
    ]
    found += [f"the node {node.name!r} has nothing to do" for node in job.nodes if not node.do and not node.expect]
    texts = [*job.values.values(), *(sentence for node in job.nodes for sentence in node.do)]
    undeclared = {name for text in texts for name in secret_names(text)} - set(job.secrets)
    return found + [undeclared_secret(name) for name in sorted(undeclared)]


def _find_assignment_problems(job: Assignment) -> list[str]:
    found = [] if is_token(job.agent) else [f"agent {job.agent!r} must be an agent's id, such as researcher"]
    if job.notes_on and not is_token(job.notes_on):
        found.append(f"notes_on {job.notes_on!r} must be the id of a run")
    if job.workspace and not is_token(job.workspace):
        found.append(
            f"workspace {job.workspace!r} must be the name of a workspace that a session host serves, not a path"
        )
    if job.url and not is_web_address(job.url):
        found.append("url must be an http:// or https:// address without a login, of at most 2000 characters")
    found += _device_problems(job.device) if job.device else []
    found += [
        f"an assignment has at most {MOST[name]:,} {name}, not {size:,}"
        for name, size in (("secrets", len(job.secrets)), ("domains", len(job.domains)))
        if size > MOST[name]
    ]
    found += [
        f"an expectation is too long: {excess}" for text in job.acceptance if (excess := expectation_excess(text))
    ]
    texts = (job.goal, *job.inputs.values(), *job.acceptance)
    return found + [
        undeclared_secret(name)
        for name in sorted({it for text in texts for it in secret_names(text)} - set(job.secrets))
    ]


def _find_excess(case: TestCase) -> list[str]:
    """Return which limits on counts and lengths a case exceeds."""
    sizes = {name: len(getattr(case, name)) for name in MOST}
    found = [
        f"a case has at most {MOST[name]:,} {name}, not {size:,}" for name, size in sizes.items() if size > MOST[name]
    ]
    texts = [
        (f"precondition {number} is too long", action_excess(text)) for number, text in enumerate(case.preconditions, 1)
    ]
    for number, step in enumerate(case.steps, 1):
        texts += [
            (f"the action of step {number} is too long", action_excess(step.action)),
            (f"the expectation of step {number} is too long", expectation_excess(step.expected)),
        ]
    return found + [f"{what}: {excess}" for what, excess in texts if excess]


def _device_problems(device: DeviceSpec) -> list[str]:
    described = bool(device.definition or device.source)
    if device.kind == "screens" and not described:
        return ["'device: screens' needs an 'app': the file that describes its screens"]
    if device.name and (device.kind != "appium" or not is_token(device.name)):
        return [f"'phone' needs 'device: appium' and a name that a session host gives a phone, not {device.name!r}"]
    if device.kind != "screens" and (described or device.faults):
        return [f"'app' and 'faults' need 'device: screens', and this case has 'device: {device.kind}'"]
    return []


def decode_request(data: bytes, prefix: str = "muster", run: str = "") -> RunRequest:
    """Return a request from JSON; `run` is the run id in the subject it was published on, if any.

    Raises:
        TooLarge, InvalidRequest: the JSON is invalid, or the request cannot be run.
    """
    check_size(len(data))
    try:
        request = codec.decode_asked(data, RunRequest)
    except msgspec.DecodeError as error:
        raise InvalidRequest([f"the request cannot be read: {error}"]) from error
    request = msgspec.structs.replace(request, id=run) if run else request
    if reasons := find_problems(request, prefix):
        raise InvalidRequest(reasons)
    return request


def check_size(size: int) -> None:
    """Check the size of a request in bytes.

    Raises:
        TooLarge: it has more than `MAX_REQUEST_BYTES`.
    """
    if size > MAX_REQUEST_BYTES:
        raise TooLarge([f"the request has {size} bytes, the limit is {MAX_REQUEST_BYTES}; split the case"])


def with_id_and_time(request: RunRequest, now: float) -> RunRequest:
    """Return the request with an id (random if missing), a time, and a name for its assignment.

    The time is `now` if it is missing or later: the sender's clock may be wrong.
    """
    job = request.job
    if isinstance(job, Assignment):
        job = named_by_goal(job)
    elif isinstance(job, Exploration) and job.name == Exploration().name:
        job = msgspec.structs.replace(job, name=f"Explore {explored_app(job)}"[:LONGEST_NAME])
    id, at = request.id or new_id("run"), min(request.requested_at or now, now)
    return msgspec.structs.replace(request, job=job, id=id, requested_at=at)


def named_by_goal(assignment: Assignment) -> Assignment:
    """Return an assignment that is called by its goal, unless it has a name."""
    if assignment.name != UNNAMED:
        return assignment
    said = " ".join(assignment.goal.split())
    name = said if len(said) <= LONGEST_NAME else f"{said[: LONGEST_NAME - 1]}…"
    return msgspec.structs.replace(assignment, name=name or UNNAMED)

"""Run requests, and the replies to them."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

MAIN = "main"
"""Name of the session of steps that name none."""
Priority = Literal["high", "normal"]
PRIORITIES: tuple[Priority, ...] = ("high", "normal")
RecordMode = Literal["off", "on", "on-failure"]
"""What is kept of a session when it ends: nothing, all that was recorded, or that only unless the run passed."""
RecordWish = Literal["", "off", "on", "on-failure"]
"""The same as a request asks for it; empty: as the session host is set."""


class Limits(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Bounds of a run; whichever is reached first ends it. None means no bound of its own."""

    timeout_seconds: Annotated[float, Meta(gt=0)] | None = None
    """Wall time from the first event of the run to its verdict."""
    max_subtasks: Annotated[int, Meta(ge=1, le=10_000)] | None = None
    """What planning and recovery together may add up to."""
    max_calls: Annotated[int, Meta(ge=1)] | None = None
    max_tokens: Annotated[int, Meta(ge=1)] | None = None
    max_cost: Annotated[float, Meta(gt=0)] | None = None
    """Money, in the currency of the price table."""


class Written(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step as its author wrote it, in sentences of the team's own that stand for several steps."""

    action: str
    expected: str = ""
    steps: Annotated[int, Meta(ge=1)] = 1
    """How many steps it stands for: this one and those after it."""


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One written step: what to do and what is then expected."""

    action: Annotated[str, Meta(min_length=1)]
    expected: str = ""
    """Empty: the step passes if each of its actions had its effect, and is marked unverified."""
    session: str = MAIN
    """Name of the session it works in; steps of different sessions are carried out at once."""
    written: Written | None = None
    """What was written where sentences of one's own stood; it is for people, and nothing is carried out by it."""


DeviceKind = Literal["web", "screens", "none"]
DEVICE_KINDS: tuple[DeviceKind, ...] = get_args(DeviceKind)


class DeviceSpec(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The device that the sessions of a case hold."""

    kind: DeviceKind
    """A browser, an app simulated from a file, or no device: commands and requests alone."""
    definition: str = ""
    """Text of the file that describes the app of `screens`."""
    source: str = ""
    """Name of that file, for errors."""
    faults: tuple[str, ...] = ()
    """Faults of the app that are switched on."""


class TestCase(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="test_case"
):
    """A test case as a person writes it."""

    __test__ = False  # the name starts with Test; keep pytest from collecting it

    name: Annotated[str, Meta(min_length=1, max_length=300)]
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    preconditions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    variables: dict[str, str] = {}
    """Used in steps as `${name}`."""
    secrets: tuple[str, ...] = ()
    """Names only; used as `${secret:NAME}`, resolved by the worker inside a tool call."""
    domains: tuple[str, ...] = ()
    """Hosts the browser may visit; empty means any."""
    device: DeviceSpec | None = None
    """None: a browser, which is started once a step needs it."""


class Drill(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="drill"
):
    """A chain of sub-tasks that do nothing, to size and exercise a fleet without a browser."""

    name: str = "drill"
    count: Annotated[int, Meta(ge=1, le=10_000)] = 10
    wait_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """How long each sub-task waits."""
    cpu_seconds: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """How much processor time each sub-task burns."""


Job = TestCase | Drill


class RunRequest(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A request to run a job; published on `muster.requests.<id>` or sent to `muster.submit`."""

    job: Job
    id: str = ""
    """The run's id, one subject token; made by whoever submits when empty."""
    suite: str = ""
    labels: dict[str, str] = {}
    priority: Priority = "normal"
    limits: Limits = Limits()
    reply_to: str = ""
    """A NATS subject that gets the verdict."""
    webhook: str = ""
    record: RecordWish = ""
    """Whether trace, HAR, console and downloads of its sessions are kept; empty: as the session host is set."""
    idempotency_key: str = ""
    """Requests with the same key are one run."""
    correlation_id: str = ""
    """Whatever the sender knows the request by; comes back in the verdict and, on NATS, in its headers."""
    rerun_of: str = ""
    """Id of the run that this one repeats."""
    requested_at: float = 0.0
    """Unix seconds; set by whoever stores the request."""
    traceparent: str = ""
    """The span that asked for the run (W3C Trace Context); the run's own span is below it."""


class Accepted(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="accepted"):
    """The request is stored; it will end in exactly one verdict."""

    run: str
    duplicate: bool = False
    """The run was there before (same id or same idempotency key)."""


RejectedKind = Literal["invalid", "conflict", "busy"]
"""`invalid`: it cannot be run; `conflict`: its id belongs to another request; `busy`: later it may be taken."""


class Rejected(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="rejected"):
    """The request was not stored."""

    reasons: tuple[str, ...]
    kind: RejectedKind = "invalid"


SubmitReply = Accepted | Rejected


CORRELATION = "Correlation-Id"
"""Header of what goes to a `reply_to`: the request's correlation id."""


def correlation_headers(id: str) -> dict[str, str]:
    """Return the headers that carry a correlation id; none if it is empty."""
    return {CORRELATION: id} if id else {}

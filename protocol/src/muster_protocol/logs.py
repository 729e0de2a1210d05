"""Log lines of runs, stored on `muster.logs.<run>.<source>`, and rows of the lists of runs and processes."""

from typing import Literal

from msgspec import Struct

from muster_protocol.requests import DeviceKind, RunRequest, TestCase
from muster_protocol.tool_calls import ArtifactRef

LogKind = Literal[
    "thinking",
    "tool_call",
    "tool_result",
    "skill_loaded",
    "skill_unloaded",
    "message",
    "picture",
    "decision",
    "transition",
    "progress",
    "result",
    "error",
    "verdict",
]
Level = Literal["debug", "info", "warning", "error"]


class Transition(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A step of the machine that a sub-task works by, such as that of an exploration's tour."""

    source: str
    """The node that it leaves."""
    target: str
    """The node that it enters; the same one if it is tried again."""
    guard: str
    """The rule that let it pass, such as `attempt 2 of 3`."""
    reason: str = ""
    """What had happened; empty: the node did what it is for."""
    until: float = 0.0
    """Unix seconds until which it waits; 0: it does not."""


class LogLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One log line of a run: text for people, fields for programs."""

    kind: LogKind
    text: str
    """Such as `[Sub-agent] click("Login")`."""
    level: Level = "info"
    node: str = ""
    task: str = ""
    position: int = 0
    total: int = 0
    tool: str = ""
    status: str = ""
    duration_ms: float = 0.0
    artifacts: tuple[str, ...] = ()
    """Names of artifacts that the line is about, as in the object store (`<run>/<part>/<file>`)."""
    picture: ArtifactRef | None = None
    """Of kind `picture`: what can be fetched now, with its digest."""
    transition: Transition | None = None
    """Of kind `transition`: what the machine did."""


class LogRecord(LogLine, frozen=True, kw_only=True, omit_defaults=True):
    """A stored log line, with its source and time."""

    run: str
    source: str
    """`orchestrator`, or the id of a worker, session host or gateway: one subject token."""
    number: int
    """Numbers this source's records of the run, so that a gap shows."""
    at: float


ServiceName = Literal["orchestrator", "subagent", "sessions", "gateway"]
RunStatus = Literal["queued", "running", "paused", "parked", "pass", "fail", "done", "failed"]


class FailureSite(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where a run failed, without numbers, ids and hosts, so that fails of one kind are alike."""

    clause: str = ""
    """The clause that was refuted."""
    page: str = ""
    """Path of the page on which it was."""
    request: str = ""
    """Path of the request whose answer refuted it."""


CONVERSATION = "conversation"
"""Tag of the job whose runs stand in a list of their own."""


class RunRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A run in the list of runs; the key in the bucket RUN_LIST is the run's id."""

    run: str
    name: str
    status: RunStatus
    job: str = ""
    """Tag of its job, such as `conversation`; empty: a test case."""
    cause: str = ""
    summary: str = ""
    site: FailureSite | None = None
    """Where it failed."""
    suite: str = ""
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    done: int = 0
    """Number of the plan's `total` sub-tasks that have passed."""
    total: int = 0
    """How many sub-tasks the plan has, without recoveries; 0 before there is a plan."""
    requested_at: float = 0.0
    started_at: float = 0.0
    ended_at: float = 0.0
    owner: str = ""
    tokens: int = 0
    """Input and output tokens of all model calls so far; `cost` is in the currency of the price table."""
    cost: float = 0.0
    model_calls: int = 0
    rerun_of: str = ""
    """Id of the run that this one repeats."""
    control: str = ""
    """Id of the control applied last."""
    parked_until: float = 0.0
    """Unix seconds at which the wait of a parked run times out."""
    sequence: int = 0
    """Sequence of the log message that the row was made from; a lower one never replaces a higher one."""


def job_tag(request: RunRequest) -> str:
    """Return the tag of a request's job as rows have it."""
    return "" if isinstance(request.job, TestCase) else str(request.job.__struct_config__.tag)


def queued_row(run: str, request: RunRequest | None, stored_at: float = 0.0) -> RunRow:
    """Return the row of a queued run; `stored_at` (Unix seconds) stands in for a missing or later `requested_at`."""
    if request is None:
        return RunRow(run=run, name=run, status="queued", requested_at=stored_at)
    return RunRow(
        run=run,
        name=request.job.name,
        status="queued",
        job=job_tag(request),
        suite=request.suite,
        labels=request.labels,
        tags=request.tags,
        requested_at=min(request.requested_at or stored_at, stored_at or request.requested_at),
        rerun_of=request.rerun_of,
    )


class Talker(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An agent with which people may open a conversation."""

    id: str
    nickname: str = ""
    """Shown to people instead of the id."""
    description: str = ""
    suggestions: tuple[str, ...] = ()
    """Messages to begin with."""


class PhoneRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A phone of a session host."""

    name: str
    platform: str
    """`android`, `ios`, `web`, or `other`."""
    session: str = ""
    """The session that has it, as `<run>.<name>`; empty: it is free."""


class WorkerRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A live process; the key in the bucket WORKERS is its id."""

    id: str
    service: ServiceName
    host: str
    pid: int
    version: str
    slots: dict[str, int] = {}
    busy: dict[str, int] = {}
    devices: tuple[DeviceKind, ...] = ()
    """The kinds of device that a session host offers."""
    workspaces: tuple[str, ...] = ()
    """The names under which a session host serves folders and git revisions."""
    talkers: tuple[Talker, ...] = ()
    """The agents of a worker that answer in conversations."""
    phones: tuple[PhoneRow, ...] = ()
    """The phones of a session host, and who has them."""
    warnings: tuple[str, ...] = ()
    """Shown to operators, such as that its commands run without a sandbox."""
    started_at: float = 0.0
    seen_at: float = 0.0

"""Log records: what people watch, stored on `muster.logs.<run>.<source>`."""

from typing import Literal

from msgspec import Struct

from muster_protocol.requests import DeviceKind, RunRequest, TestCase

LogKind = Literal[
    "thinking", "tool_call", "tool_result", "message", "decision", "progress", "result", "error", "verdict"
]
Level = Literal["debug", "info", "warning", "error"]


class LogLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a source says of a run, as people read it, with what machines need beside it."""

    kind: LogKind
    text: str
    """The line, e.g. `[Sub-agent] click("Login")`."""
    level: Level = "info"
    node: str = ""
    task: str = ""
    position: int = 0
    total: int = 0
    tool: str = ""
    status: str = ""
    duration_ms: float = 0.0
    artifacts: tuple[str, ...] = ()
    """Names of the artefacts the line is about, as in the object store (`<run>/<part>/<file>`)."""


class LogRecord(LogLine, frozen=True, kw_only=True, omit_defaults=True):
    """A line as it is stored, with who said it, and when."""

    run: str
    source: str
    """`orchestrator`, or the id of a worker, a session host or a gateway: one subject token."""
    number: int
    """Counts the records of this source, so that a gap shows."""
    at: float


RunStatus = Literal["queued", "running", "paused", "parked", "pass", "fail"]


class RunRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One run as the list shows it; the RUN_LIST bucket holds it under the run's id."""

    run: str
    name: str
    status: RunStatus
    cause: str = ""
    summary: str = ""
    suite: str = ""
    labels: dict[str, str] = {}
    tags: tuple[str, ...] = ()
    done: int = 0
    """How many of the plan's sub-tasks have passed, of `total`; one that failed or was left out is not done."""
    total: int = 0
    """How many sub-tasks the plan has, recoveries not counted; 0 before there is a plan."""
    requested_at: float = 0.0
    started_at: float = 0.0
    ended_at: float = 0.0
    owner: str = ""
    tokens: int = 0
    """Of all model calls so far, input and output together; `cost` is in the currency of the price table."""
    cost: float = 0.0
    model_calls: int = 0
    rerun_of: str = ""
    """Id of the run that this one repeats."""
    control: str = ""
    """Id of the control applied last."""
    parked_until: float = 0.0
    """Unix seconds at which a parked run has waited too long."""
    sequence: int = 0
    """Sequence of the run-log message it was made from; an older one never replaces a newer one."""


def queued_row(run: str, request: RunRequest | None, stored_at: float = 0.0) -> RunRow:
    """Return the row of a run that nobody has begun; `stored_at` (unix seconds) is for a request without a time."""
    if request is None:
        return RunRow(run=run, name=run, status="queued", requested_at=stored_at)
    return RunRow(
        run=run,
        name=request.job.name,
        status="queued",
        suite=request.suite,
        labels=request.labels,
        tags=request.job.tags if isinstance(request.job, TestCase) else (),
        requested_at=request.requested_at or stored_at,
        rerun_of=request.rerun_of,
    )


class WorkerRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A live process as the WORKERS bucket lists it, under its id."""

    id: str
    service: Literal["orchestrator", "subagent", "sessions", "gateway"]
    host: str
    pid: int
    version: str
    slots: dict[str, int] = {}
    busy: dict[str, int] = {}
    devices: tuple[DeviceKind, ...] = ()
    """The kinds of device that a session host can keep."""
    warnings: tuple[str, ...] = ()
    """What operators should know of it, such as that its commands run without a sandbox."""
    started_at: float = 0.0
    seen_at: float = 0.0

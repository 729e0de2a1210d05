"""Verdicts: how a run ended, and why."""

from typing import Literal

from msgspec import Struct

from muster_protocol.causes import Cause
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Usage


class VerdictSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a run ended, without its results."""

    run: str
    name: str
    """Name of the job."""
    status: Literal["pass", "fail"]
    summary: str = ""
    suite: str = ""
    labels: dict[str, str] = {}
    correlation_id: str = ""
    """From the request."""
    tags: tuple[str, ...] = ()
    failed_node: str = ""
    expected: str = ""
    seen: str = ""
    where: str = ""
    unverified: int = 0
    """How many sub-tasks passed without an expectation, or with one that held before although nothing has changed."""
    duration: float = 0.0
    """Seconds from the first event to the verdict."""
    ended_at: float = 0.0


class Verdict(VerdictSummary, frozen=True, kw_only=True, omit_defaults=True):
    """How a run ended, with its results; a run has exactly one."""

    cause: Cause | None = None
    """Set if the run failed."""
    results: tuple[SubTaskResult, ...] = ()
    """The accepted results of sub-tasks with their evidence, in the order they ended; see `omitted`."""
    omitted: int = 0
    """How many results are left out so that the verdict fits into one message; the run's log has them all."""
    total_iterations: int = 0
    usage: Usage = Usage()

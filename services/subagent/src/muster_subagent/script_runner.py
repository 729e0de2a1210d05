"""Runs a script: a list of tool calls made without a model, from the first to the result."""

import time
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from muster_protocol.causes import Failure
from muster_protocol.journal import CallStarted
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import CHANGING, ToolCall
from muster_subagent.results import Made, blank, concluded, failed
from muster_subagent.tool_executor import ToolExecutor


async def run_script(task: SubTask, executor: ToolExecutor, calls: Sequence[ToolCall]) -> SubTaskResult:
    """Make the calls in order, stop at the first that does not come out well, and return the result.

    Raises:
        SessionLost: the session is gone or another worker drives it.
        Fenced, ClaimLost: another worker holds the sub-task.
    """
    started = time.monotonic()
    complete = await make_all(executor, calls)
    result = concluded(task, executor.made, complete=complete, seconds=time.monotonic() - started)
    return blamed_on_takeover(result, executor.made)


async def make_all(executor: ToolExecutor, calls: Sequence[ToolCall]) -> bool:
    """Make calls until one does not come out well; return whether all did."""
    for call in calls:
        made = await executor.make(call)
        if made.outcome.status != "ok":
            return False
    return True


def diverged(task: SubTask, started: Collection[CallStarted], why: str) -> SubTaskResult:
    """Return the result of a sub-task whose journal tells of other calls than those to be made: an error if nothing was
    done yet, so that it may be tried again; else a fail, for what was done is not repeated. Pure."""
    changed = [entry.index for entry in started if entry.effect in CHANGING]
    acted = any(entry.effect == "act" for entry in started)
    result = failed(blank(task), Failure.IN_FLIGHT_LOST if changed else Failure.INFRASTRUCTURE, why)
    return replace(result, status="fail" if changed else "error", acted=acted, last_act=max(changed, default=-1))


def blamed_on_takeover(result: SubTaskResult, made: Sequence[Made]) -> SubTaskResult:
    """Return the result; a fail after an act of unknown effect says nothing about the product. An error says nothing of
    it in any case. Pure."""
    unknown = any(step.outcome.failure == Failure.IN_FLIGHT_LOST for step in made)
    if not unknown or result.status != "fail":
        return result
    summary = f"an action was under way when its worker was lost and is not repeated; {result.summary}"
    return failed(result, Failure.IN_FLIGHT_LOST, summary)

"""Runs a script: a list of tool calls made without a model, from the first to the result."""

import time
from collections.abc import Sequence

from msgspec.structs import replace

from muster_protocol.causes import Failure, cause_of
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tools import ToolCall
from muster_subagent.hands import Hands
from muster_subagent.results import Made, concluded


async def run_script(task: SubTask, hands: Hands, calls: Sequence[ToolCall]) -> SubTaskResult:
    """Make the calls in order, stop at the first that does not come out well, and return the result.

    Raises:
        SessionLost: the session is gone or another worker drives it.
        Fenced, ClaimLost: another worker holds the sub-task.
    """
    started = time.monotonic()
    complete = await make_all(hands, calls)
    result = concluded(task, hands.made, complete=complete, seconds=time.monotonic() - started)
    return blamed_on_takeover(result, hands.made)


async def make_all(hands: Hands, calls: Sequence[ToolCall]) -> bool:
    """Make calls until one does not come out well; return whether all did."""
    for call in calls:
        made = await hands.make(call)
        if made.outcome.status != "ok":
            return False
    return True


def blamed_on_takeover(result: SubTaskResult, made: Sequence[Made]) -> SubTaskResult:
    """Return the result; a fail after an act of unknown effect says nothing about the product. Pure."""
    unknown = any(step.outcome.failure == Failure.IN_FLIGHT_LOST for step in made)
    if not unknown or result.status == "pass":
        return result
    summary = f"an action was under way when its worker was lost and is not repeated; {result.summary}"
    failure = Failure.IN_FLIGHT_LOST
    return replace(result, status="fail", failure=failure, cause=cause_of(failure), summary=summary)

"""Doing nothing, to size and exercise a fleet."""

import asyncio
import time

from msgspec.structs import replace

from muster_protocol.kinds import NoopInput, NoopOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.results import blank
from muster_subagent.task_context import TaskContext


async def work(context: TaskContext) -> SubTaskResult:
    """Return a pass after as much time, and processor time, as the sub-task asks for."""
    asked = context.task.input
    assert isinstance(asked, NoopInput)
    if asked.wait_seconds:
        await asyncio.sleep(asked.wait_seconds)
    if asked.cpu_seconds:
        await asyncio.to_thread(_burn, asked.cpu_seconds)
    result = replace(blank(context.task), status="pass", summary="nothing done", unverified=True, source="script")
    return replace(result, output=NoopOutput())


def _burn(seconds: float) -> None:
    """Use processor time of this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass

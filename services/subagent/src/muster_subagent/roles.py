"""Roles as data: what each kind of sub-agent may use, and who performs it when no model is set."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple

from msgspec.structs import replace

from muster_protocol.causes import Failure
from muster_protocol.requests import Drill
from muster_protocol.tasks import Decision, SubTask, SubTaskResult
from muster_subagent.context import ToolContext
from muster_subagent.journal import Journal
from muster_subagent.lines import Lines
from muster_subagent.phrases import PhraseError
from muster_subagent.planner import calls_for, planned
from muster_subagent.results import blank, failed
from muster_subagent.script import Script


class Desk(NamedTuple):
    """What a sub-agent has before it: its task, its journal, its log, and its tools if the role has hands."""

    task: SubTask
    journal: Journal
    lines: Lines
    context: ToolContext | None


Performer = Callable[[Desk], Awaitable[SubTaskResult]]


class Role(NamedTuple):
    """A profile of a sub-agent. A model's loop is one more performer of the same roles."""

    name: str
    pool: Literal["think", "act"]
    groups: tuple[str, ...]
    """Tool groups it may use."""
    perform: Performer


async def perform_script(desk: Desk) -> SubTaskResult:
    """Carry out a written step by its phrases."""
    assert desk.context is not None
    try:
        calls = calls_for(desk.task)
    except PhraseError as error:
        return failed(blank(desk.task), Failure.UNKNOWN_PHRASE, str(error))
    return await Script(desk.task, desk.context, desk.journal, desk.lines).run(calls)


async def perform_planning(desk: Desk) -> SubTaskResult:
    """Plan a case as it is written."""
    return planned(desk.task)


async def perform_evaluation(desk: Desk) -> SubTaskResult:
    """Without a model there is no second opinion: every fail stops the run."""
    decision = Decision(action="stop", reason="no model is set")
    return replace(blank(desk.task), status="pass", summary=decision.reason, decision=decision, source="script")


async def perform_nothing(desk: Desk) -> SubTaskResult:
    """Do nothing, for as long and at the cost the drill asks for."""
    drill = desk.task.job
    if isinstance(drill, Drill):
        if drill.wait_seconds:
            await asyncio.sleep(drill.wait_seconds)
        if drill.cpu_seconds:
            await asyncio.to_thread(_burn, drill.cpu_seconds)
    return replace(blank(desk.task), status="pass", summary="nothing done", unverified=True, source="script")


def _burn(seconds: float) -> None:
    """Use processor time of this thread."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


ROLES = (
    Role("executor", "act", ("browser", "checks", "shell", "web", "values"), perform_script),
    Role("planner", "think", (), perform_planning),
    Role("evaluator", "think", (), perform_evaluation),
    Role("noop", "think", (), perform_nothing),
)
ROLES_BY_NAME = {role.name: role for role in ROLES}

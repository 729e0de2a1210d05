"""Roles as data: what each kind of sub-agent is told, which model it asks, what it may use, and who performs it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from muster_grammar import PhraseError
from muster_model import Models, TierName
from muster_protocol.causes import Failure
from muster_protocol.requests import Drill, TestCase
from muster_protocol.tasks import Decision, SubTask, SubTaskResult
from muster_subagent.agent.case_parts import Proposal
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent.prompts import EVALUATOR, EXECUTOR, PLANNER, SUMMARISER
from muster_subagent.agent.step_executor import carry_out
from muster_subagent.agent.thinking import Evaluation, evaluate, plan_case, sum_up
from muster_subagent.planner import calls_for, planned, unread_in
from muster_subagent.results import blank, failed
from muster_subagent.script_runner import diverged, run_script
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import ToolContext
from muster_subagent.tool_executor import Diverged, Hands


class Desk(NamedTuple):
    """What a sub-agent has before it: task, journal, log, models if there are any, and tools if its role has hands."""

    task: SubTask
    journal: Journal
    lines: Lines
    models: Models | None
    context: ToolContext | None


Performer = Callable[[Desk, "Role"], Awaitable[SubTaskResult]]


class Role(NamedTuple):
    """A profile of a sub-agent."""

    name: str
    pool: Literal["think", "act"]
    groups: tuple[str, ...]
    """Tool groups it may use."""
    perform: Performer
    tier: TierName | None = None
    """Which model it asks; None: none."""
    prompt: str = ""
    output: type[Struct] | None = None
    """The shape of its model's answer, where that is no tool call."""


async def perform_step(desk: Desk, role: Role) -> SubTaskResult:
    """Carry out a written step: by its phrases where they are known, else by a model."""
    assert desk.context is not None
    hands = Hands(desk.task, desk.context, desk.journal, desk.lines)
    try:
        return await _carried_out(desk, role, hands)
    except Diverged as error:
        return diverged(desk.task, desk.journal.progress.started.values(), str(error))


async def _carried_out(desk: Desk, role: Role, hands: Hands) -> SubTaskResult:
    asker = _asker(desk, role)
    if asker is not None:
        return await carry_out(hands, asker, desk.lines, role.groups)
    try:
        calls = calls_for(desk.task)
    except PhraseError as error:
        return failed(blank(desk.task), Failure.UNKNOWN_PHRASE, str(error))
    return await run_script(desk.task, hands, calls)


async def perform_planning(desk: Desk, role: Role) -> SubTaskResult:
    """Plan a case: as it is written where every sentence is a known phrase, else by a model."""
    asker, case = _asker(desk, role), desk.task.job
    if asker is None or not isinstance(case, TestCase) or not unread_in(case):
        return planned(desk.task)
    return await plan_case(desk.task, asker, desk.lines)


async def perform_evaluation(desk: Desk, role: Role) -> SubTaskResult:
    """Say what to do about a failure. Without a model there is no second opinion: every fail stops the run."""
    asker = _asker(desk, role)
    if asker is not None:
        return await evaluate(desk.task, asker)
    decision = Decision(action="stop", reason="no model is set")
    return replace(blank(desk.task), status="pass", summary=decision.reason, decision=decision, source="script")


async def perform_summary(desk: Desk, role: Role) -> SubTaskResult:
    """Sum up the state of a run."""
    asker = _asker(desk, role)
    if asker is None:
        return failed(blank(desk.task), Failure.MODEL_UNAVAILABLE, "no model is set at the workers")
    return await sum_up(desk.task, asker)


def _asker(desk: Desk, role: Role) -> Asker | None:
    tier = desk.models.tier(role.tier) if desk.models and role.tier else None
    return Asker(desk.task, desk.journal, desk.lines, desk.models, tier) if desk.models and tier else None


async def perform_nothing(desk: Desk, _role: Role) -> SubTaskResult:
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


HANDS = ("browser", "checks", "shell", "web", "search", "values", "people")

ROLES = (
    Role("executor", "act", HANDS, perform_step, tier="sub_agent", prompt=EXECUTOR),
    Role("planner", "think", (), perform_planning, tier="orchestrator", prompt=PLANNER, output=Proposal),
    Role("evaluator", "think", (), perform_evaluation, tier="orchestrator", prompt=EVALUATOR, output=Evaluation),
    Role("summariser", "think", (), perform_summary, tier="orchestrator", prompt=SUMMARISER),
    Role("noop", "think", (), perform_nothing),
)
ROLES_BY_NAME = {role.name: role for role in ROLES}

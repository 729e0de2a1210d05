"""Making a tour: the way to a state of an app, and what can be done there."""

from collections.abc import Collection

from msgspec.structs import replace

from muster_devices.errors import DeviceLost
from muster_protocol.explorations import Trial
from muster_protocol.journal import CallStarted
from muster_protocol.kinds import ExploreInput, ExploreOutput
from muster_protocol.tasks import SubTaskResult
from muster_subagent.exploring.tour_transitions import TourTransitions
from muster_subagent.exploring.tour_walk import TourWalk
from muster_subagent.results import blank
from muster_subagent.session_client import SessionRefused
from muster_subagent.task_context import TaskContext
from muster_subagent.tool_context import SessionLost
from muster_subagent.tool_executor import ToolExecutor


async def work(context: TaskContext) -> SubTaskResult:
    """Return what a tour has seen; one whose worker was lost while it acted is not made again."""
    tour, tools = context.task.input, context.tools
    assert isinstance(tour, ExploreInput)
    assert tools is not None, "a tour works in a session"
    started = context.journal.progress.started.values()
    if any(entry.effect == "act" for entry in started):
        return _result(context, ExploreOutput(trials=_begun_moves(started)))
    executor = ToolExecutor(context.task, tools, context.journal, context.lines)
    transitions = TourTransitions(context.lines.move, tools.secrets.mask)
    try:
        walk = TourWalk(tour, tools, executor, await tools.session.device(), transitions)
        return _result(context, await walk.walk())
    except SessionRefused as refused:
        return _result(context, ExploreOutput(broke_at=0, why=str(refused)))
    except DeviceLost as lost:
        raise SessionLost(lost.reason) from lost


def _begun_moves(started: Collection[CallStarted]) -> tuple[Trial, ...]:
    """Return the moves that a lost worker had begun; what came of them is not known. Pure."""
    tags = dict.fromkeys(entry.call.clause for entry in started if entry.call.clause.startswith("move "))
    return tuple(Trial(move=int(tag.removeprefix("move ")), outcome="unknown") for tag in tags)


def _result(context: TaskContext, output: ExploreOutput) -> SubTaskResult:
    tried, found = len(output.trials), len(output.findings)
    said = f"{tried} moves tried, {len(output.seen)} new states, {found} findings"
    summary = f"{output.why}; {said}" if output.why else said
    result = replace(blank(context.task), status="pass", summary=summary[:500], unverified=True, source="script")
    return replace(result, output=output, usage=context.journal.spent)

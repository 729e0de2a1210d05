"""Working towards an agent's goal, with the tools that its file and its order leave it."""

from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import ToolCall
from muster_subagent.agent.agent_loop import AgentLoop, Allowance
from muster_subagent.agent.assignment_end import find_schema_problem, finish_assignment
from muster_subagent.agent.assignment_judge import AssignmentJudge
from muster_subagent.agent.clause_prover import clauses_of
from muster_subagent.agent_rights import permissions_of, usable
from muster_subagent.results import blank, failed
from muster_subagent.script_runner import diverged
from muster_subagent.task_context import TaskContext
from muster_subagent.tool_executor import Diverged, Hands
from muster_subagent.tools.navigation_tools import browser_navigate


async def work(context: TaskContext) -> SubTaskResult:
    """Return what came of a goal."""
    task, agent, asker, tools = context.task, context.agent, context.asker(), context.tools
    assert tools is not None, "an agent with a goal has tools, if only those that need no session"
    if agent is None:
        text = f"the workers have no agent {task.agent!r} for goals; `muster agents list` names those there are"
        return failed(blank(task), Failure.INVALID_CALL, text)
    if asker is None:
        return failed(blank(task), Failure.MODEL_UNAVAILABLE, "no model is set at the workers (SUB_AGENT_MODEL)")
    if problem := find_schema_problem(task.assigned.output_schema):
        return failed(blank(task), Failure.INVALID_CALL, problem)
    hands = Hands(task, tools, context.journal, context.lines)
    allowed = permissions_of(task, agent, hands.tools)
    mine = usable(await hands.offered(), allowed, in_session=bool(task.session))
    if not agent.spawns or task.assigned.depth < 1:
        mine = {name: tool for name, tool in mine.items() if not tool.delegates}
    clauses = tuple(clause for text in task.assigned.acceptance for clause in clauses_of(text))
    judge = AssignmentJudge(hands, asker, clauses, context.journal.progress.seconds)
    room = asker.room(task.assigned.context or agent.budget.context or 0)
    loop = AgentLoop(hands, asker, context.lines, clauses, Allowance(mine, room, judge, finish_assignment))
    try:
        if task.assigned.url and task.session and browser_navigate.name in mine:
            await hands.make(ToolCall(tool=browser_navigate.name, arguments={"url": task.assigned.url}))
        return await loop.run()
    except Diverged as error:
        return diverged(task, context.journal.progress.started.values(), str(error))

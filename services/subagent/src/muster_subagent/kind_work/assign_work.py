"""Working towards an agent's goal, with the tools that its file and its order leave it."""

from muster_agents import Agent
from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTask, SubTaskResult
from muster_protocol.tool_calls import ToolCall
from muster_subagent.agent.agent_loop import AgentLoop, Allowance
from muster_subagent.agent.assignment_end import finish_assignment
from muster_subagent.agent.assignment_judge import AssignmentJudge
from muster_subagent.agent.clause_prover import clauses_of
from muster_subagent.agent.json_schemas import find_schema_problems
from muster_subagent.agent_rights import permissions_of, usable
from muster_subagent.results import blank, failed
from muster_subagent.script_runner import diverged
from muster_subagent.task_context import TaskContext
from muster_subagent.tool_executor import Diverged, ToolExecutor
from muster_subagent.tools import Tools
from muster_subagent.tools.navigation_tools import browser_navigate
from muster_subagent.workflows.goal_work import GoalWork
from muster_text.text_match import nearest


async def work(context: TaskContext) -> SubTaskResult:
    """Return what came of a goal."""
    task, agent, asker, tools = context.task, context.agent, context.asker(), context.tools
    assert tools is not None, "an agent with a goal has tools, if only those that need no session"
    if agent is None:
        return failed(blank(task), Failure.INVALID_CALL, _unknown_agent(context))
    (unusable,) = await find_schema_problems([task.assigned.output_schema])
    if problem := _find_misfit(task, agent, tools.session.kind, context.catalogue) or unusable:
        return failed(blank(task), Failure.INVALID_CALL, problem)
    if asker is None:
        setting = f"{(context.tier_name or 'sub_agent').upper()}_MODEL"
        return failed(blank(task), Failure.MODEL_UNAVAILABLE, f"no model is set at the workers ({setting})")
    executor = ToolExecutor(task, tools, context.journal, context.lines, context.catalogue)
    allowed = permissions_of(task, agent, executor.tools)
    skilled = tools.skills is not None
    offered = await executor.offered()
    mine = usable(offered, allowed, in_session=bool(task.session), skilled=skilled)
    if not agent.spawns or task.assigned.depth < 1:
        mine = {name: tool for name, tool in mine.items() if not tool.delegates}
    if problem := _find_lack(task, agent, mine):
        return failed(blank(task), Failure.INVALID_CALL, problem)
    clauses = tuple(clause for text in task.assigned.acceptance for clause in clauses_of(text))
    judge = AssignmentJudge(executor, asker, clauses, context.journal.progress.seconds)
    room = asker.room(task.assigned.context or agent.budget.context or 0)
    loop = AgentLoop(executor, asker, context.lines, clauses, Allowance(mine, room, judge, finish_assignment))
    try:
        may_open = mine if task.parent else offered  # a person's address is opened even for an agent that may only look
        if task.assigned.url and task.session and browser_navigate.name in may_open:
            await executor.make(ToolCall(tool=browser_navigate.name, arguments={"url": task.assigned.url}))
        if agent.workflow is not None:
            agents = context.definitions.agents.by_id if context.definitions else {}
            return await GoalWork(executor, judge, agent, agents, context.lines).run()
        return await loop.run()
    except Diverged as error:
        return diverged(task, context.journal.progress.started.values(), str(error))


def _unknown_agent(context: TaskContext) -> str:
    """Return that there is no such agent, with the name that is most like it."""
    known = context.definitions.agents if context.definitions else None
    name = context.task.agent
    if known is not None and (problem := known.problems.get(name)):
        return f"the agent {name!r} cannot be used: {problem}"
    for_goals = [id for id, it in known.by_id.items() if it.kind == "assign" and it.enabled] if known else []
    close = nearest(name, for_goals, 1)
    told = f"did you mean {close[0]!r}?" if close else "`muster agents list` names those there are"
    return f"the workers have no agent {name!r} for goals; {told}"


def _find_lack(task: SubTask, agent: Agent, mine: Tools) -> str:
    """Return that an order names tools of which its agent has none, which would leave it to make things up, or "".
    Whoever names no tool at all wants none used. Pure."""
    wanted = task.assigned.rights.tools
    if task.parent or not wanted or any(not tool.skill for tool in mine.values()):
        return ""
    return f"the agent {agent.id!r} has none of the tools {', '.join(wanted)} here: name others, or leave them out"


def _find_misfit(task: SubTask, agent: Agent, device: str, catalogue: Tools) -> str:
    """Return why an agent cannot take an assignment, or "". Pure."""
    if not agent.enabled:
        return f"the agent {agent.id!r} is switched off: its file says `enabled: false`"
    if agent.requires_device and device == "none":
        return f"the agent {agent.id!r} needs a device: give the assignment a url or a device"
    wanted = () if task.parent else task.assigned.rights.tools or ()  # of others it was made of names there are
    known = {*catalogue, *(tool.group for tool in catalogue.values())}
    unknown = next((name for name in wanted if name not in known), "")
    if unknown:
        close = nearest(unknown, known, 1)
        return f"there is no tool {unknown!r}" + (f"; did you mean {close[0]!r}?" if close else "")
    return ""

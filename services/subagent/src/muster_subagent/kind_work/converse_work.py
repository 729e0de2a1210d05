"""Answering a message of a conversation, with a fresh context and the tools that the agent's file and rights leave."""

from muster_protocol.causes import Failure
from muster_protocol.tasks import SubTaskResult
from muster_subagent.agent.agent_loop import AgentLoop, Allowance
from muster_subagent.agent.talk import TalkJudge, finish_answer
from muster_subagent.agent_rights import permissions_of, usable
from muster_subagent.results import blank, failed
from muster_subagent.script_runner import diverged
from muster_subagent.task_context import TaskContext
from muster_subagent.tool_executor import Diverged, ToolExecutor


async def work(context: TaskContext) -> SubTaskResult:
    """Return the answer to a message."""
    task, agent, asker, tools = context.task, context.agent, context.asker(), context.tools
    assert tools is not None, "an agent of a conversation has tools, if only those that need no session"
    if agent is None or not agent.enabled:
        text = f"the workers have no agent {task.agent!r} for conversations; `muster agents list` names those there are"
        return failed(blank(task), Failure.INVALID_CALL, text)
    if asker is None:
        return failed(blank(task), Failure.MODEL_UNAVAILABLE, "no model is set at the workers (SUB_AGENT_MODEL)")
    executor = ToolExecutor(task, tools, context.journal, context.lines, context.catalogue)
    allowed = permissions_of(task, agent, executor.tools)
    mine = usable(await executor.offered(), allowed, in_session=False, skilled=tools.skills is not None)
    mine = {name: tool for name, tool in mine.items() if not tool.delegates}
    judge = TalkJudge(executor, asker, context.journal.progress.seconds)
    room = asker.room(agent.budget.context or 0)
    allowance = Allowance(mine, room, judge, finish_answer, talks=True)
    try:
        return await AgentLoop(executor, asker, context.lines, (), allowance).run()
    except Diverged as error:
        return diverged(task, context.journal.progress.started.values(), str(error))

"""One agent with a goal, without a fleet: its model is a script over HTTP, its journal is in memory."""

from collections.abc import Callable, Mapping
from typing import Any, cast

import httpx
from envelopes import a_task
from model_server import Answer, Asked, model_server
from obeying import Egress, HeardLines, MemoryJournal

from muster_agents import Agent
from muster_bus import Bus
from muster_model import connected_models
from muster_model.settings import ModelSettings
from muster_protocol.journal import Children
from muster_protocol.tasks import Budget, SubTask, SubTaskResult
from muster_protocol.tool_calls import ArtifactRef
from muster_subagent.agent_catalogue import worker_definitions
from muster_subagent.delegation import Delegation, Team
from muster_subagent.kind_work import RUNNERS
from muster_subagent.no_session import NoSession
from muster_subagent.secrets import Secrets
from muster_subagent.step_permissions import permission_of
from muster_subagent.task_context import TaskContext
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import NeedsChildren, Session, ToolContext
from muster_subagent.tools import TOOLS

AGENTS = worker_definitions("").agents.by_id
LEAD = Agent(
    id="lead",
    kind="assign",
    instructions="You lead.",
    tools=("shell", "values", "agents"),
    spawns=("lead", "researcher", "executor"),
)
TEAM: Mapping[str, Agent] = {**AGENTS, "lead": LEAD}


def goal(description: str = "Find it", **more: Any) -> SubTask:
    budget = more.pop("budget", Budget(calls=20, iterations=20))
    return a_task("r.n.1", kind="assign", description=description, budget=budget, **({"depth": 2} | more))


def no_file(name: str, data: bytes, kind: str) -> ArtifactRef:
    raise AssertionError(f"nothing is to be stored: {name} {kind} {len(data)}")


async def work(
    script: Callable[[Asked], Answer], task: SubTask, agent: Agent | None = LEAD, journal: MemoryJournal | None = None
) -> SubTaskResult | Children:
    """Return what came of a goal, or whom the agent asks."""
    journal = journal or MemoryJournal()
    with model_server(script) as model:
        settings = ModelSettings(openai_base_url=model.url, openai_api_key="key", sub_agent_model="small")
        async with connected_models(settings) as models, httpx.AsyncClient() as http:
            tools = ToolContext(
                session=cast("Session", NoSession()),
                secrets=Secrets({}),
                http=http,
                call="",
                permission=permission_of(task),
                store=no_file,
            )
            held = cast("Journal", journal)
            tools.delegate = agent and Delegation(task, agent, held, Team(TEAM, TOOLS, cast("Bus", None)))
            lines = cast("Lines", HeardLines(Egress()))
            try:
                return await RUNNERS["assign"](TaskContext(task, held, lines, models, agent, tools))
            except NeedsChildren as asks:
                return asks.children


async def result_of(script: Callable[[Asked], Answer], task: SubTask, agent: Agent | None = LEAD) -> SubTaskResult:
    found = await work(script, task, agent)
    assert isinstance(found, SubTaskResult)
    return found

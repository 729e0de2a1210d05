"""The context of a sub-agent while it works on one sub-task."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from msgspec.structs import replace

from muster_agents import Agent, AgentBudget, Definitions
from muster_bus import Rows
from muster_model import Models
from muster_protocol.assignments import TierName
from muster_protocol.kinds import KINDS_BY_NAME, AssignInput
from muster_protocol.step_recordings import RecordingRow
from muster_protocol.tasks import SubTask
from muster_subagent.agent.model_calls import Asker
from muster_subagent.agent_rights import bounded
from muster_subagent.task_journal import Journal
from muster_subagent.task_log import Lines
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import TOOLS, Tools


class Recordings(NamedTuple):
    """Where recordings of steps and plans are read, and what healing one may cost."""

    rows: Rows[RecordingRow] | None
    """None: none is looked for, and none made."""
    turns: int
    tokens: int
    seconds: float


class TaskContext(NamedTuple):
    """A sub-task with its journal and log, and what there is to work on it with."""

    task: SubTask
    journal: Journal
    lines: Lines
    models: Models | None
    agent: Agent | None
    """Who works on it; None for kinds that need nobody."""
    tools: ToolContext | None
    """For kinds that work in a session."""
    recordings: Recordings | None = None
    """What is remembered of steps and plans; None: nothing."""
    definitions: Definitions | None = None
    """The agents and skills of its run; None: those of the worker."""
    catalogue: Tools = TOOLS
    """All tools there are: Muster's, and those of MCP servers that were accepted."""
    prolong: Callable[[float], None] | None = None
    """Gives the sub-task more seconds."""

    @property
    def tier_name(self) -> TierName | None:
        """The model that the agent asks: by its order, its file or its kind; None: it asks none."""
        named = model_of(self.agent, self.task.assigned)[0] if self.agent else None
        return named or KINDS_BY_NAME[self.task.kind].tier

    def asker(self) -> Asker | None:
        """Return the way to the agent's model; None if there is no agent, or no model is set for it."""
        agent, models = self.agent, self.models
        if agent is None or models is None:
            return None
        name = self.tier_name
        tier = models.tier(name) if name else None
        if tier is None:
            return None
        _, temperature = model_of(agent, self.task.assigned)
        if temperature is not None:
            tier = tier._replace(temperature=temperature)
        return Asker(
            self.task,
            self.journal,
            self.lines,
            models,
            tier,
            instructions=agent.instructions,
            prolong=self.prolong,
        )


def agent_for(task: SubTask, agents: Mapping[str, Agent]) -> Agent | None:
    """Return who works on a sub-task; None if its kind needs nobody, or a person named an agent that is not there.

    Raises:
        KeyError: no agent of that id works on its kind.
    """
    id = task.agent or KINDS_BY_NAME[task.kind].agent
    agent = agents.get(id)
    if not id or (agent is not None and agent.kind == task.kind):
        return agent
    if task.by_rights:
        return None  # bad input, which the work itself tells; no message that cannot be worked on
    raise KeyError(id)


def model_of(agent: Agent, given: AssignInput) -> tuple[TierName | None, float | None]:
    """Return the tier and the temperature that an agent's order names, or else its file; None: neither does. Pure."""
    tier = given.tier or cast("TierName | None", agent.tier or None)
    return tier, agent.temperature if given.temperature is None else given.temperature


def find_other_queue(task: SubTask, agent: Agent | None) -> str:
    """Return why an agent takes nothing from the sub-task's queue, or "". Pure."""
    serves = agent.event_pools if agent else None
    if agent is None or serves is None or task.pool in serves:
        return ""
    where = "a session" if task.session else "no session"
    serves = " and ".join(map(repr, serves)) or "none"
    return f"the agent {agent.id!r} serves the queue {serves}, and a sub-task with {where} waits in {task.pool!r}"


def within(task: SubTask, budget: AgentBudget) -> SubTask:
    """Return a sub-task that may spend no more than its agent may. Pure."""
    return replace(task, budget=bounded(task.budget, budget))

"""Orders for sub-agents: who may be asked, with which rights, and how much of the asker's budget."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import structlog

from muster_agents import EVERYTHING, Agent, Permissions
from muster_agents.permissions import covers
from muster_bus import Bus, newest
from muster_protocol import codec
from muster_protocol.assignments import AT_ONCE, MOST_CHILDREN, Rights, TierName
from muster_protocol.causes import Failure
from muster_protocol.journal import Child, Finished, JournalBatch
from muster_protocol.kinds import AssignInput
from muster_protocol.tasks import Budget, ChildEnd, SubTask, SubTaskResult
from muster_subagent.agent_rights import bounded, permissions_of, rights_from, tool_names
from muster_subagent.task_context import model_of
from muster_subagent.task_journal import Journal
from muster_subagent.tool_context import Wish
from muster_subagent.tools.tool import ToolError
from muster_subagent.tools.tool_catalogue import Tools
from muster_text.text_match import nearest

log = structlog.get_logger("muster.subagent")

MOST_BYTES = 300_000
"""Bytes of all orders of one call, which are one message."""
SECONDS = 300.0
"""How long a sub-agent may work unless its order says otherwise."""


class Team(NamedTuple):
    """The agents there are, the tools that they share, and the way to their journals."""

    agents: Mapping[str, Agent]
    tools: Tools
    bus: Bus


class Delegation:
    """The sub-agents of one sub-task; implements `muster_subagent.tool_context.Delegate`."""

    def __init__(self, task: SubTask, agent: Agent, journal: Journal, team: Team) -> None:
        self._task, self._agent, self._journal = task, agent, journal
        self._agents, self._tools, self._bus = team
        self._allowed = permissions_of(task, agent, team.tools)

    def at_once(self, wanted: int) -> int:
        """Return how many may work at the same time."""
        most = self._agent.max_children or AT_ONCE
        return min(wanted, most) if wanted > 0 else most

    def order(self, wishes: Sequence[Wish], may: Permissions = EVERYTHING) -> tuple[Child, ...]:
        """Return the orders for wishes: equal parts of what is left of this sub-task's budget, and its rights at most.

        `may` is what a loaded skill leaves of these.

        Raises:
            ToolError: one of them cannot be met; says which and why. Then none is.
        """
        asked = sum(map(len, self._task.children.values())) + len(wishes)
        if not wishes or asked > MOST_CHILDREN:
            text = f"a sub-agent may have 1 to {MOST_CHILDREN} sub-agents in all, and this would make {asked}"
            raise ToolError(text, failure=Failure.LIMIT if wishes else Failure.INVALID_CALL)
        if self._task.assigned.depth < 1:
            text = "sub-agents may not be nested deeper here: do it yourself"
            raise ToolError(text, failure=Failure.NOT_PERMITTED)
        part = self._share(len(wishes))
        children = tuple(self._child(wish, part, self._allowed & may) for wish in wishes)
        if (size := len(codec.encode(children))) > MOST_BYTES:
            text = f"the tasks have {size} bytes together, and {MOST_BYTES} fit: write shorter ones"
            raise ToolError(text, failure=Failure.LIMIT)
        return children

    def ends(self, call: str) -> tuple[ChildEnd, ...] | None:
        """Return how the sub-agents that a call asked for ended; None: it has not asked yet."""
        return self._task.children.get(call)

    async def result(self, end: ChildEnd) -> SubTaskResult | None:
        """Return the whole result of a sub-agent from its journal; None: it has none that can be read."""
        last = await newest(self._bus, "JOURNAL", self._bus.names.journal(end.task)) if end.task else None
        try:
            entries = codec.decode(last.data, JournalBatch).entries if last else ()
        except msgspec.DecodeError as error:
            log.warning("journal of a sub-agent unreadable", child=end.task, error=str(error))
            return None
        found = next((entry.outcome for entry in entries if isinstance(entry, Finished)), None)
        return found if found is not None and found.task == end.task else None

    def _share(self, count: int) -> Budget:
        rest = self._task.budget.less(self._journal.spent).less(self._task.delegated)
        part = rest.shared(count)
        if part.calls < 1 or rest.tokens < 0 or rest.cost < 0:
            text = f"what is left of the budget is too little for {count} sub-agents: {rest.calls} tool calls"
            raise ToolError(text, failure=Failure.LIMIT)
        return part

    def _child(self, wish: Wish, part: Budget, may: Permissions) -> Child:
        self._check_agent(wish.agent)
        if not wish.task.strip():
            raise ToolError(f"the task of {wish.agent} is empty: say what to do", failure=Failure.INVALID_CALL)
        given = self._task.assigned
        unknown = sorted(set(wish.tools or ()) - {*self._tools, *(tool.group for tool in self._tools.values())})
        if unknown:
            raise ToolError(
                f"there is no tool {unknown[0]!r}{_like(unknown[0], self._tools)}", failure=Failure.INVALID_CALL
            )
        rights = rights_from(may, wish.tools, self._tools)
        self._check_tools(wish, rights)
        wanted = msgspec.structs.replace(
            part,
            calls=min(part.calls, wish.calls or part.calls),
            seconds=wish.seconds or SECONDS,
        )
        limited = bounded(wanted, self._agents[wish.agent].budget)
        tier, temperature = self._model_for(wish)
        mine = AssignInput(
            workspace=given.workspace,
            url=given.url,
            rights=rights,
            depth=given.depth - 1,
            context=wish.context,
            tier=tier,
            temperature=temperature,
            output_schema=wish.output_schema,
            domains=given.domains,
            hosts=given.hosts,
            secrets=given.secrets,
        )
        return Child(description=wish.task.strip(), input=mine, agent=wish.agent, budget=limited)

    def _model_for(self, wish: Wish) -> tuple[TierName | None, float | None]:
        """Return which model a sub-agent asks, and how: as ordered, else as its file says, else as its parent does."""
        ordered = AssignInput(tier=wish.tier, temperature=wish.temperature)
        tier, temperature = model_of(self._agents[wish.agent], ordered)
        above = model_of(self._agent, self._task.assigned)
        return tier or above[0], above[1] if temperature is None else temperature

    def _check_tools(self, wish: Wish, rights: Rights) -> None:
        """Refuse an order that leaves an agent with tools of its own none of them: it could only make its result up."""
        named = tool_names(self._agents[wish.agent].tools, self._tools)
        own = [name for name in named if not self._tools[name].delegates]
        left = [name for name in own if covers(rights.tools, name)]
        if own and not left:
            told = f"{wish.agent} would be left without tools: "
            if wish.tools is None:
                told += f"none of its own are among those that {self._agent.id!r} may use, as its file or order says"
            else:
                some = ", ".join(wish.tools) or "an empty list"
                told += f"it has none of these: {some}; leave `tools` out, or name some that both have"
            raise ToolError(told, failure=Failure.INVALID_CALL)

    def _check_agent(self, id: str) -> None:
        may = [name for name in self._agent.spawns if name in self._agents and self._agents[name].enabled]
        if id in may and self._agents[id].kind == self._task.kind:
            return
        why = "may not be asked by this agent" if id in self._agents else "is not there"
        if id in self._agents and not self._agents[id].enabled:
            why = "is switched off"
        close = nearest(id, may, 1)
        like = f"did you mean {close[0]!r}? " if close and id not in self._agents else ""
        told = f"agent {id!r} {why}; {like}these may be asked: {', '.join(may) or 'none'}"
        raise ToolError(told, failure=Failure.NOT_PERMITTED if id in self._agents else Failure.INVALID_CALL)


def _like(name: str, names: Tools) -> str:
    found = nearest(name, names, 1)
    return f"; did you mean {found[0]!r}?" if found else ""

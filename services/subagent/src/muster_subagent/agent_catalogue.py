"""The agents that a worker has, and the names that agent files may use."""

from pathlib import Path
from typing import get_args

from muster_agents import Agents, Definitions, Known, load_definitions
from muster_model.settings import TIERS
from muster_protocol.kinds import KINDS, KINDS_BY_NAME, POOLS
from muster_protocol.logs import Talker
from muster_protocol.requests import DEVICE_KINDS
from muster_protocol.tool_calls import Effect
from muster_service.settings import SettingsError
from muster_subagent.tools import TOOLS

NAMES = Known(
    kinds=[kind.name for kind in KINDS if kind.agent],
    tiers=TIERS,
    tools=frozenset(tool.group for tool in TOOLS.values()),
    effects=get_args(Effect),
    devices=[kind for kind in DEVICE_KINDS if kind != "none"],
    single_tools=list(TOOLS),
    skilled=("assign", "converse"),
    pools=POOLS,
    delegating=frozenset(name for tool in TOOLS.values() if tool.delegates for name in (tool.name, tool.group)),
)


def worker_definitions(folder: str) -> Definitions:
    """Return the agents and skills of a worker: the built-in ones, and those of a folder where one is named.

    Raises:
        SettingsError: the folder cannot be read, or the default agent of a kind cannot be used.
    """
    try:
        found = load_definitions(Path(folder) if folder else None, NAMES)
    except OSError as error:
        raise SettingsError(f"environment variable `AGENTS_DIR`: {error}") from error
    if problem := find_missing(found.agents):
        raise SettingsError(f"environment variable `AGENTS_DIR`: {problem}")
    return found


def find_missing(agents: Agents) -> str:
    """Return why an agent that a kind cannot do without is not there, or ""."""
    for kind in KINDS:
        if problem := agents.problems.get(kind.agent):
            return problem
        agent = agents.by_id.get(kind.agent)
        if agent is not None and not agent.enabled and kind.name != "assign":
            place = agents.sources[agent.id].place
            return f"{place}: {agent.id!r} cannot be switched off, as nobody else works on the kind {kind.name}"
    return ""


def talkers_among(agents: Agents) -> tuple[Talker, ...]:
    """Return the agents with which people may open a conversation, the default one first. Pure."""
    default = KINDS_BY_NAME["converse"].agent
    talkers = [it for it in agents.by_id.values() if it.kind == "converse" and it.enabled and it.selectable]
    talkers.sort(key=lambda it: (not it.default, it.id != default, it.id))
    return tuple(
        Talker(id=it.id, nickname=it.nickname, description=it.description, suggestions=it.suggestions) for it in talkers
    )

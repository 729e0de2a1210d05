"""The agents that a worker has, and the names that agent files may use."""

from pathlib import Path
from typing import get_args

from muster_agents import Agents, Known, load_agents
from muster_model.settings import TIERS
from muster_protocol.kinds import KINDS
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
)


def worker_agents(folder: str) -> Agents:
    """Return the agents of a worker: the built-in ones, and those of a folder where one is named.

    Raises:
        SettingsError: the folder cannot be read, or the default agent of a kind cannot be used.
    """
    try:
        agents = load_agents(Path(folder) if folder else None, NAMES)
    except OSError as error:
        raise SettingsError(f"environment variable `AGENTS_DIR`: {error}") from error
    for kind in KINDS:
        if problem := agents.problems.get(kind.agent):
            raise SettingsError(f"environment variable `AGENTS_DIR`: {problem}")
    return agents

"""All agents that a worker knows: the built-in ones, and those of a folder."""

from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from muster_agents.agent_files import Agent, AgentError, Known, read_agent

SUFFIXES = (".yaml", ".yml", ".md")
IGNORED = ("readme",)
"""Files in a folder of agents, by name in lower case and without extension, that are no agents."""
BUILT_IN = "built in"


class Source(NamedTuple):
    """The file of an agent."""

    place: str
    """Its path, or `BUILT_IN`."""
    text: str


class Agents(NamedTuple):
    """What was read: agents by id, their files, and what is wrong with the others."""

    by_id: dict[str, Agent]
    sources: dict[str, Source]
    problems: dict[str, str]
    """By id: why its file cannot be used. Such an agent is missing, also if one of that id is built in."""


def load_agents(folder: Path | None, known: Known) -> Agents:
    """Return all agents. One in `folder` replaces the built-in one with the same id.

    Raises:
        OSError: the folder cannot be read.
    """
    found = built_in(known)
    for path in agent_paths(folder) if folder else ():
        id = path.stem
        found.by_id.pop(id, None)
        if id in found.problems or found.sources.get(id, Source(BUILT_IN, "")).place != BUILT_IN:
            found.problems[id] = f"{path}: another file in this folder already defines agent {id!r}"
            continue
        try:
            text = path.read_text(encoding="utf-8")
            found.by_id[id] = read_agent(text, str(path), known)
            found.sources[id] = Source(str(path), text)
        except (AgentError, UnicodeDecodeError, OSError) as error:
            found.problems[id] = str(error) if isinstance(error, AgentError) else f"{path}: {error}"
    return found


def agent_paths(folder: Path) -> list[Path]:
    """Return the agent files of a folder by name."""
    named = (path for path in folder.iterdir() if path.suffix in SUFFIXES and path.stem.lower() not in IGNORED)
    return sorted(path for path in named if path.is_file())


def built_in(known: Known) -> Agents:
    """Return the built-in agents."""
    folder = files("muster_agents").joinpath("agents")
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".yaml")}
    agents = [read_agent(text, name, known) for name, text in sorted(texts.items())]
    return Agents(
        {agent.id: agent for agent in agents},
        {agent.id: Source(BUILT_IN, texts[f"{agent.id}.yaml"]) for agent in agents},
        {},
    )

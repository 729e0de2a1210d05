"""The other agents that an agent file names: they have to be there, and be able to take a task. Pure."""

from collections.abc import Collection, Iterator, Mapping

from muster_agents.agent_files import Agent
from muster_agents.definition_text import DefinitionError, Place, nearest_hint, parse_definition


def find_lost_orders(
    agents: Mapping[str, Agent], texts: Mapping[str, tuple[str, str]], broken: Collection[str]
) -> dict[str, str]:
    """Return what is wrong with the `spawns` of agents, by their ids; `texts` are their files as (place, text).

    `broken` are the ids of agents whose files cannot be used: they are known, and whoever may ask them does without.
    """
    found: dict[str, str] = {}
    for id, agent in agents.items():
        for place, problem in _problems_of(agent, agents, broken):
            source, text = texts[id]
            found[id] = str(_error(source, text, place, problem))
            break
    return found


def _error(source: str, text: str, place: Place, problem: str) -> DefinitionError:
    return parse_definition(text, source).error(place, problem)


def _problems_of(agent: Agent, agents: Mapping[str, Agent], broken: Collection[str]) -> Iterator[tuple[Place, str]]:
    for index, name in enumerate(agent.spawns):
        place, asked = ("spawns", str(index)), agents.get(name)
        if asked is None and name not in broken:
            others = sorted(id for id, other in agents.items() if other.kind == agent.kind)
            yield place, f"unknown agent {name!r}{nearest_hint(name, others)}"
        if asked is not None and asked.kind != agent.kind:
            yield place, f"{name!r} is an agent of kind {asked.kind!r}, and one of kind {agent.kind!r} cannot ask it"

"""All agents and skills of a worker: the built-in ones and those of a folder. An agent may only name existing ones."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Generic, NamedTuple, TypeVar

from muster_agents.agent_files import Agent, Known, read_agent
from muster_agents.definition_text import DefinitionError, Place, nearest_hint, parse_definition
from muster_agents.skill_files import OPEN_FILE, Skill, read_skill, skill_id

SUFFIXES = (".yaml", ".yml", ".md")
IGNORED = ("readme",)
"""Files in a folder of agents, by name in lower case and without extension, that are no agents."""
BUILT_IN = "built in"
SKILLS = "skills"
"""The folder of skills, in the folder of agents."""
D = TypeVar("D", Agent, Skill)


class Source(NamedTuple):
    """The file of an agent or skill."""

    place: str
    """Its path, or `BUILT_IN`."""
    text: str


class Text(NamedTuple):
    """A file that may be an agent or a skill."""

    place: str
    text: str
    unread: str = ""
    """Why it cannot be read."""


class Loaded(NamedTuple, Generic[D]):
    """What was read: agents or skills by id, their files, and what is wrong with the others."""

    by_id: dict[str, D]
    sources: dict[str, Source]
    problems: dict[str, str]
    """By id: why its file cannot be used. What it describes is missing, also if one of that id is built in."""


Agents = Loaded[Agent]
Skills = Loaded[Skill]


class Definitions(NamedTuple):
    """The agents and the skills that there are."""

    agents: Agents
    skills: Skills

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with files, with their places."""
        return (*self.agents.problems.values(), *self.skills.problems.values())


def load_definitions(folder: Path | None, known: Known) -> Definitions:
    """Return all agents and skills. One in `folder` or its `skills/` replaces the built-in one with the same id.

    Raises:
        OSError: the folder cannot be read.
    """
    skills = load_skills(folder, known)
    return Definitions(load_agents(folder, with_skills(known, skills)), skills)


def with_files(before: Definitions, files: Mapping[str, str], place: str, known: Known) -> Definitions:
    """Return agents and skills with those of files, by their path below a folder of agents, in place of those of their
    ids; `place` is what the files are called in errors, before their path."""
    texts = {name: Text(f"{place}{name}", text) for name, text in sorted(files.items())}
    of_skills = [text for name, text in texts.items() if name.startswith(f"{SKILLS}/")]
    of_agents = [text for name, text in texts.items() if not name.startswith(f"{SKILLS}/")]
    skills = _with_texts(_copied(before.skills), of_skills, known, read_skill)
    agents = _with_texts(_copied(before.agents), of_agents, with_skills(known, skills), read_agent)
    return Definitions(_without_lost_orders(agents), skills)


def folder_files(folder: Path) -> dict[str, Path]:
    """Return the agent and skill files of a folder, by their path below it.

    Raises:
        OSError: the folder cannot be read.
    """
    paths = [*agent_paths(folder), *skill_paths(folder / SKILLS)]
    return {path.relative_to(folder).as_posix(): path for path in paths}


def with_skills(known: Known, skills: Skills) -> Known:
    """Return the known names with those of skills; agents may name one whose file is broken, and do without it."""
    return known._replace(skills=[*skills.by_id, *skills.problems])


def load_agents(folder: Path | None, known: Known) -> Agents:
    """Return all agents. One in `folder` replaces the built-in one with the same id.

    Raises:
        OSError: the folder cannot be read.
    """
    read = _with_texts(built_in(known), map(_text, agent_paths(folder) if folder else ()), known, read_agent)
    return _without_lost_orders(read)


def load_skills(folder: Path | None, known: Known) -> Skills:
    """Return all skills. One in the folder `skills/` of `folder` replaces the built-in one with the same id.

    Raises:
        OSError: the folder cannot be read.
    """
    paths = skill_paths(folder / SKILLS) if folder else ()
    return _with_texts(built_in_skills(known), map(_text, paths), known, read_skill)


def agent_paths(folder: Path) -> list[Path]:
    """Return the agent files of a folder by name."""
    named = (path for path in folder.iterdir() if path.suffix in SUFFIXES and path.stem.lower() not in IGNORED)
    return sorted(path for path in named if path.is_file())


def skill_paths(folder: Path) -> list[Path]:
    """Return the skill files of a folder by name: its files, and `SKILL.md` of the folders in it; none if it is not
    there."""
    if not folder.is_dir():
        return []
    return sorted([*agent_paths(folder), *(path for path in folder.glob(f"*/{OPEN_FILE}") if path.is_file())])


def built_in(known: Known) -> Agents:
    """Return the built-in agents, which may name the built-in skills whatever others are known."""
    return _built_in("agents", known._replace(skills=[*known.skills, *built_in_skills(known).by_id]), read_agent)


def built_in_skills(known: Known) -> Skills:
    """Return the built-in skills."""
    return _built_in("skills", known, read_skill)


def _built_in(name: str, known: Known, read: Callable[[str, str, Known], D]) -> Loaded[D]:
    folder = files("muster_agents").joinpath(name)
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".yaml")}
    found = {PurePath(name).stem: read(text, name, known) for name, text in sorted(texts.items())}
    return Loaded(found, {id: Source(BUILT_IN, texts[f"{id}.yaml"]) for id in found}, {})


def _without_lost_orders(found: Agents) -> Agents:
    """Leave out agents whose files name others that are not there."""
    lost = _find_lost_orders(found.by_id, found.sources, found.problems)
    kept = {id: agent for id, agent in found.by_id.items() if id not in lost}
    return Loaded(kept, found.sources, found.problems | lost)


def _text(path: Path) -> Text:
    try:
        return Text(str(path), path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, OSError) as error:
        return Text(str(path), "", f"{path}: {error}")


def _copied(before: Loaded[D]) -> Loaded[D]:
    return Loaded(dict(before.by_id), dict(before.sources), dict(before.problems))


def _with_texts(
    found: Loaded[D], texts: Iterable[Text], known: Known, read: Callable[[str, str, Known], D]
) -> Loaded[D]:
    """Put what texts describe in place of what has their ids; of two texts of one id neither is used."""
    seen: set[str] = set()
    for place, text, unread in texts:
        id = skill_id(place)
        found.by_id.pop(id, None)
        found.problems.pop(id, None)
        if id in seen:
            found.problems[id] = f"{place}: another file in this folder already defines {id!r}"
            continue
        seen.add(id)
        try:
            if unread:
                found.problems[id] = unread
                continue
            found.by_id[id] = read(text, place, known)
            found.sources[id] = Source(place, text)
        except DefinitionError as error:
            found.problems[id] = str(error)
    return found


def _find_lost_orders(
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

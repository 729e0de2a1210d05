"""All agents and skills that a worker knows: the built-in ones, and those of a folder."""

from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path, PurePath
from typing import Generic, NamedTuple, TypeVar

from muster_agents.agent_files import Agent, Known, read_agent
from muster_agents.definition_text import DefinitionError
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


def with_skills(known: Known, skills: Skills) -> Known:
    """Return the known names with those of skills; agents may name one whose file is broken, and do without it."""
    return known._replace(skills=[*skills.by_id, *skills.problems])


def load_agents(folder: Path | None, known: Known) -> Agents:
    """Return all agents. One in `folder` replaces the built-in one with the same id.

    Raises:
        OSError: the folder cannot be read.
    """
    return _with_files(built_in(known), agent_paths(folder) if folder else (), known, read_agent)


def load_skills(folder: Path | None, known: Known) -> Skills:
    """Return all skills. One in the folder `skills/` of `folder` replaces the built-in one with the same id.

    Raises:
        OSError: the folder cannot be read.
    """
    return _with_files(built_in_skills(known), skill_paths(folder / SKILLS) if folder else (), known, read_skill)


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


def _with_files(
    found: Loaded[D], paths: Iterable[Path], known: Known, read: Callable[[str, str, Known], D]
) -> Loaded[D]:
    for path in paths:
        id = skill_id(str(path))
        found.by_id.pop(id, None)
        if id in found.problems or found.sources.get(id, Source(BUILT_IN, "")).place != BUILT_IN:
            found.problems[id] = f"{path}: another file in this folder already defines {id!r}"
            continue
        try:
            text = path.read_text(encoding="utf-8")
            found.by_id[id] = read(text, str(path), known)
            found.sources[id] = Source(str(path), text)
        except (DefinitionError, UnicodeDecodeError, OSError) as error:
            found.problems[id] = str(error) if isinstance(error, DefinitionError) else f"{path}: {error}"
    return found

"""Reads skill files strictly: a workflow that an agent loads when its work asks for it, and the tools for it."""

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Annotated, cast

from msgspec import Meta, Struct

from muster_agents.agent_files import Known, blind, listed, unknown_name
from muster_agents.definition_text import ID, DeviceRules, Parts, Place, Written, convert_definition, parse_definition
from muster_agents.permissions import Devices, Names, Permissions

OPEN_FILE = "SKILL.md"
"""The file of a skill that is a folder, as other programs read it too."""
_UNUSED = ("license", "compatibility", "metadata")
"""Fields of a `SKILL.md` that say nothing to a worker."""


class Skill(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Instructions for one sort of work. While it is loaded, its agent may do what both allow."""

    id: Annotated[str, Meta(pattern=ID, description="The file's or folder's name; may be left out.")]
    description: Annotated[str, Meta(min_length=1, max_length=1_000, description="By this a model decides to load it.")]
    instructions: Annotated[
        str, Meta(min_length=1, max_length=20_000, description="What the model is told while it is loaded.")
    ]
    version: Annotated[str, Meta(description="For people; logged when it is loaded.")] = ""
    match: Annotated[tuple[str, ...], Meta(description="Words of a goal that ask for it.")] = ()
    tools: Annotated[Names, Meta(description="Groups or tools that are left; empty: all of its agent.")] = None
    effects: Annotated[Names, Meta(description="The effects that are left; empty: those of its agent.")] = None
    devices: Annotated[DeviceRules, Meta(description="The kinds of device that are left.")] = DeviceRules()
    secrets: Annotated[Names, Meta(description="The secrets that are left; empty: those of its agent.")] = None
    requires_device: Annotated[bool, Meta(description="It can only be loaded where there is a device.")] = False
    approval_required_for: Annotated[
        tuple[str, ...], Meta(description="Tools or groups whose calls a person has to allow first.")
    ] = ()
    timeout_seconds: Annotated[
        Annotated[float, Meta(gt=0)] | None, Meta(description="Seconds after which it has to be unloaded.")
    ] = None

    def permissions(self, tools: Names, approvals: tuple[str, ...]) -> Permissions:
        """Return what its file leaves, with the names of tools, which the file may name by their groups."""
        return Permissions(
            tools=tools,
            effects=self.effects,
            devices=Devices(read=self.devices.read, control=self.devices.control),
            secrets=self.secrets,
            approvals=approvals,
        )


PARTS: Parts = {("devices",): DeviceRules}


def skill_id(source: str) -> str:
    """Return the id that a file gives its skill: its own name, or that of its folder."""
    path = PurePath(source)
    return path.parent.name if path.name == OPEN_FILE else path.stem


def read_skill(text: str, source: str, known: Known) -> Skill:
    """Return the skill described by a file, which is YAML, Markdown with front matter, or a folder's `SKILL.md`.

    Raises:
        DefinitionError: the file cannot be parsed, lacks a field, uses an unknown name, or states another id.
    """
    written = parse_definition(text, source)
    renamed = PurePath(source).name == OPEN_FILE and written.has("allowed-tools")
    if PurePath(source).name == OPEN_FILE:
        written = _opened(written)
    skill = convert_definition(written, skill_id(source), Skill, PARTS)
    for place, name, names in _names_used(skill, known):
        if name not in names:
            line = ("allowed-tools",) if place[0] == "tools" and renamed else place
            raise written.error(line, unknown_name(place, name, names, known))
    for place, problem in blind(("devices", "control"), skill.devices.read, skill.devices.control, None):
        raise written.error(place, problem)
    return skill


def rank_skills(goal: str, skills: Mapping[str, Skill]) -> list[str]:
    """Return the ids of the skills whose words a goal has, best first: the longer the words, the better. Pure."""
    said = " ".join(goal.casefold().split())
    scores = {id: sum(len(it) for it in skill.match if _says(said, it)) for id, skill in skills.items()}
    return sorted((id for id, score in scores.items() if score), key=lambda id: (-scores[id], id))


def _says(said: str, phrase: str) -> bool:
    words = " ".join(phrase.casefold().split())
    return bool(words) and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", said) is not None


def _opened(written: Written) -> Written:
    """Return a `SKILL.md` without what only other programs use, with its `allowed-tools` as tools."""
    if not isinstance(written.fields, dict):
        return written
    fields = {key: value for key, value in cast("dict[str, object]", written.fields).items() if key not in _UNUSED}
    if isinstance(tools := fields.pop("allowed-tools", None), str):
        fields["tools"] = tools.replace(",", " ").split()
    return written._replace(fields=fields)


def _names_used(skill: Skill, known: Known) -> Iterator[tuple[Place, str, Collection[str]]]:
    tools = (*known.tools, *known.single_tools)
    yield from listed(("tools",), skill.tools, tools)
    yield from listed(("approval_required_for",), skill.approval_required_for, tools)
    yield from listed(("effects",), skill.effects, known.effects)
    yield from listed(("devices", "read"), skill.devices.read, known.devices)
    yield from listed(("devices", "control"), skill.devices.control, known.devices)

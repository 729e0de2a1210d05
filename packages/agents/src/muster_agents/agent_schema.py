"""The JSON Schemas of agent and skill files, for completion and checks in editors."""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct

from muster_agents.agent_files import FOREIGN, Agent, Known
from muster_agents.skill_files import Skill


def render_schema(known: Known) -> str:
    """Return the schema of agents as an indented JSON document; kinds, tiers and tools are those that are known."""
    schema = _schema(Agent, known)
    fields: dict[str, Any] = schema["$defs"]["Agent"]["properties"]
    fields["kind"]["enum"] = sorted(known.kinds)
    fields["tier"]["enum"] = ["", *sorted(known.tiers)]
    fields["tools"]["items"] = _tool_item(known)
    fields["router_tools"]["anyOf"][0]["items"] = _tool_item(known)
    _limit(fields["event_pools"], list(known.pools))
    return _render("Muster agent", schema)


def render_skill_schema(known: Known) -> str:
    """Return the schema of skills as an indented JSON document."""
    schema = _schema(Skill, known)
    schema["$defs"]["Skill"]["properties"]["tools"]["anyOf"][0]["items"] = _tool_item(known)
    return _render("Muster skill", schema)


def _schema(kind: type[Struct], known: Known) -> dict[str, Any]:
    """Return the schema of what agents and skills have in common."""
    schema = msgspec.json.schema(kind)
    described = schema["$defs"][kind.__name__]
    described["properties"]["approval_required_for"]["items"] = _tool_item(known)
    _limit(described["properties"]["effects"], sorted(known.effects))
    for devices in schema["$defs"]["DeviceRules"]["properties"].values():
        _limit(devices, sorted(known.devices))
    described["required"].remove("id")
    return schema


def _tool_item(known: Known) -> dict[str, Any]:
    """Return what an entry of a list of tools may be: a name that is known, or one of an MCP server."""
    names = [*sorted(known.tools), *sorted(known.single_tools)]
    return {"anyOf": [{"type": "string", "enum": names}, {"type": "string", "pattern": f"^{FOREIGN.pattern}$"}]}


def _render(title: str, schema: dict[str, Any]) -> str:
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _limit(field: dict[str, Any], names: Collection[str]) -> None:
    """Allow these names alone in a list that may be left out."""
    field["anyOf"][0]["items"]["enum"] = list(names)

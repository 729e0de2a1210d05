"""The JSON Schema of agent files, for completion and checks in editors."""

from collections.abc import Collection
from typing import Any

import msgspec

from muster_agents.agent_files import Agent, Known


def render_schema(known: Known) -> str:
    """Return the schema as an indented JSON document; kinds, tiers and tools are those that are known."""
    schema = msgspec.json.schema(Agent)
    fields: dict[str, Any] = schema["$defs"]["Agent"]["properties"]
    fields["kind"]["enum"] = sorted(known.kinds)
    fields["tier"]["enum"] = ["", *sorted(known.tiers)]
    fields["tools"]["items"]["enum"] = [*sorted(known.tools), *sorted(known.single_tools)]
    _limit(fields["effects"], known.effects)
    for devices in schema["$defs"]["AgentDevices"]["properties"].values():
        _limit(devices, known.devices)
    schema["$defs"]["Agent"]["required"].remove("id")
    document = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Muster agent", **schema}
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"


def _limit(field: dict[str, Any], names: Collection[str]) -> None:
    """Allow these names alone in a list that may be left out."""
    field["anyOf"][0]["items"]["enum"] = sorted(names)

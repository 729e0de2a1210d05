"""Tool calls for servers that do not support them: tools described in the prompt, calls written as text. Pure."""

from collections.abc import Sequence
from typing import Any

WRITTEN = (
    'Call a tool, or finish. Without tool calling, write one line per call, tool(name="value"), and at the end '
    "RESULT: PASS or RESULT: FAIL, and SUMMARY: one sentence."
)
"""Instructions for a model without the API's tool calls."""


def describe_tools(messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return messages in the API's format, with the tools described in the first one, the system message."""
    first, *rest = messages
    listed = "\n".join(_describe_tool(tool["function"]) for tool in tools)
    return [{**first, "content": f"{first['content']}\n\n# Tools\n{listed}\n{WRITTEN}"}, *rest]


def _describe_tool(function: dict[str, Any]) -> str:
    parameters = function["parameters"]
    needed = parameters.get("required", ())
    names = [name if name in needed else f"{name}?" for name in parameters["properties"]]
    return f"- {function['name']}({', '.join(names)}) {function.get('description', '')}".rstrip()

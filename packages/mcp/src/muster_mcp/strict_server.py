"""An MCP server that refuses unknown arguments by name instead of dropping them."""

from collections.abc import Iterator
from typing import Any, cast

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, InputRequiredResult, Tool
from pydantic import ValidationError

from muster_protocol.unknown_keys import suggest


class StrictServer(MCPServer[None]):
    """Refuses arguments that its tools do not have, and says so in their schemas."""

    async def list_tools(self) -> list[Tool]:
        """Return the tools; their schemas allow no other arguments."""
        tools = await super().list_tools()
        return [
            tool.model_copy(update={"input_schema": {**tool.input_schema, "additionalProperties": False}})
            for tool in tools
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[None, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool.

        Raises:
            ToolError: it has no such argument, or cannot be called with these.
        """
        if unknown := "; ".join(await self._find_unknown(name, arguments)):
            raise ToolError(unknown)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError("; ".join(_describe(error.__cause__))) from error
            raise

    async def _find_unknown(self, name: str, arguments: dict[str, Any]) -> list[str]:
        for tool in await super().list_tools():
            if tool.name == name:
                known = cast("dict[str, object]", tool.input_schema.get("properties", {}))
                return [f"{name} has no argument {one!r}{suggest(one, known)}" for one in arguments if one not in known]
        return []


def _describe(error: ValidationError) -> Iterator[str]:
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        place = ".".join(str(part) for part in cast("tuple[object, ...]", fault["loc"]))
        yield f"argument {place!r}: {fault['msg'][:1].lower()}{fault['msg'][1:]}"

"""Accepted tools of MCP servers, as the tools of an agent."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArgumentValue, ToolOutcome
from muster_subagent.agent.json_schemas import find_fault
from muster_subagent.foreign.server_file import Declaration, Server, offered_name, read_accepted, read_servers
from muster_subagent.secrets import SecretMissing
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.tool import Tool, ToolError
from muster_subagent.tools.tool_catalogue import Tools
from muster_subagent.tools.traits import NOTHING

Choose = Callable[[tuple[str, ...]], Awaitable[Mapping[str, str]]]
"""Returns the values of secrets by name."""


class _Any(Struct):
    """Arguments, which the schema of the tool describes."""


class ForeignTool(Tool, frozen=True, kw_only=True):
    """A tool of a server; what a model is told of it is what a person has accepted."""

    form: dict[str, Any]

    @property
    def schema(self) -> dict[str, Any]:
        """The tool in the form the chat-completions API expects."""
        function = {"name": self.name, "description": self.description, "parameters": self.form}
        return {"type": "function", "function": function}

    async def run(self, ctx: ToolContext, arguments: Mapping[str, ArgumentValue]) -> ToolOutcome:
        """Call the server.

        Raises:
            ToolError: the arguments do not fit, or the tool did not do its work.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        if fault := await find_fault(given, self.form):
            raise ToolError(f"{self.name}: {fault}", failure=Failure.INVALID_CALL)
        return await self.function(ctx, given)


def load_foreign_tools(path: str, choose: Choose) -> Tools:
    """Return the accepted tools of the servers in a file, by the names that models are told; "": none.

    Raises:
        InvalidRequest: the file cannot be used.
    """
    if not path:
        return {}
    servers, accepted = read_servers(Path(path)), read_accepted(Path(path))
    made = [
        make_tool((name, server), declared, choose)
        for name, server in servers.items()
        for declared in accepted.get(name, {}).values()
        if offered_name(name, declared.name)
    ]
    return {tool.name: tool for tool in made}


def make_tool(server: tuple[str, Server], declared: Declaration, choose: Choose) -> ForeignTool:
    """Return an accepted tool of a server."""
    name, at = server

    async def function(_ctx: ToolContext, arguments: dict[str, ArgumentValue]) -> ToolOutcome:
        from muster_subagent.foreign import server_calls  # noqa: PLC0415 - takes half a second, and few have servers

        try:
            text = await server_calls.call_declared(server, declared, arguments, await choose(at.secrets))
        except (server_calls.ServerFailed, SecretMissing) as error:
            raise ToolError(str(error), failure=Failure.INVALID_CALL) from error
        return ToolOutcome(status="ok", text=text)

    return ForeignTool(
        name=offered_name(name, declared.name),
        description=declared.description,
        parameters=_Any,
        marks={},
        function=function,
        effect=at.tools.get(declared.name, "act"),
        group=f"mcp_{name}",
        needs=NOTHING,
        page=False,
        does="request",
        verbose=True,
        served_by=at.url,
        form=msgspec.to_builtins(declared.parameters) or {"type": "object"},
    )

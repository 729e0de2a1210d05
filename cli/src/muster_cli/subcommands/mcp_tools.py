"""`muster mcp-tools`: the tools of MCP servers that agents may be allowed."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
from rich.text import Text

from muster_cli.app import console, perform, tell
from muster_cli.options import OrderedGroup, example
from muster_cli.table import new_table
from muster_protocol.errors import InvalidRequest
from muster_subagent.foreign.server_calls import ServerFailed, list_declared
from muster_subagent.foreign.server_file import (
    Declaration,
    Server,
    accepted_path,
    compare_tools,
    offered_name,
    read_accepted,
    read_servers,
    write_accepted,
)
from muster_subagent.secrets import read_secrets
from muster_text.hidden_text import show_hidden
from muster_text.text_match import nearest
from muster_views.texts import to_one_line

FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
SERVER = click.argument("servers", nargs=-1, metavar="[SERVER]...")
LONGEST_SHOWN = 1_000
"""Characters of a description, which its server has written."""


@click.group(
    cls=OrderedGroup,
    short_help="Accept tools of MCP servers for agents.",
    epilog=example(
        "muster mcp-tools list mcp.yaml            what its servers offer, and what was accepted",
        "muster mcp-tools accept mcp.yaml issues   shows what has changed, asks, and writes mcp.accepted.json",
        "MCP_SERVERS=mcp.yaml muster up            agents whose files name mcp_issues may use them",
    ),
)
def mcp_tools() -> None:
    """Accept tools of MCP servers for agents.

    Workers offer only accepted tools, and refuse a tool whose description has changed since. Run this command where the
    servers can be reached; their secrets come from SECRET_... variables.
    """


@mcp_tools.command("list", epilog=example("muster mcp-tools list mcp.yaml"))
@FILE
@SERVER
def list_tools(*, file: Path, servers: tuple[str, ...]) -> None:
    """List the tools that servers offer, and whether each was accepted. Exit code 1: a tool has changed or no longer
    exists."""

    async def work() -> int:
        wanted, accepted = _wanted(file, servers), read_accepted(file)
        table = new_table("tool", "effect", "state", "description", wrapped="description")
        states: list[str] = []
        for name, server in wanted.items():
            before, now = accepted.get(name, {}), await _declared(name, server)
            for tool, state in compare_tools(before, now).items():
                states.append(state)
                declared = now.get(tool) or before[tool]
                effect = server.tools.get(tool, "act")
                cells = (offered_name(name, tool), effect, state, to_one_line(declared.description, LONGEST_SHOWN))
                table.add_row(*map(Text, cells))
        console().print(table)
        return int(not {"changed", "gone"}.isdisjoint(states))

    perform(work)


@mcp_tools.command(epilog=example("muster mcp-tools accept mcp.yaml issues"))
@FILE
@SERVER
@click.option("--yes", is_flag=True, help="Accept without being asked.")
def accept(*, file: Path, servers: tuple[str, ...], yes: bool) -> None:
    """Show new and changed tools, and accept them once you have said yes."""

    async def work() -> int:
        accepted, changed = read_accepted(file), False
        for name, server in _wanted(file, servers).items():
            now = await _declared(name, server)
            changed = _show_changes(name, server, accepted.get(name, {}), now) or changed
            accepted = {**accepted, name: now}
        if not changed:
            tell("nothing has changed")
            return 0
        if not yes and not await asyncio.to_thread(click.confirm, "Accept all of this?", err=True):
            tell("nothing was accepted")
            return 1
        write_accepted(file, accepted)
        tell(f"{accepted_path(file)} holds what was accepted; restart the workers")
        return 0

    perform(work)


def _show_changes(name: str, server: Server, before: Mapping[str, Declaration], now: Mapping[str, Declaration]) -> bool:
    changes = {tool: it for tool, it in compare_tools(before, now).items() if it != "accepted"}
    for tool, state in changes.items():
        click.echo(f"{state} {offered_name(name, tool)} ({server.tools.get(tool, 'act')})")
        if tool in now:
            click.echo(_told(now[tool]))
    return bool(changes)


def _told(declared: Declaration) -> str:
    """Return all that a model is told of a tool, the descriptions of its arguments included, with nothing hidden."""
    form = msgspec.json.format(msgspec.json.encode(declared.parameters), indent=2).decode()
    return "\n".join(f"    {show_hidden(line)}" for line in (*declared.description.splitlines(), *form.splitlines()))


def _wanted(file: Path, servers: tuple[str, ...]) -> dict[str, Server]:
    found = read_servers(file)
    for name in servers:
        if name not in found:
            close = nearest(name, found, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(found)}"
            raise InvalidRequest([f"{file}: there is no server {name!r}; {hint}"])
    return {name: server for name, server in found.items() if not servers or name in servers}


async def _declared(name: str, server: Server) -> dict[str, Declaration]:
    known = read_secrets("", os.environ)
    if missing := [it for it in server.secrets if it not in known]:
        raise InvalidRequest([f"{name}: set SECRET_{missing[0]}, which the server is given"])
    try:
        return await list_declared(name, server, known)
    except ServerFailed as error:
        raise InvalidRequest([str(error)]) from error

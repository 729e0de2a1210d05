"""The file of MCP servers, and the file beside it with the tools of theirs that a person has accepted."""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_text.request_rules import is_web_address
from muster_text.unreadable import why_unreadable
from muster_text.values import secret_names
from muster_yaml.bounded_yaml import YamlFault, load

LONGEST_FILE, LONGEST_ACCEPTED = 100_000, 5_000_000
"""Bytes."""
LONGEST_NAME = 64
"""Characters of a tool's name as models are told it."""
SERVER = re.compile(r"[a-z][a-z0-9-]{0,30}")
TOOL = re.compile(r"[A-Za-z0-9_-]+")
Effect = Literal["read", "idempotent", "act"]


class Server(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A server: a program that is started for each call, or an address."""

    command: tuple[str, ...] = ()
    """Program and arguments, spoken to over its standard input and output."""
    url: str = ""
    env: dict[str, str] = {}
    """What the program gets beside `PATH`, `HOME` and the like; values may use `${secret:NAME}`."""
    headers: dict[str, str] = {}
    """What the address is asked with; the same holds."""
    tools: dict[str, Effect] = {}
    """The effect of each tool; those that are not named act."""
    seconds: Annotated[float, Meta(gt=0, le=600)] = 30.0
    """Timeout of one call, connecting included."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the secrets that it is given."""
        return tuple(sorted({it for text in (*self.env.values(), *self.headers.values()) for it in secret_names(text)}))


class _Servers(Struct, frozen=True, forbid_unknown_fields=True):
    servers: dict[str, Server]


class Declaration(Struct, frozen=True, kw_only=True):
    """A tool as its server describes it."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = {}
    """JSON Schema of its arguments."""

    @property
    def digest(self) -> str:
        """A text that is the same for the same description."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()


Accepted = dict[str, dict[str, Declaration]]
"""The accepted tools by server and name."""


def read_servers(path: Path) -> dict[str, Server]:
    """Return the servers in a file, by name.

    Raises:
        InvalidRequest: it cannot be read, or a server cannot be used.
    """
    try:
        text = path.read_text(encoding="utf-8")
        if len(text) > LONGEST_FILE:
            raise InvalidRequest([f"{path}: it has more than {LONGEST_FILE:,} characters"])
        servers = msgspec.convert(load(text), _Servers).servers
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest([f"{path}: {why_unreadable(error)}"]) from error
    except (YamlFault, msgspec.ValidationError) as error:
        raise InvalidRequest([f"{path}: {error}"]) from error
    if problems := [f"{path}: {name}: {why}" for name, it in servers.items() for why in _find_problems(name, it)]:
        raise InvalidRequest(problems)
    return servers


def _find_problems(name: str, server: Server) -> list[str]:
    found = [] if SERVER.fullmatch(name) else ["its name must be lower-case letters, digits and '-'"]
    if bool(server.command) == bool(server.url):
        found.append("it needs either `command`, a program with its arguments, or `url`")
    if server.url and not is_web_address(server.url):
        found.append("url must be an http:// or https:// address without a login")
    if (server.url and server.env) or (server.command and server.headers):
        found.append("`env` is for a `command`, `headers` are for a `url`")
    return found


def accepted_path(path: Path) -> Path:
    """Return the file with the accepted tools of the servers in a file."""
    return path.with_suffix(".accepted.json")


def read_accepted(path: Path) -> Accepted:
    """Return the accepted tools; none, if nothing was accepted yet.

    Raises:
        InvalidRequest: the file cannot be read.
    """
    file = accepted_path(path)
    if not file.exists():
        return {}
    try:
        return codec.decode(file.read_bytes()[:LONGEST_ACCEPTED], Accepted)
    except (OSError, msgspec.DecodeError) as error:
        raise InvalidRequest([f"{file}: {error}; `muster mcp-tools accept {path}` writes it anew"]) from error


def write_accepted(path: Path, accepted: Accepted) -> None:
    """Keep the accepted tools."""
    new = accepted_path(path).with_suffix(".new")
    new.write_bytes(msgspec.json.format(msgspec.json.encode(accepted, order="sorted"), indent=1) + b"\n")
    new.replace(accepted_path(path))


def compare_tools(before: Mapping[str, Declaration], now: Mapping[str, Declaration]) -> dict[str, str]:
    """Return of each tool whether it is `accepted`, `new`, `changed` since, or `gone`. Pure."""
    states = {name: "gone" for name in before if name not in now}
    for name, declared in now.items():
        known = before.get(name)
        states[name] = "new" if known is None else "accepted" if known.digest == declared.digest else "changed"
    return dict(sorted(states.items()))


def offered_name(server: str, tool: str) -> str:
    """Return the name by which models know a tool; empty: it has a name that they cannot use. Pure."""
    name = f"mcp_{server}_{tool}"
    return name if TOOL.fullmatch(tool) and len(name) <= LONGEST_NAME else ""

"""Putting values and secrets into a shell command so that they stay data. Pure.

A value is quoted for the place where it stands; a secret becomes a reference to an environment variable.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from muster_text.values import UnknownValue

_PLACEHOLDER = re.compile(r"\$\{(secret:)?([A-Za-z_][A-Za-z0-9_.-]*)\}")
_SECRET = "secret:"

_SET = re.compile(r"\b([A-Za-z_]\w*)=|\bfor\s+([A-Za-z_]\w*)\b")
_READ = re.compile(r"\bread\b")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


class Command(NamedTuple):
    """A command to run, and the secrets it refers to as environment variables."""

    text: str
    secrets: tuple[str, ...]


def with_values(command: str, values: Mapping[str, str]) -> str:
    """Return the command with values in place of `${name}`, quoted so that the shell takes each as it is.

    A name that the command sets itself, or an all-capitals one (an environment variable), stays for the shell.

    Raises:
        UnknownValue: nothing is known by a name.
    """

    own = _names_set(command)

    def value(quote: str, secret: str, name: str) -> str:
        if secret:
            return f"${{{_SECRET}{name}}}"
        if name in values:
            return _quoted(values[name], quote)
        if name.isupper() or name in own:
            return f"${{{name}}}"
        raise UnknownValue(name)

    return _replaced(command, value)


def _names_set(command: str) -> frozenset[str]:
    """Return the names of variables that a command sets by itself."""
    found = {name for names in _SET.findall(command) for name in names}
    for part in re.split(r"[;\n]", command):
        if reads := _READ.search(part):
            found.update(_NAME.findall(part, reads.end()))
    return frozenset(found)


def with_secrets(command: str) -> Command:
    """Return the command with secrets as references to environment variables of the same names."""
    names: list[str] = []

    def reference(quote: str, secret: str, name: str) -> str:
        if not secret:
            return f"${{{name}}}"
        names.append(name)
        return {"": f'"${name}"', '"': f"${{{name}}}", "'": f"'\"${name}\"'"}[quote]

    return Command(_replaced(command, reference), tuple(dict.fromkeys(names)))


def _quoted(value: str, quote: str) -> str:
    if quote == "'":
        return value.replace("'", "'\\''")
    if quote == '"':
        return re.sub(r'([\\"$`])', r"\\\1", value)
    plain = re.fullmatch(r"[A-Za-z0-9_./:=@%+,-]+", value)
    return value if plain else "'" + value.replace("'", "'\\''") + "'"


def _replaced(command: str, replace: Callable[[str, str, str], str]) -> str:
    """Return the command with placeholders replaced: by the quote they stand in, `secret:` or nothing, and the name."""
    out: list[str] = []
    quote, at = "", 0
    while at < len(command):
        match = _PLACEHOLDER.match(command, at)
        if match is not None:
            out.append(replace(quote, match.group(1) or "", match.group(2)))
            at = match.end()
            continue
        char = command[at]
        step = 2 if char == "\\" and quote != "'" else 1
        if char in "'\"" and quote in ("", char):
            quote = "" if quote else char
        out.append(command[at : at + step])
        at += step
    return "".join(out)

"""Secret values: found by name in the worker's environment, filled in inside a tool call, masked everywhere else."""

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import fields

from muster_subagent.settings import SubAgentSettings
from muster_text.masking import MASK, forms
from muster_text.values import SECRET


class SecretMissing(Exception):
    """A secret that a case names is not known to this worker, or the case does not list it."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"secret {name!r} is not set: put it in the workers' environment or in --env-file")


class Secrets:
    """The secrets one sub-task may use; holds values, so it is never printed, logged or encoded."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = dict(values)
        self._forms = sorted({form for value in values.values() for form in forms(value)}, key=len, reverse=True)

    def __repr__(self) -> str:
        return f"Secrets({', '.join(sorted(self._values))})"

    def values(self) -> dict[str, str]:
        """Return the values by name, for the session host, which must mask what it stores."""
        return dict(self._values)

    def fill(self, text: str) -> str:
        """Return the text with secrets in place of `${secret:NAME}`.

        Raises:
            SecretMissing: the text names a secret that is not among these.
        """
        for name in SECRET.findall(text):
            if name not in self._values:
                raise SecretMissing(name)
        return SECRET.sub(lambda match: self._values[match.group(1)], text)

    def mask(self, text: str) -> str:
        """Return the text with every form of every value (plain, URL- and base64-encoded) blacked out."""
        for form in self._forms:
            text = text.replace(form, MASK)
        return text

    def named_in(self, text: str) -> bool:
        """Return whether the text uses a secret."""
        return SECRET.search(text) is not None


RESERVED = ("NATS_", "MUSTER_", "OPENAI_")
"""Beginnings of names that no case may name as a secret, beside the worker's own settings."""


def read_secrets(path: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return what a worker may use as secrets: its environment without its settings, and over it the NAME=value lines
    of a file."""
    settings = {it.encode_name for it in fields(SubAgentSettings)}
    known = {name: it for name, it in environ.items() if not name.startswith(RESERVED) and name not in settings}
    if not path:
        return known
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        name, separator, value = line.strip().removeprefix("export ").partition("=")
        if separator and not name.startswith("#"):
            known[name.strip()] = _unquoted(value.strip())
    return known


def chosen(known: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    """Return the secrets a case lists.

    Raises:
        SecretMissing: one is not known to this worker.
    """
    for name in names:
        if name not in known:
            raise SecretMissing(name)
    return {name: known[name] for name in names}


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'" else value

"""Secret values: set by the operator of a fleet, filled in inside a tool call, masked everywhere else."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from muster_service.settings import SECRET_PREFIX as PREFIX
from muster_service.settings import SettingsError
from muster_text.masking import MASK, forms
from muster_text.unreadable import why_unreadable
from muster_text.values import SECRET


class SecretMissing(Exception):
    """A secret that a case names is not set for this worker, not allowed or sealed, or the case does not list it."""

    def __init__(self, name: str, why: str = "") -> None:
        self.name = name
        unset = f"set {PREFIX}{name} for the workers, put it into their SECRETS_FILE, or `muster secrets set {name}`"
        super().__init__(why or f"no secret {name}: {unset}")


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


def read_secrets(path: str, environ: Mapping[str, str], allowed: str = "") -> dict[str, str]:
    """Return what cases may name as secrets: variables `SECRET_<NAME>`, and over them the NAME=value lines of a file.

    In the file the prefix may be left out. `allowed` are the names that count, separated by commas and with `*` for
    any text; empty: all.

    Raises:
        SettingsError: the file cannot be read, or has a line of another kind; never tells what is in it.
    """
    known = {name.removeprefix(PREFIX): it for name, it in environ.items() if name.startswith(PREFIX)}
    for number, line in enumerate(_lines_of(path) if path else (), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, separator, value = line.strip().removeprefix("export ").partition("=")
        if not (separator and name.strip()):  # such as the second line of a value, which would be cut without a word
            raise SettingsError(f"the file of secrets {path} (SECRETS_FILE): line {number} is not NAME=value")
        known[name.strip().removeprefix(PREFIX)] = _unquoted(value.strip())
    return {name: it for name, it in known.items() if is_allowed(name, allowed)}


def _lines_of(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"the file of secrets {path} (SECRETS_FILE): {why_unreadable(error)}") from None


def is_allowed(name: str, allowed: str) -> bool:
    """Return whether cases may use a secret of this name; `allowed` as in `read_secrets`."""
    patterns = [pattern.strip() for pattern in allowed.split(",") if pattern.strip()] or ["*"]
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'" else value

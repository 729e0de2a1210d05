"""Placeholders in texts: `${name}` for variables and captured values, `${secret:NAME}` for secrets. Pure."""

import re
from collections.abc import Mapping

from muster_protocol.errors import MusterError
from muster_protocol.tool_calls import ArgumentValue

PLACEHOLDER = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}")
SECRET = re.compile(r"\$\{secret:([A-Za-z_][A-Za-z0-9_]*)\}")


class UnknownValue(MusterError):
    """A text uses a value that was neither set nor captured."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"${{{name}}} has no value: set it as a variable or remember it in an earlier step")


def placeholder_names(text: str) -> tuple[str, ...]:
    """Return the names of the values, without secrets, that the text uses."""
    return tuple(PLACEHOLDER.findall(text))


def secret_names(text: str) -> tuple[str, ...]:
    """Return the names of the secrets that the text uses."""
    return tuple(SECRET.findall(text))


def fill(text: str, values: Mapping[str, str]) -> str:
    """Return the text with placeholders replaced by values; those of secrets stay.

    Raises:
        UnknownValue: a placeholder has no value.
    """

    def value(match: re.Match[str]) -> str:
        try:
            return values[match.group(1)]
        except KeyError:
            raise UnknownValue(match.group(1)) from None

    return PLACEHOLDER.sub(value, text)


def fill_known(text: str, values: Mapping[str, str]) -> str:
    """Return the text with known values filled in; other placeholders stay."""
    return PLACEHOLDER.sub(lambda match: values.get(match.group(1), match.group()), text)


def fill_arguments(arguments: Mapping[str, ArgumentValue], values: Mapping[str, str]) -> dict[str, ArgumentValue]:
    """Return tool arguments with the placeholders in their strings replaced by values."""

    def filled(argument: ArgumentValue) -> ArgumentValue:
        match argument:
            case str():
                return fill(argument, values)
            case list():
                return [fill(item, values) for item in argument]
            case _:
                return argument

    return {name: filled(argument) for name, argument in arguments.items()}

"""The arguments of a call, consumed one by one: a call with an argument left over cannot be exported."""

from collections.abc import Mapping

from muster_protocol.tool_calls import ArgumentValue


class CannotSay(Exception):
    """A call has no counterpart in a script; says why."""


class Given:
    """Arguments of which each is to be taken."""

    def __init__(self, arguments: Mapping[str, ArgumentValue]) -> None:
        self._left = {name: value for name, value in arguments.items() if value not in (None, "", False, [])}

    def peek(self, name: str) -> ArgumentValue:
        """Return an argument without taking it; "" if it is not given."""
        return self._left.get(name, "")

    def take(self, name: str) -> ArgumentValue:
        """Take an argument; "" if it is not given."""
        return self._left.pop(name, "")

    def text(self, name: str) -> str:
        """Take an argument that is a text."""
        return str(self.take(name))

    def flag(self, name: str) -> bool:
        """Take an argument that is on or off."""
        return bool(self.take(name))

    def one_of(self, name: str, *allowed: str) -> str:
        """Take an argument with few values; the first of them is meant if it is not given.

        Raises:
            CannotSay: it has another value.
        """
        value = self.text(name) or allowed[0]
        if value not in allowed:
            raise CannotSay(f"{name} {value!r} has no counterpart")
        return value

    def finish(self) -> None:
        """Make sure that nothing is left.

        Raises:
            CannotSay: something is.
        """
        if self._left:
            said = ", ".join(f"{name}={value!r}" for name, value in self._left.items())
            raise CannotSay(f"{said} has no counterpart")

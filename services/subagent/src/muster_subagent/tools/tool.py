"""Typed functions as tools that a model or a script may call.

A tool is an async function that is given the `ToolContext` first; a model sees its name, docstring and annotations.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Concatenate, ParamSpec, get_type_hints

import msgspec

from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ArgumentValue, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.traits import Argument, Denies, Traits

P = ParamSpec("P")
PATIENCE = "up_to_seconds"
"""The parameter of every check that says how long it may wait until it holds; 0: as long as an action may take."""
LONGEST_WAIT = 120.0
"""Seconds."""


class ToolError(Exception):
    """What a tool tells its caller when it could not do its work; anything else that is raised is a fault of ours."""

    def __init__(self, text: str, *, failure: Failure, expected: str = "", seen: str = "", where: str = "") -> None:
        self.text, self.failure = text, failure
        self.expected, self.seen, self.where = expected, seen, where
        super().__init__(text)

    def outcome(self) -> ToolOutcome:
        """Return the error as the outcome of the call."""
        return refused(self)


def refused(error: ToolError | DeviceRefused) -> ToolOutcome:
    """Return what a tool, or the device below it, says that it could not do, as the outcome of the call."""
    return ToolOutcome(
        status="error",
        text=error.text,
        failure=error.failure,
        expected=error.expected,
        seen=error.seen,
        where=error.where,
        confirmed=False,
        obstacle=error.obstacle if isinstance(error, DeviceRefused) else None,
        alike=error.alike if isinstance(error, DeviceRefused) else (),
        unsent=isinstance(error, DeviceRefused) and error.unsent,
    )


class Tool(Traits, frozen=True, kw_only=True):
    """A function that may be called by name."""

    name: str
    description: str
    parameters: type[msgspec.Struct]
    marks: Mapping[str, tuple[Argument | Denies, ...]]
    """What each parameter declares of itself."""
    function: Callable[..., Awaitable[ToolOutcome]]

    @property
    def command(self) -> str:
        """The parameter that holds a shell command, or ""."""
        return next((name for name, marks in self.marks.items() if Argument.PROGRAM in marks), "")

    @property
    def schema(self) -> dict[str, Any]:
        """The tool in the form the chat-completions API expects."""
        (_,), components = msgspec.json.schema_components([self.parameters])
        parameters = components.pop(self.parameters.__name__)
        parameters.pop("title", None)
        if components:
            parameters["$defs"] = components
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}

    def patterns(self, arguments: Mapping[str, ArgumentValue]) -> Iterator[str]:
        """Yield the arguments that are regular expressions."""
        relations = [arguments.get(name) for name, marks in self.marks.items() if Argument.RELATION in marks]
        for name, marks in self.marks.items():
            wanted = Argument.WANTED in marks and "matches" in relations
            if (wanted or Argument.PATTERN in marks) and isinstance(text := arguments.get(name), str):
                yield text

    def check(self, arguments: Mapping[str, ArgumentValue]) -> msgspec.Struct:
        """Return the arguments as the function takes them; a null counts as left out.

        Raises:
            ToolError: an argument is missing, unknown or of the wrong type.
        """
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            return msgspec.convert(given, self.parameters, strict=False)
        except msgspec.ValidationError as error:
            takes = ", ".join(self.parameters.__struct_fields__)
            text = f"{self.name}: {error}. It takes: {takes}"
            raise ToolError(text, failure=Failure.INVALID_CALL) from error

    async def run(self, ctx: ToolContext, arguments: Mapping[str, ArgumentValue]) -> ToolOutcome:
        """Check the arguments and run the tool.

        Raises:
            ToolError: the arguments do not fit, or the tool could not do its work.
        """
        checked = self.check(arguments)
        given = {name: getattr(checked, name) for name in checked.__struct_fields__}
        if self.effect != "check":
            return await self.function(ctx, **given)
        ctx.patience = min(float(given.pop(PATIENCE)), LONGEST_WAIT)
        try:
            return await self.function(ctx, **given)
        finally:
            ctx.patience = 0.0


class tool(Traits, frozen=True, kw_only=True):
    """Makes a tool of a function whose first parameter is its context."""

    name: str = ""
    """Empty: the function's."""

    def __call__(self, function: Callable[Concatenate[ToolContext, P], Awaitable[ToolOutcome]]) -> Tool:
        """Return the tool that has the function's name, docstring and parameters."""
        hints = get_type_hints(function, include_extras=True)
        _, *parameters = inspect.signature(function).parameters.values()
        fields = [
            (p.name, hints[p.name]) if p.default is p.empty else (p.name, hints[p.name], p.default) for p in parameters
        ]
        marks = {p.name: _marks(hints[p.name]) for p in parameters}
        if self.effect == "check":  # every check waits until it holds, and may be given longer for that
            fields.append((PATIENCE, float, 0.0))
            marks[PATIENCE] = (Argument.DETAIL,)
        name = self.name or function.__name__
        traits: dict[str, Any] = {**msgspec.structs.asdict(self), "name": name}
        return Tool(
            **traits,
            description=inspect.cleandoc(function.__doc__ or ""),
            parameters=msgspec.defstruct(name, fields, forbid_unknown_fields=True, kw_only=True),
            marks=marks,
            function=function,
        )


def _marks(hint: object) -> tuple[Argument | Denies, ...]:
    return tuple(mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, Argument | Denies))

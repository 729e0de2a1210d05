"""The intent of a call before it is made: to act, to look or to keep a value, from its tool's declaration. Pure."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from muster_protocol import codec
from muster_protocol.facts import Act, Capture, Evidence
from muster_protocol.tool_calls import ArgumentValue, ToolCall
from muster_subagent.tools.tool import Tool, ToolError
from muster_subagent.tools.traits import Argument, Denies

T = TypeVar("T")
_NAMING = (Argument.ELEMENT, Argument.PLACE, Argument.KIND, Argument.OBJECT)
_BY_NAME = (Argument.ELEMENT, Argument.PLACE, Argument.KIND)
"""What a ref wins over: it is not looked at then."""


class _Given(NamedTuple):
    """The arguments of a call with the defaults of those left out, by what they are to it."""

    values: tuple[tuple[tuple[Argument | Denies, ...], ArgumentValue], ...]

    def some(self, *wanted: Argument) -> Iterator[str | int | float]:
        """Yield the values of the arguments of these kinds, those of a list one by one; nothing for empty texts."""
        for marks, value in self.values:
            if not set(wanted).isdisjoint(marks):
                yield from _each(value)

    def texts(self, *wanted: Argument) -> tuple[str, ...]:
        """Return the same as texts."""
        return tuple(map(str, self.some(*wanted)))

    def one(self, wanted: Argument, otherwise: T) -> T:
        """Return the value of the one argument of a kind; `otherwise` if there is none or it is empty."""
        return cast("T", next(self.some(wanted), otherwise))

    @property
    def target(self) -> tuple[str, ...]:
        """The words for what is meant; an item of a list is an item."""
        return tuple(
            text.removeprefix("list") if Argument.KIND in marks else text
            for marks, value in self.values
            if not set(_NAMING).isdisjoint(marks)
            for text in map(str, _each(value))
        )

    def without(self, *kinds: Argument) -> "_Given":
        """Return the arguments without those of these kinds."""
        return _Given(tuple((marks, value) for marks, value in self.values if set(kinds).isdisjoint(marks)))

    @property
    def unmarked(self) -> tuple[str, ...]:
        """The values of arguments that do not say what they are."""
        return tuple(str(one) for marks, value in self.values if not marks for one in _each(value))

    @property
    def denied(self) -> bool:
        """Whether an argument makes the check hold if something is not there."""
        return any(mark.by(value) for marks, value in self.values for mark in marks if isinstance(mark, Denies))


def _each(value: ArgumentValue) -> Iterator[str | int | float]:
    for one in value if isinstance(value, list | tuple) else (value,):
        if one is not None and one != "":
            yield one


def _given(tool: Tool, arguments: Mapping[str, ArgumentValue]) -> _Given | None:
    """Return the arguments, or None if the tool does not take them."""
    try:
        checked = tool.check(arguments)
    except ToolError:
        return None
    return _Given(tuple((tool.marks[name], getattr(checked, name)) for name in checked.__struct_fields__))


def intended_act(tool: Tool, call: ToolCall) -> Act:
    """Return what a call would do; arguments of no stated kind, and those that the tool does not take, as the worst."""
    act = Act(call=0, tool=call.tool, arguments=codec.encode(call.arguments).decode())
    given = _given(tool, call.arguments)
    if given is None:
        texts = tuple(str(one) for value in call.arguments.values() for one in _each(value))
        return replace(act, entered=texts, program="\n".join(texts), address="\n".join(texts))
    unmarked = given.unmarked
    if given.texts(Argument.REF):
        given = given.without(*_BY_NAME)
    return replace(
        act,
        does=tool.does,
        target=given.texts(Argument.ELEMENT, Argument.OBJECT),
        place=given.texts(Argument.PLACE),
        role=given.one(Argument.KIND, ""),
        entered=(*given.texts(Argument.ENTERED), *unmarked),
        program="\n".join((*given.texts(Argument.PROGRAM), *unmarked)),
        address="\n".join((*given.texts(Argument.ADDRESS), *unmarked)),
        on_device="device" in tool.needs,
    )


def intended_check(tool: Tool, call: ToolCall) -> Evidence:
    """Return what a call would look at, as evidence that does not hold yet; `unknown` if an argument of no stated kind
    may change that."""
    check = Evidence(
        clause=call.clause,
        check=call.tool,
        arguments=codec.encode(call.arguments).decode(),
        call=0,
        passed=False,
        partial=tool.partial,
    )
    given = _given(tool, call.arguments)
    if given is None:
        return check
    return replace(
        check,
        about="unknown" if given.unmarked else tool.about,
        target=given.target,
        wanted=tuple(given.some(Argument.WANTED)),
        relation=given.one(Argument.RELATION, tool.relation),
        denied=given.denied,
    )


def intended_capture(tool: Tool, call: ToolCall, name: str, *, by: Literal["phrase", "model"] = "model") -> Capture:
    """Return the source of the value that a call captures; `by` says who chose the call."""
    given = _given(tool, call.arguments)
    if given is None or given.unmarked:
        return Capture(name=name, by=by, tool=call.tool)
    return Capture(
        name=name,
        by=by,
        tool=call.tool,
        source=given.one(Argument.SOURCE, tool.source),
        target=given.target,
        pattern=given.one(Argument.PATTERN, ""),
    )

"""The tool that captures a value for later steps. What is missing or ambiguous is an error, never a guess."""

import asyncio
import re
from typing import Annotated, Literal, NamedTuple

import msgspec

from muster_devices.observations import ReadText, ReadValue, ValuesSeen, Wait
from muster_devices.refusals import closest_name, missing_part
from muster_protocol.causes import Failure
from muster_protocol.session_responses import ExecDone
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.comparisons import undecided
from muster_subagent.tools.device_calls import look_until
from muster_subagent.tools.element_content import distinct
from muster_subagent.tools.http_tools import how_cut, last_response
from muster_subagent.tools.regular_expressions import RegularExpression
from muster_subagent.tools.shell_tools import how_kept
from muster_subagent.tools.targets import Element, Within, part
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import DEVICE, Argument
from muster_text.text_match import listed, quote

Source = Annotated[Literal["page", "output", "url", "title", "response"], Argument.SOURCE]
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


@tool(effect="read", group="values", needs=DEVICE, offer=offers.VALUES)
async def remember(
    ctx: ToolContext,
    name: Annotated[str, Argument.OPTION],
    *,
    element: Element = "",
    within: Within = "",
    pattern: Annotated[str, Argument.PATTERN] = "",
    source: Source = "page",
) -> ToolOutcome:
    """Remember a value under a name, for later use as ${name}.

    On the page, `element` is the label, heading or name of what holds the value. `pattern` is a regular expression: its
    first group is kept, or the whole match.
    """
    key = key_of(name)
    texts, where, cut = await _sources(ctx, source, element, within)
    if cut:
        raise undecided(f"{cut}: what it has once may stand in the rest, too", where)
    label = element or source
    values = await asyncio.to_thread(_matches, texts, RegularExpression(pattern)) if pattern else texts
    value = _only(values, label, where, pattern)
    if not value:
        raise ToolError(
            f"{quote(label)} is empty: there is nothing to remember", failure=Failure.ELEMENT_MISSING, where=where
        )
    return ToolOutcome(
        status="ok", text=f"Remembered {quote(value)} as ${{{key}}}.", captured={key: value}, where=where
    )


def key_of(name: str) -> str:
    """Return the name under which a value is kept, given as `name` or as `${name}`.

    Raises:
        ToolError: it is no name.
    """
    key = name.strip().removeprefix("${").removesuffix("}")
    if not _NAME.fullmatch(key):
        raise ToolError(f"{name!r} is not a valid name: use letters, digits and _", failure=Failure.INVALID_CALL)
    return key


class _Sources(NamedTuple):
    """Where to take a value from."""

    texts: list[str]
    """More than one where it is unclear."""
    where: str
    cut: str = ""
    """How much of the text was read, if not all."""


async def _sources(ctx: ToolContext, source: Source, element: str, within: str | list[str]) -> _Sources:
    match source:
        case "output":
            text = await ctx.session.recall("exec")
            if text is None:
                raise ToolError("no command was run yet in this session", failure=Failure.INVALID_CALL)
            done = msgspec.json.decode(text, type=ExecDone)
            return _Sources([done.stdout.strip()], "the output of the last command", how_kept(done))
        case "response":
            seen = await last_response(ctx)
            return _Sources([seen.body], "the last response", how_cut(seen) if seen.cut else "")
        case "page" if element:
            return _Sources(*await _named(ctx, element, within))
        case _:
            device = await ctx.session.device()
            question = ReadText(within=part(within))
            seen = await device.look(question, Wait(settle=ctx.action_timeout))
            place = seen.place
            if no_part := missing_part(question.within, seen):
                raise no_part
            text = {"url": place.address, "title": place.title}.get(source, "\n".join(seen.lines))
            cut = f"only the first {len(seen.lines):,} lines of the page were read" if seen.cut else ""
            return _Sources([text], place.address, cut if source == "page" else "")


async def _named(ctx: ToolContext, element: str, within: str | list[str]) -> tuple[list[str], str]:
    def found(seen: ValuesSeen) -> bool:
        return bool(seen.values)

    question = ReadValue(name=element, within=part(within))
    seen = await look_until(ctx, question, found)
    where = seen.place.address
    if no_part := missing_part(question.within, seen):
        raise no_part
    if not seen.values:
        text = f"there is no value named {quote(element)} on the page{closest_name(element, seen.near)}"
        raise ToolError(text, failure=Failure.NAME_UNKNOWN, expected=f"a value named {quote(element)}", where=where)
    return [value.value for value in distinct(seen)], where


def _matches(texts: list[str], wanted: RegularExpression) -> list[str]:
    return list(dict.fromkeys(value for text in texts for value in wanted.find_values(text)))


def _only(values: list[str], label: str, where: str, wanted: str) -> str:
    """Return the one value there is.

    Raises:
        ToolError: there is none, or more than one.
    """
    if len(values) == 1:
        return values[0]
    if not values:
        text = f"nothing in {quote(label)} matches {wanted!r}"
        raise ToolError(text, failure=Failure.ELEMENT_MISSING, expected=wanted, where=where)
    how = "give a pattern that fits one of them" if wanted else "say which with `within` (its row, card or section)"
    text = f"{quote(label)} may mean {len(values)} values: {listed(values)}; {how}"
    raise ToolError(text, failure=Failure.TARGET_UNCLEAR, seen=listed(values), where=where)

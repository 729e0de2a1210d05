"""Checks of single elements: visibility, value, state, count and options."""

from collections.abc import Callable
from typing import Literal

from muster_protocol.causes import Failure
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.element_content import content_of, looked
from muster_subagent.tools.target_errors import missing_part, refused
from muster_subagent.tools.targets import Control, Element, Ref, Role, Survey, Target, Within
from muster_subagent.tools.text_matching import Match, compares, listed, quote, says, squash
from muster_subagent.tools.tool import ToolError, tool

State = Literal[
    "enabled",
    "disabled",
    "checked",
    "unchecked",
    "focused",
    "selected",
    "editable",
    "readonly",
    "required",
    "empty",
    "expanded",
    "collapsed",
]
Comparison = Literal["is", "at_least", "at_most"]


@tool(effect="check")
async def check_visible(
    ctx: ToolContext, element: Element, *, role: Role = "", within: Within = "", ref: Ref = "", absent: bool = False
) -> ToolOutcome:
    """Check that an element can be seen; or, with `absent`, that it cannot or is not there."""
    target = Target(element, role, within, ref)
    seen = await looked(ctx, target, "read", lambda found: bool(found.shown) != absent, denied=absent)
    if seen.unknown_part and not absent:
        raise missing_part(within, seen.near, seen.url)
    expected = f"{target.words()} is {'not ' if absent else ''}visible"
    return verdict(bool(seen.shown) != absent, expected, _what_is_there(target, seen), seen.url)


def _what_is_there(target: Target, seen: Survey) -> str:
    if seen.shown:
        return ", ".join(dict.fromkeys(control.words() for control in seen.shown[:3]))
    if seen.matches:
        return f"{seen.matches[0].words()} is on the page, but hidden"
    return refused(target, "read", seen).seen or "no such element"


async def _one(ctx: ToolContext, target: Target, holds: Callable[[Control], bool]) -> tuple[Control, str]:
    """Return the one element that is meant, once something holds of it or the time is up, and where it is.

    Raises:
        ToolError: it is missing, hidden or unclear.
    """
    seen = await looked(ctx, target, "value", lambda found: found.total == 1 and holds(found.matches[0]))
    if seen.total != 1 or seen.matches[0].hidden:
        raise refused(target, "value", seen)
    return seen.matches[0], seen.url


@tool(effect="check")
async def check_value(
    ctx: ToolContext,
    element: Element,
    value: str,
    *,
    role: Role = "",
    within: Within = "",
    ref: Ref = "",
    match: Match = "is",
    negate: bool = False,
) -> ToolOutcome:
    """Check the value of a field, or the text of any other element."""
    target = Target(element, role, within, ref)

    def holds(text: str) -> bool:
        return compares(text, value, match) != negate

    content = await content_of(ctx, target, holds)
    expected = f"{target.words()} {says(match, value, negate=negate)}"
    seen = "a password" if content.secret and content.text else quote(content.text)
    return verdict(holds(content.text), expected, seen, content.where)


@tool(effect="check")
async def check_state(
    ctx: ToolContext, element: Element, state: State, *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Check what state an element is in, such as enabled, checked or expanded."""
    target = Target(element, role, within, ref)
    control, where = await _one(ctx, target, lambda found: _is(found, state))
    seen = ", ".join(_states(control))
    return verdict(_is(control, state), f"{target.words()} is {state}", f"{control.words()} is {seen}", where)


def _is(control: Control, state: State) -> bool:
    states = control.states
    if state == "disabled":
        return not states.enabled
    return not states.checked if state == "unchecked" else bool(getattr(states, state))


_ALWAYS = ("enabled", "disabled")
_TOGGLES = ("checkbox", "radio", "switch")


def _states(control: Control) -> list[str]:
    """Return the states that say something about an element of its kind."""
    told = ["enabled" if control.states.enabled else "disabled"]
    if control.role in _TOGGLES or control.states.checked:
        told.append("checked" if control.states.checked else "unchecked")
    others = ("focused", "selected", "readonly", "required", "expanded", "collapsed")
    told += [state for state in others if getattr(control.states, state)]
    return told + (["empty"] if control.value is not None and control.states.empty else [])


@tool(effect="check")
async def check_count(
    ctx: ToolContext,
    element: Element,
    count: int,
    *,
    role: Role = "",
    within: Within = "",
    comparison: Comparison = "is",
) -> ToolOutcome:
    """Count the visible elements of a name or role (rows without the heading row) and compare with a number."""
    target = Target(element, role, within)

    def holds(found: Survey) -> bool:
        number = _visible(found)
        return {"is": number == count, "at_least": number >= count, "at_most": number <= count}[comparison]

    few = count == 0 or comparison == "at_most"
    seen = await looked(ctx, target, "read", lambda found: holds(found) and not found.unknown_part, denied=few)
    if seen.unknown_part:
        raise missing_part(within, seen.near, seen.url)
    lead = {"is": "", "at_least": "at least ", "at_most": "at most "}[comparison]
    return verdict(holds(seen), f"{lead}{count} × {target.words()}", str(_visible(seen)), seen.url)


def _visible(found: Survey) -> int:
    """Return how many are visible; those of the best rank are either all visible or all hidden."""
    return found.total if found.shown else 0


@tool(effect="check")
async def check_options(
    ctx: ToolContext, element: Element, options: list[str], *, role: Role = "", within: Within = "", ref: Ref = ""
) -> ToolOutcome:
    """Check that a list offers all of the given options."""
    target = Target(element, role, within, ref)

    def missing(control: Control) -> list[str]:
        there = {squash(option) for option in control.options}
        return [option for option in options if squash(option) not in there]

    control, where = await _one(ctx, target, lambda found: not missing(found))
    if control.tag != "select":
        text = f"{control.words()} is not a list whose options can be read"
        raise ToolError(text, failure=Failure.TARGET_UNCLEAR, where=where)
    expected = f"{target.words()} has the options {listed(options)}"
    return verdict(not missing(control), expected, listed(control.options, 15), where)

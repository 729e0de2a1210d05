"""Tools that ask other agents. Meanwhile the worker gives the sub-task up; later it continues from here."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from muster_protocol.assignments import Temperature, TierName
from muster_protocol.causes import Failure
from muster_protocol.journal import Children
from muster_protocol.tasks import ChildEnd, SubTaskResult
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.tool_context import Delegate, NeedsChildren, ToolContext, Wish
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import NOTHING, Argument
from muster_text.text_match import both_ends

LONGEST = 3_600
"""Characters that are told of all sub-agents of a call together."""


@tool(effect="act", group="agents", needs=NOTHING, page=False, rejoinable=True, delegates=True)
async def spawn(
    ctx: ToolContext,
    agent: Annotated[str, Argument.OPTION],
    task: Annotated[str, Argument.OPTION],
    *,
    calls: Annotated[int, Meta(ge=0, description="Most tool calls"), Argument.OPTION] = 0,
    tools: Annotated[list[str] | None, Argument.OPTION] = None,
    context: Annotated[int, Meta(ge=0), Argument.DETAIL] = 0,
    seconds: Annotated[float, Meta(ge=0), Argument.DETAIL] = 0,
    tier: Annotated[TierName | None, Argument.DETAIL] = None,
    temperature: Annotated[Temperature | None, Argument.DETAIL] = None,
) -> ToolOutcome:
    """Have another agent do a task, with a fresh context: it knows only what the task says. Waits for its result."""
    wish = Wish(
        agent=agent,
        task=task,
        calls=calls,
        tools=None if tools is None else tuple(tools),
        context=context,
        seconds=seconds,
        tier=tier,
        temperature=temperature,
    )
    delegate, ends = _asked(ctx, (wish,), 1)
    [end] = ends
    text = await _told(delegate, end, LONGEST)
    if end.status != "pass":
        raise ToolError(text, failure=Failure.GAVE_UP)
    return ToolOutcome(status="ok", text=text)


@tool(effect="act", group="agents", needs=NOTHING, page=False, rejoinable=True, delegates=True)
async def fan_out(
    ctx: ToolContext,
    tasks: Annotated[str | list[str], Meta(description='[{"agent": "…", "task": "…"}, …]'), Argument.OPTION],
    max_concurrent: Annotated[int, Meta(ge=0), Argument.DETAIL] = 0,
) -> ToolOutcome:
    """Have several agents do tasks at the same time. Waits for all; results come in the order of the tasks."""
    wishes = _wishes(tasks)
    delegate, ends = _asked(ctx, wishes, max_concurrent)
    most = max(200, LONGEST // max(1, len(ends)))
    told = [f"{number}. {await _told(delegate, end, most)}" for number, end in enumerate(ends, 1)]
    return ToolOutcome(status="ok", text="\n\n".join(told), confirmed=any(end.status == "pass" for end in ends))


def _wishes(given: str | list[str]) -> tuple[Wish, ...]:
    try:
        listed = msgspec.json.decode(given) if isinstance(given, str) else given
        return msgspec.convert(listed, tuple[Wish, ...])
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        told = f'tasks is a JSON list such as [{{"agent": "researcher", "task": "…"}}]: {error}'
        raise ToolError(told, failure=Failure.INVALID_CALL) from error


def _asked(ctx: ToolContext, wishes: Sequence[Wish], most: int) -> tuple[Delegate, tuple[ChildEnd, ...]]:
    """Return how the sub-agents of this call ended.

    Raises:
        NeedsChildren: they have yet to begin.
        ToolError: they may not.
    """
    if ctx.delegate is None:
        raise ToolError("this agent works alone", failure=Failure.NOT_PERMITTED)
    ends = ctx.delegate.ends(ctx.call)
    if ends is None:
        children = ctx.delegate.order(wishes, ctx.permissions)
        raise NeedsChildren(Children(call=ctx.call, children=children, max_concurrent=ctx.delegate.at_once(most)))
    return ctx.delegate, ends


async def _told(delegate: Delegate, end: ChildEnd, longest: int) -> str:
    """Return what an agent is told of a sub-agent; a failed one has no findings that count."""
    head = f"{end.agent} ({end.node}): "
    if end.status != "pass":
        return head + both_ends(f"FAILED: {end.summary}", longest)
    found = await delegate.result(end)
    return head + both_ends(f"done: {describe_result(found) if found else end.summary}", longest)


def describe_result(result: SubTaskResult) -> str:
    """Return what a sub-agent brought, as whoever asked for it is told; what it invented is no quote. Pure."""
    findings = [_finding(msgspec.to_builtins(it)) for it in result.assigned.findings]
    output = result.assigned.output
    parts = [result.summary, *findings]
    parts += [f"Output: {json.dumps(output, ensure_ascii=False)}"] if output is not None else []
    return "\n".join(parts)


def _finding(found: dict[str, Any]) -> str:
    place = f"{found['file']}:{found['line']}" if found.get("line") else found.get("file") or found.get("source") or ""
    if found.get("unread"):  # no quote: whoever asked would take it for something that was read
        return f"- {found['text']} (not shown: its agent has read no such thing)"
    quote = f" — “{found['quote']}”" if found.get("quote") else ""
    return f"- {found['text']}{quote}" + (f" ({place})" if place else "")

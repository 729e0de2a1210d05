"""Tools that change the workspace of a session, run its tests, or take its commits out of it."""

from typing import Annotated

from msgspec import Meta

from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.session_responses import WorkspaceDone
from muster_protocol.tool_calls import ArgumentValue, ToolCall, ToolOutcome
from muster_subagent.approvals import allows
from muster_subagent.tool_context import NeedsPerson, ToolContext
from muster_subagent.tools.checkout_reading import GROUP, SECONDS, Option, Path, diff
from muster_subagent.tools.long_texts import call_stem, kept
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import CHECKOUT, PEOPLE, Argument, Entered

CALL_LIMIT = 800_000
"""Bytes of a call; a message of NATS has room for 1 MB."""


@tool(effect="idempotent", group=GROUP, needs=CHECKOUT, page=False, does="write")
async def write(ctx: ToolContext, path: Path, content: Entered) -> ToolOutcome:
    """Write a file of the workspace, in place of what it held; missing folders are made."""
    return await _changed(ctx, write.name, path, path=path, content=content)


@tool(effect="act", group=GROUP, needs=CHECKOUT, page=False, does="write", rejoinable=True)
async def edit(
    ctx: ToolContext,
    path: Path,
    old: Annotated[str, Meta(description="Text as it stands there exactly once"), Option],
    new: Entered,
) -> ToolOutcome:
    """Replace a text that stands in a file of the workspace exactly once."""
    return await _changed(ctx, edit.name, path, path=path, old=old, new=new)


@tool(effect="act", group=GROUP, needs=CHECKOUT, page=False, does="run", rejoinable=True)
async def git_commit(ctx: ToolContext, message: Entered) -> ToolOutcome:
    """Commit all changes of the workspace."""
    return await _changed(ctx, git_commit.name, "workspace", message=message)


@tool(effect="act", group=GROUP, needs=CHECKOUT | PEOPLE, page=False, does="run", rejoinable=True)
async def git_push(
    ctx: ToolContext,
    branch: Annotated[str, Meta(description="A new one; empty: named after the run"), Argument.OBJECT] = "",
) -> ToolOutcome:
    """Ask a person, and then put the commits into the served repository as a new branch."""
    if ctx.call not in ctx.answers:
        shown = await ctx.session.use_workspace(
            ToolCall(tool=diff.name), call=f"{ctx.call}:shown", timeout_seconds=SECONDS
        )
        stat = shown.text.partition("\n\n")[0]
        text = f"May these changes be put into the served repository as branch {branch or '(new)'}? Answer yes or no."
        raise NeedsPerson(ctx.call, ctx.secrets.mask(f"{text}\n{stat[:2_000]}"))
    if not allows(ctx.answers[ctx.call]):
        raise ToolError("a person did not allow this", failure=Failure.NOT_PERMITTED)
    return await _changed(ctx, "push", branch or "workspace", branch=branch)


@tool(effect="act", group=GROUP, needs=CHECKOUT, page=False, does="run", rejoinable=True, verbose=True)
async def run_tests(
    ctx: ToolContext,
    target: Annotated[str, Meta(description="File, folder or path::test; empty: all"), Argument.OBJECT] = "",
    runner: Annotated[str, Meta(description="pytest, node or go; empty: what the workspace is made for"), Option] = "",
    timeout_seconds: Annotated[float, Option] = 300,
) -> ToolOutcome:
    """Run the workspace's tests, without a network, and tell how many passed and failed, and why."""
    arguments: dict[str, ArgumentValue] = {"target": target, "runner": runner, "seconds": timeout_seconds}
    done = await _done(ctx, run_tests.name, timeout_seconds, **arguments)
    text, stored = kept(ctx, "tests", done.text)
    counts = (
        ctx.store(f"tests-{call_stem(ctx)}.json", ctx.secrets.mask(done.data).encode(), "application/json"),
    ) if done.data else ()  # fmt: skip
    return ToolOutcome(
        status="ok", text=text, where=target or "workspace", confirmed=not done.failed, artifacts=(*stored, *counts)
    )


async def _changed(ctx: ToolContext, name: str, where: str, **arguments: ArgumentValue) -> ToolOutcome:
    done = await _done(ctx, name, SECONDS, **arguments)
    return ToolOutcome(status="ok", text=done.text, where=where, confirmed=not done.failed)


async def _done(ctx: ToolContext, name: str, seconds: float, /, **arguments: ArgumentValue) -> WorkspaceDone:
    """Carry out a call.

    Raises:
        ToolError: it is too large for one message.
    """
    asked = ToolCall(tool=name, arguments=arguments)
    if (size := len(codec.encode(asked))) > CALL_LIMIT:
        text = f"{name} takes up to {CALL_LIMIT} bytes, and this would be {size}: write a large file in parts"
        raise ToolError(text, failure=Failure.INVALID_CALL)
    return await ctx.session.use_workspace(asked, call=ctx.call, timeout_seconds=seconds)

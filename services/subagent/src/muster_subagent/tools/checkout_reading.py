"""Tools that look at the workspace of a session: its files, its program text, its history."""

from typing import Annotated

from msgspec import Meta

from muster_protocol.tool_calls import ArgumentValue, ToolCall, ToolOutcome
from muster_subagent.tool_context import ToolContext
from muster_subagent.tools.long_texts import kept
from muster_subagent.tools.tool import tool as declare
from muster_subagent.tools.traits import CHECKOUT, Argument

Path = Annotated[str, Meta(description="Relative to the workspace"), Argument.OBJECT]
Folder = Annotated[str, Meta(description="Folder or file to look in"), Argument.OBJECT]
Option = Argument.OPTION
GROUP = "workspace"
SECONDS = 60.0


async def looked(ctx: ToolContext, tool: str, where: str, **arguments: ArgumentValue) -> ToolOutcome:
    """Carry out a call that changes nothing, and return what it found."""
    asked = ToolCall(tool=tool, arguments=arguments)
    done = await ctx.session.use_workspace(asked, call=ctx.call, timeout_seconds=SECONDS)
    text, stored = kept(ctx, tool, done.text)
    return ToolOutcome(status="ok", text=text, where=where, artifacts=stored)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def read(
    ctx: ToolContext,
    path: Path,
    first: Annotated[int, Meta(description="First line, from 1"), Option] = 1,
    last: Annotated[int, Meta(description="Last line; 0: 400 lines"), Option] = 0,
) -> ToolOutcome:
    """Read numbered lines of a text file of the workspace."""
    return await looked(ctx, read.name, path, path=path, first=first, last=last)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def ls(ctx: ToolContext, path: Folder = ".") -> ToolOutcome:
    """List a folder of the workspace."""
    return await looked(ctx, ls.name, path, path=path)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def search_files(
    ctx: ToolContext,
    name: Annotated[str, Meta(description="Part of a path, or a pattern such as *.py"), Option],
    path: Folder = ".",
) -> ToolOutcome:
    """Find files of the workspace by name."""
    return await looked(ctx, search_files.name, path, name=name, path=path)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def grep(
    ctx: ToolContext,
    pattern: Annotated[str, Meta(description="Regular expression"), Option],
    path: Folder = ".",
    files: Annotated[str, Meta(description="Only files named so, such as *.py"), Option] = "",
    *,
    literal: Annotated[bool, Option] = False,
    ignore_case: Annotated[bool, Option] = False,
) -> ToolOutcome:
    """Find lines of the workspace's files that match a regular expression, or with `literal` hold a text."""
    options = {"files": files, "literal": literal, "ignore_case": ignore_case}
    return await looked(ctx, grep.name, path, pattern=pattern, path=path, **options)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def code_search(
    ctx: ToolContext,
    name: Annotated[str, Meta(description="Such as Cart or Cart.total"), Option],
    path: Folder = ".",
) -> ToolOutcome:
    """Find where a class, function or constant is defined."""
    return await looked(ctx, code_search.name, path, name=name, path=path)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def overview(ctx: ToolContext, path: Folder = ".") -> ToolOutcome:
    """Tell what the workspace is made of: kinds of files, folders, how its README begins."""
    return await looked(ctx, overview.name, path, path=path)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def docs_coverage(ctx: ToolContext, path: Folder = ".") -> ToolOutcome:
    """Tell how many public definitions of Python files have a docstring, and where most lack one."""
    return await looked(ctx, docs_coverage.name, path, path=path)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def plan_files(
    ctx: ToolContext,
    goal: Annotated[str, Meta(description="What is to be done, with names from the code"), Option],
    path: Folder = ".",
) -> ToolOutcome:
    """List the files that a goal is likely to be about, and why."""
    return await looked(ctx, plan_files.name, path, goal=goal, path=path)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def diff(ctx: ToolContext) -> ToolOutcome:
    """Show all that was changed in the workspace since the session began, committed or not."""
    return await looked(ctx, diff.name, "workspace")


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def git_status(ctx: ToolContext) -> ToolOutcome:
    """Tell which files of the workspace are changed or new since the last commit."""
    return await looked(ctx, git_status.name, "workspace")


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def git_log(ctx: ToolContext, count: Annotated[int, Option] = 10, path: Folder = "") -> ToolOutcome:
    """List the newest commits of the workspace, or of one path in it."""
    return await looked(ctx, git_log.name, path or "workspace", count=count, path=path)


@declare(effect="read", group=GROUP, needs=CHECKOUT, page=False)
async def git_diff(
    ctx: ToolContext,
    revision: Annotated[str, Meta(description="Such as HEAD~1 or a..b; empty: the last commit"), Option] = "",
    path: Folder = "",
) -> ToolOutcome:
    """Show what was changed since the last commit, or since a revision."""
    return await looked(ctx, git_diff.name, path or "workspace", revision=revision, path=path)

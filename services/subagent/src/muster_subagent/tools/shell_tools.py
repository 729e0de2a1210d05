"""Tools for the session's shell and files, and checks of what commands and files hold."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Literal

import msgspec

from muster_protocol.causes import Failure
from muster_protocol.session_responses import LEFT_OUT, ExecDone
from muster_protocol.tool_calls import ToolOutcome
from muster_subagent.approvals import allows
from muster_subagent.secrets import SecretMissing
from muster_subagent.session_client import SessionRefused
from muster_subagent.tool_context import NeedsPerson, ToolContext
from muster_subagent.tools import offers
from muster_subagent.tools.check_outcomes import verdict
from muster_subagent.tools.comparisons import Match, begins_to, compares, ends_to, says, undecided
from muster_subagent.tools.long_texts import kept
from muster_subagent.tools.shell_quoting import with_secrets
from muster_subagent.tools.tool import ToolError, tool
from muster_subagent.tools.traits import SHELL, WORKSPACE, Argument, Denied, Entered, Wanted
from muster_text.text_match import lines_like, listed, quote, squash

COMMAND_NOT_FOUND = 127
Path = Annotated[str, Argument.OBJECT]


@tool(
    effect="act", group="shell", needs=SHELL, page=False, does="run", rejoinable=True, verbose=True, offer=offers.SHELL
)
async def execute_command(
    ctx: ToolContext,
    command: Annotated[str, Argument.PROGRAM],
    timeout_seconds: Annotated[float, Argument.OPTION] = 60,
    background: Annotated[bool, Argument.OPTION] = False,
) -> ToolOutcome:
    """Run a shell command in the session's directory; directory and exported variables last until the next one.

    A command in the background goes on after the call. Secrets are given to it as environment variables.
    """
    prepared = with_secrets(command)
    done = await _approved(
        ctx,
        command,
        partial(
            ctx.session.execute,
            prepared.text,
            call=ctx.call,
            timeout_seconds=timeout_seconds,
            background=background,
            secrets=_secrets(ctx, prepared.secrets),
            on_output=lambda stream, text: ctx.on_output(stream, ctx.secrets.mask(text)),
            author=ctx.author,
        ),
    )
    output, stored = kept(ctx, "output", _output(done), kept_of(done))
    told = _unreached(done)
    if done.timed_out:
        text = f"the command ran longer than {timeout_seconds:g} s and was stopped.{told} {output}".strip()
        outcome = ToolError(text, failure=Failure.TIMED_OUT, where=command).outcome()
        return msgspec.structs.replace(outcome, artifacts=stored)
    text = f"{_ended(done, background=background)}{told}\n{output}".strip()
    failure = Failure.COMMAND_MISSING if not_found(done) else None
    if done.exit_code and kept_away(done):
        failure = Failure.UNREACHABLE
    if done.lacking:
        failure, text = Failure.INFRASTRUCTURE, f"{text}\n{done.lacking}"
    sure = background or done.exit_code == 0
    return ToolOutcome(status="ok", text=text, failure=failure, where=command, confirmed=sure, artifacts=stored)


async def _approved(ctx: ToolContext, command: str, run: Callable[..., Awaitable[ExecDone]]) -> ExecDone:
    """Run a command; where its host wants a person's approval first, ask for it.

    Raises:
        NeedsPerson: nobody has answered yet.
        ToolError: a person said no.
    """
    try:
        return await run(approved=allows(ctx.answers.get(ctx.call, "")))
    except SessionRefused as refused:
        if refused.reason != "needs_approval":
            raise
        if ctx.call not in ctx.answers:
            text = f"May a model run this command without a sandbox? Answer yes or no.\n{command}"
            raise NeedsPerson(ctx.call, ctx.secrets.mask(text)) from None
        raise ToolError("a person did not allow this command", failure=Failure.INFRASTRUCTURE) from refused


def _secrets(ctx: ToolContext, names: tuple[str, ...]) -> dict[str, str]:
    known = ctx.secrets.values()
    missing = next((name for name in names if name not in known), None)
    if missing is not None:
        raise SecretMissing(missing)
    return {name: known[name] for name in names}


def _ended(done: ExecDone, *, background: bool) -> str:
    if background and done.exit_code is None:
        return f"It runs in the background (process {done.pid})."
    missing = " (command not found)" if not_found(done) else ""
    return f"Exit code {done.exit_code}{missing} after {done.seconds:.1f} s."


def _unreached(done: ExecDone) -> str:
    """Return a sentence about what the command did not reach, and what to do about that; "" if there is nothing."""
    whys = [each.why for each in done.unreached]
    if kept_away(done):
        whys.append("commands reach only the `domains` of their case: add what belongs to it")
    return f" Not reached: {'; '.join(whys)}." if whys else ""


def kept_away(done: ExecDone) -> bool:
    """Return whether the case's domains have kept a command from something."""
    return any(each.closed for each in done.unreached)


def _output(done: ExecDone) -> str:
    parts = [done.stdout.rstrip(), f"stderr:\n{done.stderr.rstrip()}" if done.stderr.strip() else ""]
    return "\n".join(part for part in parts if part)


def how_kept(done: ExecDone) -> str:
    """Return the words for how much of an output was kept, if it was too long; ""."""
    return f"only the {kept} was kept" if (kept := kept_of(done)) else ""


def kept_of(done: ExecDone) -> str:
    """Return what the session host kept of an output that was too long for it, or ""."""
    size = len(done.stdout) + len(done.stderr)
    return f"beginning and end of the output, {size:,} characters (EXEC_OUTPUT_LIMIT)," if done.truncated else ""


def not_found(done: ExecDone) -> bool:
    """Return whether a command failed because it does not exist."""
    return done.exit_code == COMMAND_NOT_FOUND and "not found" in done.stderr


async def _last_command(ctx: ToolContext) -> ExecDone:
    """Return the session's last command.

    Raises:
        ToolError: there was none.
    """
    text = await ctx.session.recall("exec")
    if text is None:
        raise ToolError("no command was run yet in this session", failure=Failure.INVALID_CALL)
    return msgspec.json.decode(text, type=ExecDone)


@tool(effect="check", group="checks", needs=SHELL, page=False, about="output", partial=True, offer=offers.OUTPUTS)
async def check_output(
    ctx: ToolContext,
    text: Wanted,
    match: Match = "contains",
    stream: Annotated[Literal["any", "stdout", "stderr"], Argument.OPTION] = "any",
    negate: Denied = False,
) -> ToolOutcome:
    """Check what the last command put out: on stdout, on stderr, or on any of the two."""
    done = await _last_command(ctx)
    streams = {"stdout": [done.stdout], "stderr": [done.stderr], "any": [done.stdout, done.stderr]}[stream]
    if stream == "any" and (match in ("is", "matches") or negate):
        streams = ["\n".join(part for part in streams if part)]
    wanted = ctx.secrets.mask(text)  # the session's host has masked the output
    holds = any(_puts_out(done, one, wanted, match, denied=negate) for one in streams) != negate
    name = "the output" if stream == "any" else stream
    seen = _excerpt("\n".join(streams), text)
    expected = f"{name} {says(match, text, negate=negate)}"
    if done.truncated and holds == negate:
        raise undecided(f"{how_kept(done)}: it does not show whether {expected}", "the last command")
    return _of_command(verdict(holds, expected, seen, "the last command"), done, denied=negate)


def _puts_out(done: ExecDone, kept: str, wanted: str, match: Match, *, denied: bool) -> bool:
    """Return whether an output is as wanted; of one that was cut, whether one of the parts that were kept shows it."""
    if not done.truncated or LEFT_OUT not in kept:
        return compares(kept, wanted, match, denied=denied)
    beginning, _, rest = kept.partition(LEFT_OUT)
    return begins_to(beginning, wanted, match) or ends_to(rest.partition("\n")[2], wanted, match)


def _excerpt(output: str, text: str) -> str:
    """Return the output, or of a long one the lines that are most like what was looked for, and its end."""
    if len(output) <= 400:
        return quote(output, 400)
    lines = [squash(line) for line in output.splitlines() if line.strip()]
    like = lines_like(text, lines)
    closest = f"closest: {listed(like)}; " if like else ""
    return f"{closest}it ends with {listed(lines[-3:])}"


def _of_command(outcome: ToolOutcome, done: ExecDone, *, denied: bool) -> ToolOutcome:
    """A command that does not exist, was kept from what it wanted to reach, or failed on a machine that had run out of
    something, says nothing about the product."""
    if done.lacking:
        text = f"it is not known whether {outcome.expected}: the last command failed, and {done.lacking}"
        return ToolError(text, failure=Failure.INFRASTRUCTURE, where="the last command").outcome()
    if kept_away(done) and (outcome.status != "ok" or denied or done.exit_code):
        text = f"it is not known whether {outcome.expected}: the last command did not get through.{_unreached(done)}"
        return ToolError(text, failure=Failure.UNREACHABLE, where="the last command").outcome()
    if outcome.status == "ok" or not not_found(done):
        return outcome
    seen = f"{outcome.seen} (the command was not found: {quote(done.stderr)})"
    return msgspec.structs.replace(outcome, failure=Failure.COMMAND_MISSING, seen=seen)


@tool(
    effect="check",
    group="checks",
    needs=SHELL,
    page=False,
    about="exit",
    relation="is",
    partial=True,
    offer=offers.OUTPUTS,
)
async def check_exit_code(
    ctx: ToolContext, code: Annotated[int, Argument.WANTED], negate: Denied = False
) -> ToolOutcome:
    """Check the exit code of the last command."""
    done = await _last_command(ctx)
    expected = f"the exit code is {'not ' if negate else ''}{code}"
    if done.exit_code is None:
        what = "was stopped at its time limit" if done.timed_out else "still runs in the background"
        return verdict(False, expected, f"none: the command {what}", "the last command")
    last = [squash(line) for line in (done.stderr or done.stdout).splitlines() if line.strip()][-2:]
    seen = f"{done.exit_code}" + (f"; it said: {listed(last)}" if last and done.exit_code else "")
    holds = (done.exit_code == code) != negate
    return _of_command(verdict(holds, expected, seen, "the last command"), done, denied=negate)


@tool(effect="read", group="shell", needs=WORKSPACE, page=False, verbose=True, offer=offers.SHELL)
async def read_file(ctx: ToolContext, path: Path) -> ToolOutcome:
    """Read a text file of the session's directory."""
    file = await ctx.session.read_file(path)
    only = f"the first {len(file.content)} of {file.size} bytes" if file.truncated else ""
    text, stored = kept(ctx, "file", file.content.decode("utf-8", "replace"), only)
    return ToolOutcome(status="ok", text=f"{path}, {file.size} bytes:\n{text}", where=path, artifacts=stored)


@tool(effect="idempotent", group="shell", needs=WORKSPACE, page=False, does="write", offer=offers.SHELL)
async def write_file(ctx: ToolContext, path: Path, content: Entered) -> ToolOutcome:
    """Write a text file in the session's directory, in place of what it held; missing folders are made."""
    data = content.encode(errors="replace")
    await ctx.session.write_file(path, data)
    return ToolOutcome(status="ok", text=f"Wrote {len(data)} bytes to {path}.", where=path)


@tool(effect="read", group="shell", needs=WORKSPACE, page=False, offer=offers.SHELL)
async def list_files(ctx: ToolContext, path: Path = ".") -> ToolOutcome:
    """List a folder of the session's directory."""
    entries = await ctx.session.list_files(path)
    lines = [f"{entry.name}/" if entry.folder else f"{entry.name}  {entry.size} bytes" for entry in entries]
    text, stored = kept(ctx, "files", "\n".join(lines) or "The folder is empty.")
    return ToolOutcome(status="ok", text=text, where=path, artifacts=stored)


@tool(effect="check", group="checks", needs=WORKSPACE, page=False, about="file", partial=True, offer=offers.FILE_CHECKS)
async def check_file(
    ctx: ToolContext,
    path: Path,
    text: Wanted = "",
    match: Match = "contains",
    *,
    absent: Denied = False,
    negate: Denied = False,
    lines: Annotated[int | None, Argument.WANTED] = None,
    folder: Annotated[bool, Argument.OPTION] = False,
) -> ToolOutcome:
    """Check that a file of the session's directory exists, and what it holds if a text is given; or it does not.

    `negate`: it is there, and does not hold the text; `lines`: how many it has; `folder`: it is a folder.
    """
    expected = f"the {'folder' if folder else 'file'} {path} {'does not exist' if absent else 'exists'}"
    try:
        if folder:
            entries = await ctx.session.list_files(path)
            return verdict(not absent, expected, f"a folder with {len(entries)} entries", path)
        file = await ctx.session.read_file(path, ctx.transfer_limit)
    except SessionRefused as refused:
        if refused.reason != "not_found":
            raise
        return verdict(absent, expected, await _instead(ctx, path), path)
    if absent or (not text and match == "contains" and lines is None):
        return verdict(not absent, expected, f"a file of {file.size} bytes", path)
    content = file.content.decode("utf-8", "replace")
    if lines is not None and not file.truncated:
        count = len(content.splitlines())
        return verdict(count == lines, f"the file {path} has {lines} lines", f"{count} lines", path)
    expected = f"the file {path} {says(match, text, negate=negate)}"
    found = begins_to(content, text, match) if file.truncated else compares(content, text, match, denied=negate)
    holds = found != negate
    if file.truncated and (lines is not None or not found):
        told = f"of the {file.size} bytes of {path} only {len(file.content)} were read (TRANSFER_MAX_MB)"
        raise undecided(f"{told}: they do not show whether {expected}", path)
    return verdict(holds, expected, _excerpt(content, text), path)


async def _instead(ctx: ToolContext, path: str) -> str:
    """Return what is in the folder where a file was expected."""
    folder = path.rpartition("/")[0] or "."
    try:
        entries = await ctx.session.list_files(folder)
    except SessionRefused:
        return f"no such file; there is no folder {folder} either"
    return f"no such file; {folder} has: {listed([entry.name for entry in entries])}" if entries else "no such file"

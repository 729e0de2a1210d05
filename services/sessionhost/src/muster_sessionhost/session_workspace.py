"""The workspace of a session: its calls, each carried out once, its changes, and their export."""

import asyncio
import os
import stat
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from muster_devices.device_host import LeftFile, Recording, Written
from muster_protocol.session_requests import UseWorkspace
from muster_protocol.session_responses import WorkspaceDone
from muster_protocol.sessions import WORKSPACE_DIFF, PathRules
from muster_sessionhost.sandbox import Folders
from muster_sessionhost.served_workspaces import NAME, Served
from muster_sessionhost.workspace_binds import BindRefused
from muster_sessionhost.workspace_checkout import CheckoutFailed, check_out, take_over
from muster_sessionhost.workspace_program import WorkspaceProgram, WorkspaceRefused
from muster_sessionhost.workspace_tools.program import CHANGING, READING
from muster_text.redaction import Redactor

KEPT_CALLS = 200
"""Results of calls that are remembered. Workers repeat a lost request within seconds."""
DIFF_SECONDS = 240.0
DIFF_SHOWN = 60_000
"""Characters of a diff that a call returns."""
LONGEST_LINE = 20_000
"""Characters of a line of a diff that are read at once."""
BINARY = "GIT binary patch\n"
BUNDLE_LIMIT = 500_000_000
"""Bytes of commits that are taken over."""
ALL = PathRules()
SEEN = PathRules(write=())


class SessionWorkspace:
    """A session's copy of what its host serves."""

    def __init__(self, served: Served, program: WorkspaceProgram, commit: str, state: str) -> None:
        """`commit`: the one that the copy stands on; `state`: id of what it held when it was made."""
        self.served, self.state = served, state
        self._program, self._commit = program, commit
        self._calls: dict[str, asyncio.Task[WorkspaceDone]] = {}
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    async def make(cls, served: Served, program: WorkspaceProgram, limit: int) -> "SessionWorkspace":
        """Make a session's copy; `limit` is the most bytes that a copied folder may have.

        Raises:
            CheckoutFailed: it cannot be made; says why.
        """
        folders = program.folders
        for folder in (folders.workspace, folders.baseline):
            await asyncio.to_thread(folder.mkdir, mode=0o700)
        commit = await check_out(served, folders.workspace, folders.records, limit)
        await _initialise(folders.baseline)
        try:
            noted = await program.run(
                "baseline", {"repository": str(folders.baseline)}, SEEN, DIFF_SECONDS, of_host=_writable(folders)
            )
        except WorkspaceRefused as refused:
            raise CheckoutFailed(str(refused)) from None
        return cls(served, program, commit, noted.text)

    @staticmethod
    def may_change(tool: str) -> bool:
        """Return whether a call may change something in the workspace."""
        return tool not in READING and tool != "diff"

    def begin(self, request: UseWorkspace, rules: PathRules) -> "asyncio.Future[WorkspaceDone]":
        """Begin a call unless its id is known; return a future of its result.

        The future may raise `WorkspaceRefused`, `BindRefused` or `CheckoutFailed`.
        """
        task = self._calls.get(request.call)
        if task is None:
            task = self._calls[request.call] = asyncio.create_task(self._carry_out(request, rules))
            for call in list(self._calls)[:-KEPT_CALLS]:
                if self._calls[call].done():
                    del self._calls[call]
        return asyncio.shield(task)

    async def end(self) -> None:
        """End the calls that still run."""
        running = {call: task for call, task in self._calls.items() if not task.done()}
        for call, task in running.items():
            task.cancel()
            del self._calls[call]
        await asyncio.gather(*running.values(), return_exceptions=True)

    async def recordings(self) -> tuple[Recording, ...]:
        """Return what was changed, to be stored with the run, or why that cannot be told; nothing if nothing was."""
        try:
            async with self._one_at_a_time:
                told = await self._diff(ALL)
        except (WorkspaceRefused, BindRefused, OSError) as error:
            return (Recording("diff", partial(_write_nothing, str(error) or type(error).__name__)),)
        return (Recording("diff", partial(_write_patch, self._patch)),) if told.data != "unchanged" else ()

    async def _carry_out(self, request: UseWorkspace, rules: PathRules) -> WorkspaceDone:
        tool, arguments = request.asked.tool, request.asked.arguments
        async with self._one_at_a_time:
            if tool == "diff":
                return await self._shown_diff(rules)
            if tool == "push":
                return await self._push(request, rules)
            if tool not in READING and tool not in CHANGING:
                raise WorkspaceRefused(f"this session host knows no call {tool!r}: its version may be older")
            return await self._program.run(tool, arguments, rules, request.timeout_seconds)

    @property
    def _patch(self) -> Path:
        return self._program.folders.baseline / "changes.patch"

    async def _diff(self, rules: PathRules) -> WorkspaceDone:
        folders = self._program.folders
        arguments: Mapping[str, object] = {
            "repository": str(folders.baseline),
            "since": self.state,
            "target": str(self._patch),
            "paths": [] if rules.read is None else list(rules.read),
        }
        return await self._program.run("diff", arguments, SEEN, DIFF_SECONDS, of_host=_writable(folders))

    async def _shown_diff(self, rules: PathRules) -> WorkspaceDone:
        if rules.read == ():
            raise WorkspaceRefused("this agent may read nothing of the workspace")
        told = await self._diff(rules)
        if told.data == "unchanged":
            return WorkspaceDone(
                text="\n".join(filter(None, ("nothing was changed since the workspace was opened", told.text)))
            )
        patch = await asyncio.to_thread(_beginning, self._patch, DIFF_SHOWN)
        return WorkspaceDone(text=f"{told.text}\n\n{patch}")

    async def _push(self, request: UseWorkspace, rules: PathRules) -> WorkspaceDone:
        branch = str(request.asked.arguments.get("branch") or f"muster-{request.run}")
        if not all(NAME.fullmatch(part) for part in branch.split("/")):
            raise WorkspaceRefused(f"{branch!r} is not the name of a branch: use letters, digits, - and _")
        folders = self._program.folders
        out = folders.root / "bundle"
        await asyncio.to_thread(out.mkdir, mode=0o700, exist_ok=True)
        bundle = out / "commits"
        arguments = {"base": self._commit, "target": str(bundle)}
        shown = ("--bind", str(out), str(out))
        made = await self._program.run("git_bundle", arguments, rules, request.timeout_seconds, of_host=shown)
        await asyncio.to_thread(_check_bundle, bundle)
        try:
            await take_over(self.served, bundle, made.text, branch, folders.records)
        finally:
            await asyncio.to_thread(bundle.unlink, missing_ok=True)
        return WorkspaceDone(text=f"The commits up to {made.text[:12]} are in {self.served.name} as branch {branch}.")


def _writable(folders: Folders) -> tuple[str, ...]:
    return ("--bind", str(folders.baseline), str(folders.baseline))


async def _initialise(folder: Path) -> None:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    process = await asyncio.create_subprocess_exec(
        *("git", "init", "--quiet", "--bare", "--template=", str(folder)), env=environment
    )
    if await process.wait():
        raise CheckoutFailed("git init failed on the session host")


def _check_bundle(bundle: Path) -> None:
    """Refuse what was not written as a file: the repository's own programs ran beside it.

    Raises:
        WorkspaceRefused: it is a link or a device, or very large.
    """
    try:
        status = bundle.lstat()
    except OSError as error:
        raise WorkspaceRefused("the commits could not be written") from error
    if not stat.S_ISREG(status.st_mode) or status.st_size > BUNDLE_LIMIT:
        raise WorkspaceRefused("the commits are too large, or not a file")


def _beginning(patch: Path, limit: int) -> str:
    """Return the beginning of a patch as people read it: what binary files hold is left out."""
    shown, room, binary = list[str](), limit, False
    with patch.open(encoding="utf-8", errors="replace", newline="\n") as file:
        while line := file.readline(LONGEST_LINE):
            begins = line == BINARY
            binary = begins or (binary and not line.startswith("diff --git "))
            if binary and not begins:
                continue
            room -= len(line)
            if room < 0:
                return "".join(shown) + "\n… the rest is left out here; the whole diff is kept with the run"
            shown.append("(binary content)\n" if begins else line)
    return "".join(shown)


def _write_patch(patch: Path, redactor: Redactor, target: Path, room: int) -> Written:
    size = patch.stat().st_size
    if size > room:
        return Written(left_out=(f"diff of the workspace ({size / 1_000_000:.1f} MB: too large)",))
    text = patch.read_bytes().decode("utf-8", "surrogateescape")
    place = target / WORKSPACE_DIFF
    place.write_bytes(redactor.mask(text).encode("utf-8", "surrogateescape"))
    return Written(files=(LeftFile(WORKSPACE_DIFF, place, "text/x-diff; charset=utf-8"),))


def _write_nothing(why: str, _redactor: Redactor, _target: Path, _room: int) -> Written:
    return Written(left_out=(f"diff of the workspace ({why})",))

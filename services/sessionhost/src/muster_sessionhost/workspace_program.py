"""Runs the program that carries out the calls of a workspace, once for each call, confined where that works."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from muster_protocol.session_responses import WorkspaceDone
from muster_protocol.sessions import PathRules
from muster_sessionhost import workspace_tools
from muster_sessionhost.process_reaper import MARK
from muster_sessionhost.sandbox import Folders, Sandbox
from muster_sessionhost.shell_process import CommandLimits
from muster_sessionhost.workspace_binds import workspace_binds

TOOLS = Path(workspace_tools.__file__).parent
START = (
    f"import sys; sys.path.insert(0, {str(TOOLS.parent.parent)!r}); "
    "from muster_sessionhost.workspace_tools.program import main; main()"
)
PYTHON = os.path.realpath(sys.executable)
"""The interpreter itself: a sandbox shows no virtual environment."""
ANSWER_LIMIT = 2_000_000
"""Bytes of an answer; the program itself keeps its answers far below."""
GRACE_SECONDS = 15.0
"""How much longer than the call itself its program may take."""


class WorkspaceRefused(Exception):
    """A call cannot be carried out; the text says why and what to do instead."""


class WorkspaceProgram(NamedTuple):
    """How calls are carried out in one session."""

    folders: Folders
    sandbox: Sandbox
    limits: CommandLimits
    path: str
    """The PATH of what the calls run."""

    async def run(
        self,
        tool: str,
        arguments: Mapping[str, object],
        rules: PathRules,
        seconds: float,
        *,
        of_host: Sequence[str] | None = None,
    ) -> WorkspaceDone:
        """Carry out a call under the rules and return its answer.

        `of_host`: it is one of the host's own calls, and these are further binds that it needs.

        Raises:
            WorkspaceRefused: it cannot be done, or took longer than `seconds`.
            BindRefused: see `workspace_binds`.
        """
        call = {
            "root": str(self.folders.workspace),
            "tool": tool,
            "arguments": arguments,
            "read": rules.read,
            "write": rules.write,
            "of_host": of_host is not None,
            "confined": bool(self.sandbox.program),
            "limits": self.limits.arguments,
        }
        shown = (*workspace_binds(self.folders.workspace, rules), *(of_host or ())) if self.sandbox.program else ()
        process = await self._start(shown)
        try:
            async with asyncio.timeout(seconds + GRACE_SECONDS):
                return await _answer(process, json.dumps(call).encode())
        except TimeoutError:
            raise WorkspaceRefused(
                f"{tool} took more than {seconds:g} s: name a smaller part of the workspace"
            ) from None
        finally:
            await _end(process)

    async def _start(self, shown: Sequence[str]) -> Process:
        return await asyncio.create_subprocess_exec(
            *self.sandbox.apart(self.folders, shown, (Path(sys.base_prefix), TOOLS)),
            *(PYTHON, "-I", "-S", "-B", "-c", START),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            cwd=self.folders.workspace,
            env={"PATH": self.path, "LANG": "C.UTF-8", "TMPDIR": self._temporary, MARK: self.folders.root.name},
            start_new_session=True,
        )

    @property
    def _temporary(self) -> str:
        return "/tmp" if self.sandbox.program else str(self.folders.temporary)


async def _answer(process: Process, call: bytes) -> WorkspaceDone:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    complaint = asyncio.ensure_future(process.stderr.read(ANSWER_LIMIT))
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        process.stdin.write(call)
        await process.stdin.drain()
        process.stdin.close()
    said = bytearray()
    while len(said) < ANSWER_LIMIT and (piece := await process.stdout.read(65_536)):
        said += piece
    try:
        answer: Any = json.loads(said)
    except ValueError:
        await process.wait()
        why = (await complaint).decode(errors="replace").strip()[-300:]
        ended = f"its program ended with code {process.returncode}" + (f": {why}" if why else "")
        raise WorkspaceRefused(f"the call could not be carried out: {ended}") from None
    finally:
        complaint.cancel()
    found = cast("dict[str, Any]", answer)
    if problem := found.get("problem"):
        raise WorkspaceRefused(str(problem))
    return WorkspaceDone(text=found["text"], data=found["data"], failed=found["failed"])


async def _end(process: Process) -> None:
    """End the program and all that it has started."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    await process.wait()

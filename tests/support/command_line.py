"""The `muster` command as a process of its own, which has to leave nothing behind."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil

from muster_cli import processes


@asynccontextmanager
async def started(
    folder: Path, *arguments: object, stdin: int = DEVNULL, stdout: int = PIPE, stderr: int = PIPE, **env: str
) -> AsyncGenerator[Process]:
    """Run the command in a folder; in the end all that it started and all its temporary files are gone."""
    temporary = folder / "tmp"
    temporary.mkdir()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_cli", *map(str, arguments)),
        env={**os.environ, "TMPDIR": str(temporary), **env},
        cwd=folder,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
    )
    try:
        async with asyncio.timeout(100):
            yield process
            assert process.returncode is not None
        assert [path.name for path in temporary.glob("muster-*")] == []
        assert [one for one in psutil.process_iter() if str(temporary) in processes.command_line(one)] == []
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()

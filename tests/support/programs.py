"""Programs of others, run with a bare environment: what they say and how they end."""

import asyncio
import os
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from pathlib import Path
from typing import NamedTuple

SECONDS = 110


class Ended(NamedTuple):
    """How a program ended, and all it said."""

    code: int | None
    said: str


async def ran(*command: str, cwd: Path, **variables: str) -> Ended:
    """Run a program with PATH, HOME and the variables given, and return what came of it."""
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=cwd, env=bare | variables, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return Ended(process.returncode, output.decode())

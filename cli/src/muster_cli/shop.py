"""The bundled demo shop as a process."""

import asyncio
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from muster_protocol.errors import MusterError

START_SECONDS = 20.0
FIRST_LINE = "Demo shop on "


class ShopFailed(MusterError):
    """The demo shop did not start."""


@asynccontextmanager
async def demo_shop(script: Path, env: Mapping[str, str], bug: str = "") -> AsyncGenerator[str]:
    """Serve the shop on a free port, with a fault built in if one is named, and yield its address.

    Raises:
        ShopFailed: it did not say where it listens.
    """
    command = (sys.executable, str(script), "--port", "0", *(("--bug", bug) if bug else ()))
    process = await asyncio.create_subprocess_exec(
        *command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=dict(env), start_new_session=True
    )
    try:
        yield await _address(process)
    finally:
        await _stop(process)


async def _address(process: Process) -> str:
    assert process.stdout is not None
    line = b""
    with suppress(TimeoutError):
        line = await asyncio.wait_for(process.stdout.readline(), START_SECONDS)
    text = line.decode(errors="replace").strip()
    if not text.startswith(FIRST_LINE):
        raise ShopFailed(f"the demo shop did not start; it said {text!r}")
    return text.removeprefix(FIRST_LINE)


async def _stop(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), 5.0)
    except TimeoutError:
        process.kill()
        await process.wait()

"""The trial that shows whether this host can keep commands to the domains of their case."""

import asyncio
import tempfile
from pathlib import Path

import structlog

from muster_sessionhost.reachable_addresses import Reach
from muster_sessionhost.sandbox import Folders, Sandbox
from muster_sessionhost.session_network import SessionNetwork
from muster_sessionhost.shell_process import CommandLimits, Order, Shell, ShellDied

log = structlog.get_logger("muster.sessions")

TRIAL = Order("true", timeout_seconds=10.0, background=False, secrets={})


async def probe_domains(sandbox: Sandbox, sessions: Path, *, wanted: bool) -> Sandbox:
    """Try a command with a network of its own; if it works, return the sandbox with `keeps_domains` set.

    Return it unchanged if that fails or is not wanted.
    """
    if not sandbox.program or not wanted:
        return sandbox
    with tempfile.TemporaryDirectory(dir=sessions, prefix="probe-") as place:
        folders = Folders(Path(place) / "session")
        await asyncio.to_thread(folders.make)
        network = SessionNetwork(Reach(()), folders.root.name)
        shell = Shell(folders, sandbox, sandbox.environment(folders, ""), CommandLimits(), network)
        try:
            await (await shell.start(TRIAL, lambda _stream, _data: None))
        except ShellDied as error:
            log.warning("commands on this host can reach hosts outside the domains of their case", problem=str(error))
            return sandbox
        finally:
            await shell.stop()
    return sandbox._replace(keeps_domains=True)

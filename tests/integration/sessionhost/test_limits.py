"""A session host whose machine has run out of disk or files: it opens no session, says so, and blames no product."""

import asyncio
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from session_stage import GUARDED_HOST, NO_DEVICE, Stage
from waiting import eventually

from muster_bus import Rows
from muster_protocol.logs import WorkerRow
from muster_protocol.session_requests import OpenSession
from muster_protocol.session_responses import Opened, SessionError
from muster_subagent.session_client import SessionRefused

NAMESPACE = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
SMALL_DISK = 'mkdir -p "$0" && mount -t tmpfs -o size=16m tmpfs "$0" && exec "$@"'
needs_small_disk = pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run((*NAMESPACE, "mount -t tmpfs tmpfs /mnt"), check=False).returncode != 0,
    reason="no small disk can be mounted",
)


async def asked(own: Stage, run: str) -> Any:
    return await own.ask(own.bus.names.sessions_open, OpenSession(run=run, device=NO_DEVICE))


async def warned(own: Stage, words: str) -> bool:
    rows = await Rows(own.bus, "WORKERS", WorkerRow).all()
    return any(words in warning for row in rows for warning in row.warnings)


@pytest.mark.slow
async def test_a_host_that_may_open_no_more_files_opens_no_session_until_it_may(own: Stage) -> None:
    process = await own.start_host_process("h")
    assert isinstance(await asked(own, "run-a"), Opened)
    used = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
    _, most = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (used + 10, most))

    refused = await asked(own, "run-b")
    assert isinstance(refused, SessionError)
    assert refused.reason == "full", "the run waits for another host, or for room"
    assert "nofile" in refused.text
    await eventually(lambda: warned(own, "it opens no session"), "operators are told", 90.0)

    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (most, most))
    assert isinstance(await asked(own, "run-b"), Opened)
    await eventually(lambda: _not(warned(own, "it opens no session")), "it is over", 90.0)


async def _not(told: Any) -> bool:
    return not await told


@asynccontextmanager
async def host_on_small_disk(own: Stage) -> AsyncGenerator[None]:
    """A session host whose sessions' folder is on a disk of 16 MB that no other process has."""
    folder = own.folder / "small"
    process = await asyncio.create_subprocess_exec(
        *(*NAMESPACE, SMALL_DISK, str(folder), sys.executable, str(GUARDED_HOST)),
        env=os.environ
        | {
            "NATS_URL": own.server.url,
            "HOST_ID": "small",
            "SESSIONS_DIR": str(folder),
            "SANDBOX": "none",
            "UNSANDBOXED_MODEL_COMMANDS": "allow",
            "RECORD_PICTURE": "off",
            "LOG_LEVEL": "error",
        },
    )
    try:
        await eventually(lambda: warned(own, "without a sandbox"), "it is there", 90.0)
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


@pytest.mark.slow
@needs_small_disk
async def test_a_full_disk_is_the_machines_fault_and_work_goes_on_once_there_is_room(own: Stage) -> None:
    async with host_on_small_disk(own):
        own.host = "small"
        assert isinstance(await asked(own, own.run), Opened)
        async with own.attach() as session:
            filled = await session.execute("head -c 99m /dev/zero > big", call="t:1", timeout_seconds=20, secrets={})
            assert filled.exit_code
            assert "is full" in filled.lacking
            assert "SESSIONS_DIR" in filled.lacking
            with pytest.raises(SessionRefused) as raised:
                await session.write_file("a.txt", b"x" * 100_000)
            assert raised.value.reason == "fault"
            refused = await asked(own, "run-b")
            assert isinstance(refused, SessionError)
            assert (refused.reason, "is full" in refused.text) == ("full", True)

            removed = await session.execute("rm big", call="t:2", timeout_seconds=20, secrets={})
            assert (removed.exit_code, removed.lacking) == (0, "")
            failed = await session.execute("exit 3", call="t:3", timeout_seconds=20, secrets={})
            assert (failed.exit_code, failed.lacking) == (3, "")
        assert isinstance(await asked(own, "run-b"), Opened)

"""Whatever a command starts ends with its session, and its limits hold, with and without bubblewrap."""

import os
import signal
import sys
from pathlib import Path

import pytest
from needed import needs_sandbox
from session_stage import NO_DEVICE, Stage, new_stage
from waiting import eventually

from muster_protocol.session_responses import ExecDone

SANDBOXES = (pytest.param("bwrap", marks=needs_sandbox()), "none", "container")
ESCAPES = {
    "in the background": "{} &",
    "without its environment": "env -i {} &",
    "in a session of its own": "setsid {} &",
    "both": "env -i setsid {} &",
    "twice forked": "(env -i setsid sh -c '{} &' &)",
    "under another name": "(exec -a sshd env -i setsid {} &)",
    "without ends": "(trap '' HUP TERM INT; env -i setsid sh -c 'trap \"\" HUP TERM INT; {}; {}') &",
    "by nohup": "nohup env -i {} >/dev/null 2>&1 & disown",
}


async def run(stage: Stage, command: str) -> ExecDone:
    """Run a command in the test's session."""
    async with stage.attach() as session:
        return await session.execute(command, call=f"c{hash(command)}", timeout_seconds=20, secrets={})


def sleeping(seconds: str) -> set[int]:
    """Return the processes that sleep for so long, which no other test does."""
    found = set[int]()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if seconds.encode() in words:
                found.add(int(entry.name))
    return found


@pytest.mark.parametrize("sandbox", SANDBOXES)
async def test_no_process_outlives_its_session(tmp_path: Path, sandbox: str) -> None:
    async with new_stage(tmp_path) as stage:
        await stage.start_host(sandbox=sandbox)
        await stage.open(device=NO_DEVICE)
        mark = f"4{os.getpid():06d}.{len(sandbox)}"
        for escape in ESCAPES.values():
            await run(stage, escape.replace("{}", f"sleep {mark}") + "\ntrue")
        await eventually(lambda: len(sleeping(mark)) >= len(ESCAPES) - 1, "they have begun", 10.0)
        await stage.close()
        try:
            assert sleeping(mark) == set()
        finally:
            for pid in sleeping(mark):
                os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("sandbox", SANDBOXES)
async def test_a_file_has_a_limit(tmp_path: Path, sandbox: str) -> None:
    async with new_stage(tmp_path) as stage:
        await stage.start_host(sandbox=sandbox, exec_file_mb=2)
        await stage.open(device=NO_DEVICE)
        done = await run(stage, "head -c 9000000 /dev/zero > big; stat -c %s big")
        assert int(done.stdout) == 2 * 2**20


@pytest.mark.parametrize(
    "path", ["/var", "/srv", "/etc/shadow", "/etc/ssh", "/run/dbus", "/boot", "/sys/kernel", "/mnt"]
)
@needs_sandbox()
async def test_what_is_not_a_program_is_out_of_sight_in_bubblewrap(tmp_path: Path, path: str) -> None:
    if Path(sys.prefix).is_relative_to(path):
        pytest.skip(f"Python itself is below {path}")
    async with new_stage(tmp_path) as stage:
        await stage.start_host(sandbox="bwrap")
        await stage.open(device=NO_DEVICE)
        assert (await run(stage, f"test ! -e {path}; echo $?")).stdout == "0\n"


@needs_sandbox()
async def test_programs_work_in_bubblewrap_and_its_root_is_read_only(tmp_path: Path) -> None:
    async with new_stage(tmp_path) as stage:
        await stage.start_host(sandbox="bwrap")
        await stage.open(device=NO_DEVICE)
        for command, expected in (
            (
                "python3 -c 'import ssl, socket; print(ssl.create_default_context().verify_mode.name)'",
                "CERT_REQUIRED\n",
            ),
            ("git --version | cut -c1-3", "git\n"),
            ("id -un", "root\n" if os.geteuid() == 0 else ""),
            ("touch /x /usr/x /etc/x 2>/dev/null; echo $?", "1\n"),
            ("echo hi > /tmp/x && cat /tmp/x", "hi\n"),
            ("getent hosts localhost | grep -c localhost", "1\n"),
        ):
            done = await run(stage, command)
            assert not expected or done.stdout == expected, (command, done)

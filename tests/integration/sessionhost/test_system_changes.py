"""The system that a session's commands may change: for this session alone, and only where that can be kept apart."""

import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from needed import needs_sandbox
from session_stage import NO_DEVICE, Stage
from waiting import eventually

from muster_protocol.session_responses import ExecDone
from muster_sessionhost import throwaway_system
from muster_sessionhost.sandbox import SandboxMissing, find_sandbox
from muster_sessionhost.settings import SessionHostSettings
from muster_subagent.attachment import Attachment

pytestmark = [pytest.mark.asyncio(loop_scope="session"), needs_sandbox()]

GREETER = """mkdir -p greet/DEBIAN greet/usr/bin
printf 'Package: muster-greet\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@b.c>\\nDescription: greets\\n' > greet/DEBIAN/control
printf '#!/bin/sh\\necho hello $1\\n' > greet/usr/bin/muster-greet && chmod +x greet/usr/bin/muster-greet
dpkg-deb --build greet greet.deb && dpkg -i greet.deb"""


def run(session: Attachment, command: str, call: str) -> Coroutine[Any, Any, ExecDone]:
    return session.execute(command, call=call, secrets={}, timeout_seconds=30)


def without_overlays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this machine look like one whose kernel refuses overlay mounts."""
    refusing = folder / "unshare"
    refusing.write_text("#!/bin/sh\necho 'mount: permission denied' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.slow
async def test_a_package_of_the_system_is_installed_for_one_session_and_gone_with_it(own: Stage):
    await own.start_host(sandbox="bwrap", system_changes="throwaway")
    await own.open(device=NO_DEVICE)
    async with own.attach() as session:
        installed = await run(session, GREETER, "t:1")
        assert installed.exit_code == 0, installed.stderr
        assert (await run(session, "muster-greet Ann && dpkg -s muster-greet | grep Status", "t:2")).stdout == (
            "hello Ann\nStatus: install ok installed\n"
        )
        assert "cannot access" in (await run(session, "ls /etc/shadow ~root/.ssh", "t:3")).stderr
        assert "may install software" in session.surroundings
        folder = Path(session.directory).parent
        assert (folder / "system").is_dir()
    await _keeps_to_domains(own)
    other = f"{own.run}-other"
    await own.open(other, device=NO_DEVICE)
    async with own.attach(run=other) as session:
        assert (await run(session, "muster-greet Ann", "t:1")).exit_code == 127
    assert not Path("/usr/bin/muster-greet").exists()
    await own.close()

    async def gone() -> bool:
        return not folder.exists()

    await eventually(gone, "the session's folder is removed")


async def _keeps_to_domains(own: Stage) -> None:
    run_of_domains = f"{own.run}-domains"
    await own.open(run_of_domains, device=NO_DEVICE, domains=("127.0.0.1",))
    async with own.attach(run=run_of_domains) as session:
        assert (await run(session, "touch /usr/changed && ls /usr/changed", "t:1")).stdout == "/usr/changed\n"
        assert (await run(session, "cat /etc/resolv.conf", "t:2")).stdout == "nameserver 192.0.2.1\n"
        assert (await run(session, "curl -sS --noproxy '*' http://1.1.1.1/ || echo kept", "t:3")).stdout == "kept\n"


@pytest.mark.slow
async def test_where_overlays_do_not_work_the_session_has_a_copy(
    own: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    without_overlays(tmp_path, monkeypatch)
    monkeypatch.setattr(throwaway_system, "WHOLE", ("/usr/local",))  # all of a system is too much for a test
    await own.start_host(sandbox="bwrap", system_changes="throwaway")
    await own.open(device=NO_DEVICE)
    async with own.attach() as session:
        tool = (
            "printf '#!/bin/sh\\necho installed\\n' > /usr/local/bin/muster-tool && chmod +x /usr/local/bin/muster-tool"
        )
        assert (await run(session, tool, "t:1")).exit_code == 0
        assert (await run(session, "muster-tool", "t:2")).stdout == "installed\n"
    assert not Path("/usr/local/bin/muster-tool").exists()


@pytest.mark.slow
async def test_where_neither_works_the_host_says_why_and_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    without_overlays(tmp_path, monkeypatch)
    settings = SessionHostSettings(system_changes="throwaway", system_copy_max_mb=1)
    with pytest.raises(SandboxMissing, match=r"overlay: mount: permission denied; copy: the system has \d+ MB") as told:
        await find_sandbox(settings, tmp_path, os.environ)
    assert "SYSTEM_COPY_MAX_MB allows 1" in str(told.value)
    none = SessionHostSettings(system_changes="throwaway", sandbox="none")
    with pytest.raises(SandboxMissing, match="needs bubblewrap"):
        await find_sandbox(none, tmp_path, os.environ)

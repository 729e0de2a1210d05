"""Commands and the pytest plugin as a user of NATS that may only submit: they end at once, and say what was denied."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import NamedTuple

import pytest
from deployed import Deployed, identity
from nats.aio.msg import Msg

from muster_bus import provision
from muster_protocol import codec
from muster_protocol.requests import RunRequest
from muster_protocol.submit_replies import Accepted

SECONDS = 20.0
CASE = """\
name: A command runs
steps:
  - action: Run the command "echo hello"
    expected: The output contains "hello"
"""


class Ended(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
async def server(tmp_path: Path) -> AsyncGenerator[Deployed]:
    """Run a server on which somebody accepts runs, as an orchestrator does."""
    (tmp_path / "nats").mkdir()
    deployed = Deployed(tmp_path / "nats")
    await deployed.start()
    try:
        async with deployed.bus("provisioner") as bus:
            await provision(bus)
        async with deployed.bus("orchestrator") as bus:

            async def accept(message: Msg) -> None:
                await bus.respond(message, Accepted(run=codec.decode(message.data, RunRequest).id))

            await bus.nc.subscribe(bus.names.submit, cb=accept)
            await bus.flush_subscriptions()
            yield deployed
    finally:
        await deployed.stop()


async def ended(server: Deployed, *command: str, cwd: Path | None = None) -> Ended:
    """Run a Python module as the user `publisher`, to its end within SECONDS."""
    env = {**os.environ, "NATS_URL": server.url, **identity("publisher")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *command), env=env, cwd=cwd, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
    return Ended(process.returncode or 0, out.decode(), err.decode())


@pytest.mark.parametrize(
    ("arguments", "subject"),
    [
        (("list",), r"$JS.API.DIRECT.GET.KV_RUN_LIST"),
        (("show", "run-1"), r"$JS.API.STREAM.MSG.GET.REQUESTS"),
        (("watch", "run-1"), r"$JS.API.STREAM.MSG.GET.REQUESTS"),
        (("cancel", "run-1"), r"$JS.API.STREAM.MSG.GET.REQUESTS"),
        (("dead", "list"), r"$JS.API.STREAM.INFO.DEAD"),
    ],
)
async def test_a_command_that_is_denied_what_it_needs_ends_and_names_user_and_subject(
    server: Deployed, arguments: tuple[str, ...], subject: str
) -> None:
    found = await ended(server, "muster_cli", *arguments)
    assert found.code == 3, found
    told = f"muster: NATS refuses: user 'publisher' has no permission to publish on '{subject}': use a user that may"
    assert found.err.startswith(told)


async def test_a_run_is_submitted_and_only_following_it_is_denied(server: Deployed, tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(CASE)
    submitted = await ended(server, "muster_cli", "submit", str(tmp_path / "case.yaml"))
    assert (submitted.code, submitted.out.startswith("run-")) == (0, True), submitted
    waited = await ended(server, "muster_cli", "submit", str(tmp_path / "case.yaml"), "--wait")
    assert waited.code == 3, waited
    assert "muster: NATS refuses: user 'publisher' has no permission to " in waited.err


@pytest.mark.slow
async def test_the_pytest_plugin_fails_its_items_at_once(server: Deployed, tmp_path: Path) -> None:
    (tmp_path / "case.yaml").write_text(CASE)
    found = await ended(
        server, "pytest", "-p", "no:cacheprovider", "--muster-nats", server.url, "case.yaml", cwd=tmp_path
    )
    assert found.code == 1, found
    assert "NATS refuses: user 'publisher' has no permission to " in found.out

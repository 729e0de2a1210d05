"""`muster doctor` at real servers that are wrong in one way each: it goes on, and says what to do about this one."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from deployed import Deployed, identity

from muster_bus import provision
from muster_bus.nats_server import executable, nats_server
from muster_bus.testing import connected

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Deployed]:
    """A provisioned server under deploy/nats.conf."""
    deployed = Deployed(tmp_path_factory.mktemp("nats"))
    await deployed.start()
    try:
        async with deployed.bus("provisioner") as bus:
            await provision(bus)
        yield deployed
    finally:
        await deployed.stop()


async def checks(url: str, **env: str) -> dict[str, dict[str, str]]:
    """Return what a doctor without a browser finds, by name; the command itself must not break off."""
    wanted = {"NATS_URL": url, "BROWSER_EXECUTABLE": "/nowhere"} | env
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "muster_cli", "doctor", "--json"),
        env={"PATH": os.environ["PATH"], "HOME": "/nowhere"} | wanted,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    return {check["name"]: check for check in json.loads(out)}


async def test_each_wrong_setting_is_answered_by_what_mends_it(server: Deployed):
    wrong, limited, drifted, unread = await asyncio.gather(
        checks(server.url, NATS_USER="admin", NATS_PASSWORD="wrong"),
        checks(server.url, **identity("publisher")),
        checks(server.url, **identity("admin"), ACK_WAIT_SECONDS="30"),
        checks(server.url, **identity("admin"), ACK_WAIT_SECONDS="soon"),
    )
    assert "NATS_PASSWORD" in wrong["NATS"]["mend"]
    assert (limited["NATS"]["ok"], limited["JetStream"]["ok"]) == (True, False)
    assert "'publisher' has no permission" in limited["JetStream"]["detail"]
    assert "`admin`" in limited["JetStream"]["mend"]
    assert "ack_wait is 15.0, wanted 30.0" in drifted["streams"]["detail"]
    assert "ACK_WAIT_SECONDS" in drifted["streams"]["mend"]
    assert "ACK_WAIT_SECONDS" in unread["settings"]["detail"]
    assert unread["Python"]["ok"]


async def test_an_empty_server_may_have_lost_what_a_backup_has():
    async with nats_server() as empty:
        found = await checks(empty.url)
        assert found["streams"]["detail"] == "the server has none"
        assert all(told in found["streams"]["mend"] for told in ("muster provision", "muster restore"))
        async with connected(empty) as bus:
            await provision(bus)
            await bus.js.delete_stream("RUNS")
        assert (await checks(empty.url))["streams"]["mend"] == "muster provision"


async def test_a_fleet_without_processes_is_provisioned_and_stores_what_is_written(server: Deployed):
    found = await checks(server.url, **identity("admin"))
    assert [found[name]["ok"] for name in ("NATS", "streams", "storage", "orchestrator")] == [True, True, True, False]
    async with server.bus("admin") as bus:
        assert (await bus.js.stream_info("KV_WORKERS")).state.messages <= 1  # the mark of a removal, which expires


async def test_a_server_without_jetstream_is_told_from_one_that_is_not_there(tmp_path: Path):
    options = ("-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", str(tmp_path), "-l", str(tmp_path / "log"))
    process = await asyncio.create_subprocess_exec(executable(), *options)
    try:
        async with asyncio.timeout(20):
            while not (told := list(tmp_path.glob("*.ports"))) or not told[0].read_text():
                await asyncio.sleep(0.02)
        found = await checks(json.loads(told[0].read_text())["nats"][0])
    finally:
        process.kill()
        await process.wait()
    assert "no JetStream" in found["JetStream"]["detail"]
    assert "-js" in found["JetStream"]["mend"]
    gone = await checks(f"nats://127.0.0.1:{json.loads(told[0].read_text())['nats'][0].rpartition(':')[2]}")
    assert "muster up" in gone["NATS"]["mend"]

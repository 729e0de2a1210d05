"""A server under deploy/nats.conf, bare and with everything provisioned."""

import os
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
from deployed import Deployed
from fleet import Fleet
from pages import site

from muster_bus import provision


@pytest.fixture
async def server(tmp_path: Path) -> AsyncGenerator[Deployed]:
    """A server on which nothing is made yet."""
    running = Deployed(tmp_path)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def fleet(server: Deployed, tmp_path: Path) -> AsyncGenerator[Fleet]:
    """A server that the provisioner has made ready, watched as admin; processes can be started on it."""
    async with server.bus("provisioner") as bus:
        await provision(bus)
    settings = {"NATS_URL": server.url, "LOG_FORMAT": "json", "SHUTDOWN_SECONDS": "3", "SESSION_DRAIN_SECONDS": "0"}
    async with server.bus("admin") as bus:
        made = Fleet(server, bus, tmp_path, {**os.environ, **settings})
        yield made
        await made.stop()


@pytest.fixture
def greeting_page() -> Generator[str]:
    """Serve one page that says hello."""
    with site() as served:
        served.pages["/"] = "<!doctype html><title>Greeting</title><h1>Hello</h1>"
        yield f"{served.url}/"

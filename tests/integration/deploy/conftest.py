"""A server under deploy/nats.conf, bare and with everything provisioned."""

import os
import threading
from collections.abc import AsyncGenerator, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from deployed import Deployed
from fleet import Fleet

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

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"<!doctype html><title>Greeting</title><h1>Hello</h1>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=site.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{site.server_port}/"
    site.shutdown()
    site.server_close()
    thread.join(5)

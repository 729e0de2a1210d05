"""Fixtures of the tests of tools: a browser driven over a connection as in production, a session, a small site."""

import asyncio
import hashlib
import shutil
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from muster_protocol.tools import ArtifactRef
from muster_subagent import tools
from muster_subagent.context import ToolContext
from muster_subagent.secrets import Secrets

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from driving import PASSWORD, Answer, Host, LocalSession, Site, User  # noqa: E402 - it lies beside this file

BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests in one event loop, so that they can share a browser."""
    for item in items:
        if item.path.is_relative_to(HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(loop_scope="session")
async def site() -> AsyncGenerator[Site]:
    made = Site()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield made
    for answer in made.answers.values():
        if isinstance(answer, Answer) and answer.gate is not None:
            answer.gate.opened.set()
    server.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def host() -> AsyncGenerator[Host]:
    async with async_playwright() as driver, async_playwright() as worker:
        await tools.register(driver)
        browser = await driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        endpoint = (await browser.bind("tools", host="127.0.0.1", port=0))["endpoint"]
        yield Host(browser, endpoint, driver, worker)
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def session(host: Host, tmp_path: Path) -> AsyncGenerator[LocalSession]:
    context = await host.browser.new_context(accept_downloads=True)
    await tools.prepare(context)
    await context.new_page()
    connected = await host.worker.chromium.connect(host.endpoint)
    folder = tmp_path / "session"
    folder.mkdir()
    yield LocalSession(context, connected.contexts[-1], folder)
    await connected.close()
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def do(session: LocalSession) -> AsyncGenerator[User]:
    stored: dict[str, bytes] = {}

    def store(name: str, content: bytes, kind: str) -> ArtifactRef:
        stored[name] = content
        digest = hashlib.sha256(content).hexdigest()
        return ArtifactRef(name=name, sha256=digest, size=len(content), content_type=kind)

    async with httpx.AsyncClient() as http:
        ctx = ToolContext(
            session=session,
            secrets=Secrets({"PASSWORD": PASSWORD}),
            http=http,
            call="task:0",
            store=store,
            action_timeout=2.0,
        )
        yield User(ctx, session, stored)

"""Fixtures of the tests of tools: a browser driven over a connection as in production, a session, a small site."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from driving import User, user_of  # noqa: E402 - it lies beside this file
from local_session import Host, launched, opened  # noqa: E402 - it lies beside this file
from sampling import lies_in, mark_rest_as_slow  # noqa: E402 - it lies beside this file
from served import Answer, Site  # noqa: E402 - it lies beside this file


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests in one event loop, so that they can share a browser."""
    for item in items:
        if lies_in(item, HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
    mark_rest_as_slow(items, HERE, a_file=4)


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
    async with launched() as made:
        yield made


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def http() -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient() as client:
        yield client


@pytest_asyncio.fixture(loop_scope="session")
async def do(host: Host, http: httpx.AsyncClient, tmp_path: Path) -> AsyncGenerator[User]:
    """A user with a browser context of its own."""
    async with opened(host, tmp_path) as session:
        yield user_of(session, http)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def look(host: Host, http: httpx.AsyncClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[User]:
    """A user for the many tests that need no more than a page of their own, which is all that they may leave behind."""
    async with opened(host, tmp_path_factory.mktemp("look")) as session:
        yield user_of(session, http)

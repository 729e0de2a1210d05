"""What the tests of sessions share."""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import pytest_asyncio
from sampling import lies_in
from session_stage import MakeStage, Stage, new_stage, serving_site

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests in one event loop, so that they can share a host and its browser driver."""
    for item in items:
        if lies_in(item, HERE) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session")
def site() -> Generator[str]:
    with serving_site() as url:
        yield url


@pytest.fixture(scope="session")
def make_stage(tmp_path_factory: pytest.TempPathFactory) -> MakeStage:
    return lambda: new_stage(tmp_path_factory.mktemp("stage"))


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def shared(make_stage: MakeStage) -> AsyncGenerator[Stage]:
    async with make_stage() as stage:
        await stage.start_host()
        yield stage


@pytest_asyncio.fixture(loop_scope="session")
async def stage(shared: Stage) -> AsyncGenerator[Stage]:
    """A run of one's own on a host that most tests share; workers of the same name share a connection to NATS too."""
    stage = Stage(shared.server, shared.bus, shared.folder)
    stage.host, stage.workers = shared.host, shared.workers
    yield stage
    await stage.end_workers()
    await stage.close()


@pytest_asyncio.fixture(loop_scope="session")
async def own(make_stage: MakeStage) -> AsyncGenerator[Stage]:
    """A nats-server of one's own, with no host yet: `start_host(...)`."""
    async with make_stage() as stage:
        yield stage

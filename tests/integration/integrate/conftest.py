"""A fleet for all tests of a module."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio
from outside import Outside, outside_of_a_fleet


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def outside(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Outside]:
    """What outside systems talk to."""
    async with outside_of_a_fleet(tmp_path_factory.mktemp("outside")) as found:
        yield found

"""One fleet, one browser and one shop for the tests of a module."""

import os
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
import pytest_asyncio
from browsing import Site, a_browser

from muster_cli.embedded import Fleet, Plan, embedded

SHOP = Path(__file__).parents[3] / "examples" / "shop" / "server.py"
PASSWORD = "swordfish"


class Stage(NamedTuple):
    """The fleet, the console, the API as its admin, the address of the demo shop, and keys by role."""

    fleet: Fleet
    site: Site
    api: httpx.AsyncClient
    shop: str
    keys: dict[str, str]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    """Start a fleet of real processes with a gateway, a Chromium beside it, and the demo shop."""
    keys_file = tmp_path_factory.mktemp("keys") / "keys"
    keys = {role: await _key(role, keys_file) for role in ("viewer", "runner")}
    environ = {**os.environ, "SECRET_SHOP_PASSWORD": PASSWORD, "API_KEYS_FILE": str(keys_file)}
    plan = Plan(workers=1)
    async with embedded(plan, environ, print) as fleet, a_browser() as browser:
        site = Site(fleet.gateway_url, fleet.gateway_key, browser)
        headers = {"Authorization": f"Bearer {site.key}"}
        shop = await _shop()
        try:
            async with httpx.AsyncClient(base_url=site.url, headers=headers, timeout=30.0) as api:
                yield Stage(fleet, site, api, await _address(shop), {**keys, "admin": site.key})
        finally:
            shop.terminate()
            await shop.wait()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def site(stage: Stage) -> Site:
    """Return where the console is."""
    return stage.site


async def _key(role: str, file: Path) -> str:
    """Return a new key of a role, which is called as the role."""
    command = (sys.executable, "-m", "muster_cli", "keys", "add", role, "--role", role, "--file", str(file))
    made = await create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
    output, _ = await made.communicate()
    return output.decode().split()[0]


async def _shop() -> Process:
    return await create_subprocess_exec(
        sys.executable, str(SHOP), "--port", "0", stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=os.environ
    )


async def _address(shop: Process) -> str:
    assert shop.stdout is not None
    line = (await shop.stdout.readline()).decode()
    assert "http://" in line, line
    return line[line.index("http://") :].strip()

"""The phone server of the tests speaks the protocol as the client that most people use for Appium expects it."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from phone_server import phone_server
from shop_screens import shop

CLIENT = Path(__file__).parents[2] / "support" / "appium" / "client.py"
PACKAGE = "Appium-Python-Client==6.0.9"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(200)]  # the package is fetched


async def driven(url: str, automation: str) -> dict[str, object]:
    """Return what the client has understood of a server."""
    uv = str(Path(sys.executable).with_name("uv"))
    command = (
        uv,
        "run",
        "--quiet",
        "--no-project",
        "--isolated",
        "--with",
        PACKAGE,
        "python",
        str(CLIENT),
        url,
        automation,
    )
    client = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    told, failed = await client.communicate()
    assert client.returncode == 0, failed.decode()[-3000:]
    return json.loads(told)


@pytest.mark.parametrize(("automation", "root"), [("UiAutomator2", "hierarchy"), ("XCUITest", "AppiumAUT")])
async def test_the_phone_server_of_the_tests_is_understood_by_a_real_client(automation: str, root: str) -> None:
    with phone_server(shop()) as phone:
        told = await driven(phone.url, automation)
    assert told == {
        "session": True,
        "automation": automation,
        "root": root,
        "size": [390, 844],
        "picture": True,
        "missing": "NoSuchElementException",
        "none": 0,
        "one": 1,
        "stale": "StaleElementReferenceException",
        "products": True,
        "running": 4,
        "unknown": "UnknownMethodException",
        "after": "InvalidSessionIdException",
    }

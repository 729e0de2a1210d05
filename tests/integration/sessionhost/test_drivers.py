"""The browsers' driver of a session host or a worker may end by itself, as when memory runs out: the next one takes over."""

import asyncio
import os
import signal

import psutil
import pytest
from playwright.async_api import Error as PlaywrightError
from session_stage import Stage

from muster_subagent.tool_context import SessionLost


def drivers(*, of_host: bool) -> set[int]:
    """Return the process ids of the drivers of this process that have started browsers, or only connected to some."""
    found = [child for child in psutil.Process().children() if "run-driver" in child.cmdline()]
    return {driver.pid for driver in found if bool(driver.children()) == of_host}


async def test_a_worker_whose_driver_ends_goes_on_with_another(stage: Stage, site: str) -> None:
    await stage.open()
    others = drivers(of_host=False)
    async with stage.attach(delivery=1, worker="a-driver-of-its-own") as session:
        page = await session.page()
        await page.goto(site)
        waiting = asyncio.create_task(page.click("#not-there"))
        (driver,) = drivers(of_host=False) - others
        os.kill(driver, signal.SIGKILL)
        with pytest.raises(PlaywrightError):
            await asyncio.wait_for(waiting, 10)
        assert await (await session.page()).title() == "Start"
    async with stage.attach(delivery=2, worker="a-driver-of-its-own") as session:
        assert await (await session.page()).title() == "Start"


async def test_a_host_whose_driver_ends_tells_its_sessions_and_opens_the_next_with_another(
    own: Stage, site: str
) -> None:
    others = drivers(of_host=True)
    await own.start_host()
    await own.open()
    with pytest.raises(SessionLost, match="the browser ended by itself"):
        async with own.attach() as session:
            await session.page()
            (driver,) = drivers(of_host=True) - others
            waiting = asyncio.create_task(session.dialog_opened())
            os.kill(driver, signal.SIGKILL)
            await asyncio.wait_for(waiting, 10)
    await own.open("run-next")
    async with own.attach(run="run-next") as session:
        page = await session.page()
        await page.goto(site)
        assert await page.title() == "Start"

"""Work that must not be broken off goes on, and leaves no complaint behind."""

import asyncio
import gc
from typing import Any

import pytest

from muster_service.task_cleanup import finish


async def test_begun_work_is_finished_though_its_caller_is_cancelled():
    go_on, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await go_on.wait()
        done.set()

    caller = asyncio.create_task(finish(work()))
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.wait({caller})
    go_on.set()

    await asyncio.wait_for(done.wait(), 1.0)
    assert caller.cancelled()


async def test_an_error_reaches_the_caller_and_is_no_complaint_if_there_is_none_any_more():
    complaints = list[dict[str, Any]]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    fail = asyncio.Event()

    async def work() -> None:
        await fail.wait()
        raise ValueError("too late")

    left, waiting = asyncio.create_task(finish(work())), asyncio.create_task(finish(work()))
    await asyncio.sleep(0)
    left.cancel()
    await asyncio.wait({left})
    fail.set()

    with pytest.raises(ValueError, match="too late"):
        await waiting
    await asyncio.sleep(0)
    gc.collect()
    assert complaints == []

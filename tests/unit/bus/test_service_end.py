"""A service that is told to stop stops, also where what it waits for loses the word."""

import asyncio

import pytest

from muster_bus.service import until_over


async def deaf_once() -> None:
    """Lose the first cancel, as a request does whose answer comes at the same moment."""
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        await asyncio.sleep(60)


async def test_a_cancel_ends_the_wait_though_the_task_waited_for_loses_it() -> None:
    beating = asyncio.create_task(deaf_once())
    waiting = asyncio.create_task(until_over(beating))
    await asyncio.sleep(0)
    waiting.cancel()
    done, _ = await asyncio.wait({waiting}, timeout=5.0)
    assert done
    assert not beating.done()
    beating.cancel()


async def test_a_cancel_that_was_lost_before_the_wait_is_not_forgotten() -> None:
    async def starting() -> None:
        await deaf_briefly()
        await until_over(asyncio.create_task(asyncio.sleep(60)))

    async def deaf_briefly() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return

    task = asyncio.create_task(starting())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 5.0)


async def test_what_ended_the_task_is_raised() -> None:
    async def fails() -> None:
        raise ValueError("it failed")

    with pytest.raises(ValueError, match="it failed"):
        await until_over(asyncio.create_task(fails()))

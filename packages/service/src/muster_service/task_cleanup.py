"""Ending what runs beside the task that waits for it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

_ending: set[asyncio.Task[None]] = set()
"""What is being ended; the event loop itself keeps no task."""


async def stop(tasks: Iterable[asyncio.Task[Any]], then: Callable[[], Awaitable[None]] | None = None) -> None:
    """Cancel tasks until they have ended, and do what may be done only then; this goes on if who waits is cancelled.

    A client that goes has all that serves it cancelled at each of its awaits, so cleaning up needs a task of its own.
    """
    ending = asyncio.create_task(_end(set(tasks), then))
    _ending.add(ending)
    ending.add_done_callback(_ending.discard)
    await asyncio.shield(ending)


async def _end(going: set[asyncio.Task[Any]], then: Callable[[], Awaitable[None]] | None) -> None:
    while going:
        for task in going:
            task.cancel()
        _, going = await asyncio.wait(going, timeout=0.1)  # `wait_for`, with which nats-py waits, may lose a cancel
    if then is not None:
        await then()

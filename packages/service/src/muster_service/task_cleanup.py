"""Cancels helper tasks reliably, even if the waiting task is itself cancelled."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

_ending: set[asyncio.Task[None]] = set()
"""Strong references, since the event loop keeps only weak ones."""


async def stop(tasks: Iterable[asyncio.Task[Any]], then: Callable[[], Awaitable[None]] | None = None) -> None:
    """Cancel tasks until they have ended, then await `then`; continues even if the caller is cancelled.

    When a client disconnects, its handler is cancelled at every await, so the cleanup needs its own task.
    """
    ending = asyncio.create_task(_end(set(tasks), then))
    _ending.add(ending)
    ending.add_done_callback(_ending.discard)
    await asyncio.shield(ending)


async def _end(going: set[asyncio.Task[Any]], then: Callable[[], Awaitable[None]] | None) -> None:
    while going:
        for task in going:
            task.cancel()
        _, going = await asyncio.wait(going, timeout=0.1)  # nats-py's `wait_for` can swallow a cancel: repeat
    if then is not None:
        await then()

"""Cancels helper tasks and completes work that has begun, even if the waiting task is itself cancelled."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")
_ending: set[asyncio.Task[Any]] = set()
"""Strong references, since the event loop keeps only weak ones."""


async def stop(tasks: Iterable[asyncio.Task[Any]], then: Callable[[], Awaitable[None]] | None = None) -> None:
    """Cancel tasks until they have ended, then await `then`, even if the caller is cancelled.

    When a client disconnects, its handler is cancelled at every await, so the cleanup runs in its own task.
    """
    await finish(_end(set(tasks), then))


async def finish(work: Coroutine[Any, Any, T]) -> T:
    """Await work that must not be interrupted: if the caller is cancelled, it continues, and its error is dropped."""
    task = asyncio.create_task(work)
    _ending.add(task)
    task.add_done_callback(_on_done)
    return await asyncio.shield(task)


def _on_done(task: asyncio.Task[Any]) -> None:
    _ending.discard(task)
    if not task.cancelled():
        task.exception()  # a cancelled caller does not retrieve it, and asyncio would log that


async def _end(pending: set[asyncio.Task[Any]], then: Callable[[], Awaitable[None]] | None) -> None:
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=0.1)  # nats-py's `wait_for` can swallow a cancel: repeat
    if then is not None:
        await then()

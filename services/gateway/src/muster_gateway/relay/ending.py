"""Ending what runs beside the task that waits for it."""

import asyncio
from collections.abc import Iterable
from typing import Any


async def stop(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel tasks until they have ended: `asyncio.wait_for`, which nats-py waits with, may lose a cancellation."""
    going = set(tasks)
    while going:
        for task in going:
            task.cancel()
        _, going = await asyncio.wait(going, timeout=0.1)

"""Waiting for a condition, never for a time."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

T = TypeVar("T")
PAUSE, LONGEST_PAUSE = 0.02, 0.2
"""Seconds between two looks: four times what a look takes, within these, so that tests do not spend their time looking."""


async def eventually(look: Callable[[], Awaitable[T | None] | T | None], what: str = "", seconds: float = 30.0) -> T:
    """Return what `look` finds as soon as it finds something, looking again and again for a bounded time."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                began, found = time.perf_counter(), look()
                if inspect.isawaitable(found):
                    found = await cast("Awaitable[T | None]", found)
                if found:
                    return cast("T", found)
                await asyncio.sleep(min(max(PAUSE, 4 * (time.perf_counter() - began)), LONGEST_PAUSE))
    except TimeoutError:
        raise AssertionError(f"not within {seconds:g} s: {what or inspect.getsource(look).strip()}") from None

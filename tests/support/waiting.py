"""Waiting for a condition, never for a time."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeVar, cast

T = TypeVar("T")


async def eventually(look: Callable[[], Awaitable[T | None] | T | None], what: str = "", seconds: float = 30.0) -> T:
    """Return what `look` finds as soon as it finds something, looking again and again for a bounded time."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                found = look()
                if inspect.isawaitable(found):
                    found = await cast("Awaitable[T | None]", found)
                if found:
                    return cast("T", found)
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(f"not within {seconds:g} s: {what or inspect.getsource(look).strip()}") from None

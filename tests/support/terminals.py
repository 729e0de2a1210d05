"""A terminal that a test types into and reads from."""

import asyncio
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress


@contextmanager
def terminal() -> Generator[tuple[int, int]]:
    """Make a terminal: the end of the person, who is never waited for, and that of the program."""
    person, theirs = os.openpty()
    os.set_blocking(person, False)
    try:
        yield person, theirs
    finally:
        os.close(person)
        os.close(theirs)


async def read_until(terminal: int, text: bytes) -> bytes:
    """Read what is written to a terminal until it holds the text."""
    loop, ready, seen = asyncio.get_running_loop(), asyncio.Event(), b""
    loop.add_reader(terminal, ready.set)
    try:
        async with asyncio.timeout(60):
            while text not in seen:
                await ready.wait()
                ready.clear()
                with suppress(BlockingIOError):
                    seen += os.read(terminal, 65536)
    except TimeoutError:
        raise AssertionError(f"no {text!r} in {seen!r}") from None
    finally:
        loop.remove_reader(terminal)
    return seen

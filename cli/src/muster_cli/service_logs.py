"""Shows the logs of a fleet's services while they are written."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from muster_cli.child_process import Child

LOOK_SECONDS = 0.2


@asynccontextmanager
async def show_logs(children: Sequence[Child], tell: Callable[[str], None]) -> AsyncGenerator[None]:
    """Tell each line the children write to their logs, with the name of the child, until the block is left."""
    following = [asyncio.create_task(_follow(child.log, child.spec.name, tell)) for child in children]
    try:
        yield
    finally:
        for task in following:
            task.cancel()
        if following:
            await asyncio.wait(following)


async def _follow(path: Path, name: str, tell: Callable[[str], None]) -> None:
    with path.open("rb") as log:
        rest = b""
        while True:
            *lines, rest = (rest + log.read()).split(b"\n")
            for line in lines:
                tell(f"{name} | {line.decode(errors='replace')}")
            await asyncio.sleep(LOOK_SECONDS)

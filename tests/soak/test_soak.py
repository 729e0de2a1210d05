"""The short form of the soak: a fleet of real processes under steady load for a minute. `make soak` is the long one."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SECONDS = 540.0


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 60)
async def test_a_minute_of_load_leaves_nothing_behind_and_lets_nothing_grow(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "soak", "--minutes", "1", "--keep", str(tmp_path / "kept")),
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS), str(TESTS / "support")))},
        stdout=PIPE,
        stderr=STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.wait(), 30)
    assert process.returncode == 0, output.decode()[-6000:]

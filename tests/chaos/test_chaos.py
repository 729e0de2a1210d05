"""The short form of the chaos suite: a fleet of real processes under fire for a minute. `make chaos` is the long one."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
SECONDS = 480.0


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 90)
async def test_no_run_is_lost_and_no_action_done_twice_while_everything_fails_at_random(tmp_path: Path) -> None:
    """A process of its own: it takes in the orphans of the processes that it kills, and must not take in others."""
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "chaos",
            "--seed",
            "146",
            "--runs",
            "24",
            "--minutes",
            "1",
            "--gap",
            "2.5",
            "--keep",
            str(tmp_path),
        ),
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS), str(TESTS / "support")))},
        stdout=PIPE,
        stderr=STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), SECONDS)
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.wait(), 60.0)
    text = output.decode()
    print(text)

    assert process.returncode == 0, text

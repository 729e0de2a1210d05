"""How much faster several sessions explore the demo shop in real browsers: 1, 2 and 4 sessions and workers.

python bench/explore_together.py
python bench/explore_together.py --steps 300 --sessions 1 --sessions 8
"""

import argparse
import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import msgspec

from muster_bus.artifact_store import get_artifact
from muster_bus.run_store import find_verdict, read_entries
from muster_cli.embedded import Plan, embedded
from muster_client.runs import submit
from muster_exploration.map_file import MAP_FILE, MapFile
from muster_protocol.requests import Exploration, RunRequest

SHOP = Path(__file__).parents[1] / "examples" / "shop" / "server.py"
KNOWN = {"User name": "tester", "Password": "swordfish"}


async def measure(url: str, sessions: int, steps: int) -> tuple[MapFile, float]:
    """Return the map of the shop, and the seconds of the run."""
    async with embedded(Plan(workers=sessions), os.environ, lambda _text: None) as fleet:
        job = Exploration(url=url, values=KNOWN, max_steps=steps, sessions=sessions)
        run = (await submit(fleet.bus, RunRequest(job=job))).run
        while (verdict := find_verdict(await read_entries(fleet.bus, run))) is None:
            await asyncio.sleep(0.5)
        data = await get_artifact(fleet.bus, f"{run}/{MAP_FILE}")
        assert data is not None, verdict.summary
        return msgspec.json.decode(data, type=MapFile), verdict.duration


async def main() -> None:
    """Print one row for each number of sessions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--sessions", type=int, action="append", help="default: 1, 2 and 4")
    wanted = parser.parse_args()
    command = (sys.executable, str(SHOP), "--port", "0")
    shop = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE)
    try:
        assert shop.stdout is not None
        url = (await shop.stdout.readline()).decode().split(" on ")[-1].strip()
        print(f"{os.cpu_count()} cores, {wanted.steps} steps", "sessions  states  moves  seconds  steps/s", sep="\n")
        for sessions in wanted.sessions or (1, 2, 4):
            file, seconds = await measure(url, sessions, wanted.steps)
            counts = f"{sessions:8}  {len(file.map.states):6}  {len(file.map.edges):5}"
            print(f"{counts}  {seconds:7.1f}  {file.spent.steps / seconds:7.2f}", flush=True)
    finally:
        shop.terminate()
        await shop.wait()


if __name__ == "__main__":
    asyncio.run(main())

"""What a long exploration costs: log, snapshot, time a tour early and late, and the takeover by another orchestrator.

NATS and orchestrators are real, and one is killed in the middle; the app is imagined, so that a tour takes no time.

python bench/long_exploration.py                        # 200, 1,000 and 2,000 pages of 10 links each
python bench/long_exploration.py --pages 2000 --forget  # as if there were no snapshot
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/support"))

from fleet import ACK_WAIT
from killed_explorations import explore_with_a_kill

LINKS = 10


async def main() -> None:
    """Print one row for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, action="append", help="sizes of apps; default: 200, 1000 and 2000")
    parser.add_argument("--forget", action="store_true", help="the snapshot is lost with the owner")
    wanted = parser.parse_args()
    print(f"taken over: seconds from the kill, {ACK_WAIT:g} of them until the claim runs out")
    print("states  moves   log, MB  snapshots stored, kB  s of 2nd and last quarter  taken over, s")
    for pages in wanted.pages or [200, 1000, 2000]:
        with tempfile.TemporaryDirectory(prefix="muster-bench-") as folder:
            kill_at = pages * LINKS * 7 // 10
            done = await explore_with_a_kill(Path(folder), pages, LINKS, kill_at, forget=wanted.forget)
        known, (early, late) = done.file.map, done.quarters
        print(
            f"{len(known.states):6,}  {len(known.edges):6,}  {done.log_bytes / 1e6:7.1f}  "
            f"{done.snapshot_bytes / 1e3:20,.0f}  {early:12.1f}, {late:10.1f}  {done.taken:13.1f}",
            flush=True,
        )


if __name__ == "__main__":
    asyncio.run(main())

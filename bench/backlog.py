"""A backlog far beyond the sessions there are: does every run get its true verdict, and how long does that take?

One orchestrator, one worker and one session host with `--sessions` browsers get `--runs` small browser runs at once;
of each seven one has to fail, as its page lacks what it expects. All wait in one line for a session. Exits 1 if a
verdict is untrue or missing, or if anything is left in line. Traces and HARs are not recorded.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from muster_bus import Bus, Rows
from muster_bus.run_store import read_entries
from muster_cli.embedded import Plan, embedded
from muster_cli.shop import demo_shop
from muster_client.runs import submit
from muster_protocol.events import VerdictReached
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest, Step, TestCase

SHOP = Path(__file__).parents[1] / "examples/shop/server.py"
RECORD_NOTHING = {"RECORD_TRACE": "off", "RECORD_HAR": "off"}
LOOK_SECONDS = 5.0
STUCK_SECONDS = 300.0
"""Seconds without a single new verdict after which the rest is given up."""


class Outcome(NamedTuple):
    """What came of a backlog."""

    seconds: float
    submitted: float
    """Seconds until all runs had been accepted."""
    verdicts: Counter[str]
    untrue: list[str]
    """What is wrong, a sentence each."""


def request(number: int, shop: str) -> tuple[RunRequest, str]:
    """Return a run, and the verdict it has to get: `pass`, or the cause of its fail."""
    right = number % 7 != 3
    title = "Demo shop" if right else f"Shop number {number}"
    step = Step(action=f'Open "{shop}/login"', expected=f'The page title is "{title}"')
    return RunRequest(
        job=TestCase(name=f"Login page, seen {number} times", steps=(step,))
    ), "pass" if right else "product"


async def backlog(bus: Bus, shop: str, count: int) -> Outcome:
    """Submit the runs, and wait for all verdicts for as long as any comes."""
    began, expected = perf_counter(), dict[str, str]()
    for number in range(count):
        asked, verdict = request(number, shop)
        expected[(await submit(bus, asked)).run] = verdict
    submitted = perf_counter() - began
    await _ended(bus, set(expected))
    found = {run: await _outcome(bus, run) for run in expected}
    untrue = [f"{run}: {found[run]}, not {wanted}" for run, wanted in expected.items() if found[run] != wanted]
    waiting = (await bus.js.stream_info(bus.names.stream("OPENINGS"))).state.messages
    untrue += [f"{waiting} openings are left in line"] if waiting else []
    return Outcome(perf_counter() - began, submitted, Counter(found.values()), untrue)


async def _ended(bus: Bus, runs: set[str]) -> None:
    """Wait until all runs have ended, for as long as one does now and then."""
    rows, ended, last = Rows(bus, "RUN_LIST", RunRow), 0, perf_counter()
    while ended < len(runs) and perf_counter() - last < STUCK_SECONDS:
        await asyncio.sleep(LOOK_SECONDS)
        now = sum(row.run in runs and row.status in ("pass", "fail") for row in await rows.all())
        last = perf_counter() if now > ended else last
        ended = now
        print(f"{ended} of {len(runs)} have ended", file=sys.stderr, flush=True)


async def _outcome(bus: Bus, run: str) -> str:
    """Return what a run's log says of its end: `pass`, the cause of its fail, or what is wrong with it."""
    events = [event for entry in await read_entries(bus, run) for event in entry.events]
    verdicts = [event.verdict for event in events if isinstance(event, VerdictReached)]
    if len(verdicts) != 1:
        return f"{len(verdicts)} verdicts"
    return "pass" if verdicts[0].status == "pass" else str(verdicts[0].cause)


async def measure(count: int, sessions: int) -> Outcome:
    """Start shop and fleet, and play the backlog on them."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    environ = {**os.environ, **RECORD_NOTHING, "MAX_SESSIONS": str(sessions)}
    with tempfile.TemporaryDirectory(prefix="muster-backlog-") as folder:
        plan = Plan(workers=1, data=Path(folder))
        async with (
            demo_shop(SHOP, os.environ) as shop,
            embedded(plan, environ, lambda text: print(text, file=sys.stderr)) as fleet,
        ):
            return await fleet.while_whole(backlog(fleet.bus, shop, count))


def arguments() -> argparse.Namespace:
    """Return the command line, parsed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="runs in the backlog (default: %(default)s)")
    parser.add_argument("--sessions", type=int, default=2, help="browsers at once (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


def main() -> int:
    """Run, print what came of it, and return the exit code."""
    given = arguments()
    try:
        came = asyncio.run(measure(given.runs, given.sessions))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return 130
    if given.json:
        print(json.dumps({**came._asdict(), "runs": given.runs, "sessions": given.sessions}, indent=1))
    else:
        told = ", ".join(f"{count} {verdict}" for verdict, count in came.verdicts.most_common())
        took = f"{came.seconds:.0f} s, of these {came.submitted:.0f} s to submit"
        print(f"{given.runs} runs on {given.sessions} sessions: {told}; {took}")
        print("\n".join(came.untrue or ["every verdict is true"]))
    return int(bool(came.untrue))


if __name__ == "__main__":
    sys.exit(main())

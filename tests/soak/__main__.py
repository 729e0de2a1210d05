"""Soak a fleet and print what was measured; exit 1 if anything grew, was left behind, or failed. See `--help`."""

import argparse
import asyncio
import shutil
import signal
import sys
import tempfile
from pathlib import Path

from muster_service.telemetry import configure_logging
from soak.growth import table, trends
from soak.soaking import Outcome, Plan, soak

WARM_UP = 0.15
"""Share of the time in which caches fill, browsers start for the first time, and so on."""


def arguments() -> argparse.Namespace:
    """Return the command line, parsed."""
    parser = argparse.ArgumentParser(prog="soak", description="A fleet under steady load: what may not grow, does it?")
    parser.add_argument("--minutes", type=float, default=Plan().minutes, help="of load (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=Plan().rate, help="runs begun a second (%(default)s)")
    parser.add_argument("--most", type=int, default=Plan().most, help="runs in flight at once (%(default)s)")
    parser.add_argument("--keep", type=Path, help="new or empty folder for logs and data, kept whatever comes of it")
    asked = parser.parse_args()
    if asked.keep and asked.keep.exists() and any(asked.keep.iterdir()):
        parser.error(f"--keep: {asked.keep} is not empty")
    return asked


async def _until_told(plan: Plan, folder: Path) -> Outcome:
    """Soak; when asked to stop, end everything that was started before ending."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await soak(plan, folder)


def main() -> None:
    """Soak, judge, tell."""
    asked = arguments()
    configure_logging("error", "console")
    plan = Plan(asked.minutes, asked.rate, asked.most)
    folder: Path = asked.keep or Path(tempfile.mkdtemp(prefix="muster-soak-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"soak: {plan.minutes:g} minutes; logs in {folder}", flush=True)
    try:
        outcome = asyncio.run(_until_told(plan, folder))
    except (asyncio.CancelledError, KeyboardInterrupt):
        sys.exit(130)
    found = trends(outcome.readings, plan.minutes * 60 * WARM_UP)
    verdicts = ", ".join(f"{count} {status}" for status, count in sorted(outcome.verdicts.items()))
    print(
        f"\n{plan.minutes:g} minutes, {outcome.verdicts.total()} runs ({verdicts}), {len(outcome.readings)} readings\n"
    )
    print(table(found))
    for line in outcome.at_rest:
        print(f"LEFT BEHIND {line}")
    if not found or any(it.grew for it in found) or outcome.at_rest or set(outcome.verdicts) != {"pass"}:
        print(f"\nNot flat, or not all passed. Everything is kept in {folder}.")
        sys.exit(1)
    if not asked.keep:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()

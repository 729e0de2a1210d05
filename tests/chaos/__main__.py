"""Run a campaign and print its table; exit 1 if anything was violated. See `--help`."""

import argparse
import asyncio
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from chaos.campaign import Plan, campaign
from chaos.checker import violations
from chaos.history import History, Violation
from chaos.records import write_history, write_records
from chaos.table import table
from muster_service.telemetry import configure_logging


def arguments() -> argparse.Namespace:
    """Return the command line, parsed."""
    parser = argparse.ArgumentParser(
        prog="chaos", description="Runs under faults, and a check of all that came of them."
    )
    parser.add_argument("--seed", type=int, default=0, help="what faults and jobs are made from (0: any, and told)")
    parser.add_argument("--runs", type=int, default=Plan().runs, help="runs to ask for (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=Plan().minutes, help="how long faults strike (%(default)s)")
    parser.add_argument(
        "--gap", type=float, default=Plan().gap, help="mean seconds between faults, 0: none (%(default)s)"
    )
    parser.add_argument("--ack-wait", type=float, default=Plan().ack_wait, help="seconds of a claim (%(default)s)")
    parser.add_argument("--keep", type=Path, help="new or empty folder for the data, kept whatever comes of it")
    asked = parser.parse_args()
    if asked.keep and asked.keep.exists() and any(asked.keep.iterdir()):
        parser.error(f"--keep: {asked.keep} is not empty")
    return asked


def main() -> None:
    """Run, check, tell."""
    asked = arguments()
    configure_logging("error", "console")
    seed = asked.seed or random.SystemRandom().randint(1, 99_999)
    plan = Plan(seed, asked.runs, asked.minutes, asked.gap, asked.ack_wait)
    folder: Path = asked.keep or Path(tempfile.mkdtemp(prefix="muster-chaos-"))
    folder.mkdir(parents=True, exist_ok=True)
    print(f"chaos: seed {seed}, {plan.runs} runs, faults for {plan.minutes:g} min; data in {folder}", flush=True)
    began = time.monotonic()
    try:
        history = asyncio.run(_until_told(plan, folder))
    except (asyncio.CancelledError, KeyboardInterrupt):
        sys.exit(130)
    write_history(history, folder)
    found = violations(history)
    title = (
        f"Seed {seed}: {plan.runs} runs, {len(history.strikes)} faults in {(time.monotonic() - began) / 60:.1f} minutes"
    )
    print(table(history, found, title=title, ack_wait=plan.ack_wait), flush=True)
    if found:
        tell(history, found, folder)
        sys.exit(1)
    if not asked.keep:
        shutil.rmtree(folder, ignore_errors=True)


async def _until_told(plan: Plan, folder: Path) -> History:
    """Play the campaign; when asked to stop, end everything that was started before ending."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await campaign(plan, folder)


def tell(history: History, found: tuple[Violation, ...], folder: Path) -> None:
    """Print each violation, with where the log of its run can be read."""
    print()
    for violation in found:
        where = f"\n    log: {folder / 'runs' / violation.run}.txt" if violation.run else ""
        print(f"VIOLATION {violation.rule}: {violation.run} {violation.text}{where}")
    write_records(history, sorted({violation.run for violation in found if violation.run}), folder / "runs")
    print(
        f"\nEverything is kept in {folder}: logs of the services, what NATS stored (nats/), the history (history.pickle)."
    )


if __name__ == "__main__":
    main()

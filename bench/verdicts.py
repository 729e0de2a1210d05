"""The mutation bench: are verdicts true? The demo shop with one fault at a time, and that fault's case run against it.

Every case of `bench/cases` has to pass on the healthy shop, `--rounds` times, and once on a slow one; each fault of the
shop has a case that has to fail on it, with the right cause. Exits 1 if a goal is missed: no false pass, at most 2 %
false fails, at least 95 % of the causes right. Traces and HARs are not recorded.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from msgspec.structs import replace
from mutants import HARMLESS, MUTANTS
from oracle import freely, model_server, oracle
from scoring import Result, Score, Trial, reasons, row, score, summary

from muster_bus import Bus
from muster_bus.run_store import find_verdict, read_entries
from muster_cases.case_loader import load_paths
from muster_cli.embedded import Plan, embedded
from muster_cli.shop import demo_shop
from muster_client.runs import submit
from muster_protocol.events import RunClosed
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.verdicts import Verdict

ROOT = Path(__file__).parents[1]
SHOP = ROOT / "examples/shop/server.py"
PASSWORD = "swordfish"
PATIENCE = 240.0
"""Seconds a run may take, more than the limits of the cases allow."""
WAYS = ("phrases", "model")
"""By what steps are performed: as they are written, or in words that no phrase knows, by a scripted honest model."""


class Options(NamedTuple):
    """What to run, and how."""

    by: str
    rounds: int
    only: str
    at_once: int


def trials(options: Options) -> list[Trial]:
    """Return what has to pass, and the mutants; `only` keeps those with this in the name of fault or case."""
    chosen = [Trial(mutant.case, mutant.bug, mutant.cause) for mutant in MUTANTS]
    names = [case.request.job.name for case in load_paths([ROOT / "bench/cases"])]
    sound = [Trial(name, bug) for bug in (*("",) * options.rounds, *HARMLESS) for name in names]
    every = [*sound, *chosen]
    return [trial for trial in every if options.only in trial.bug or options.only in trial.case]


def request(name: str, base_url: str, by: str) -> RunRequest:
    """Return a case of the bench as a request against the shop at an address, worded for a way of performing it."""
    found = {case.request.job.name: case.request for case in load_paths([ROOT / "bench/cases"])}[name]
    assert isinstance(found.job, TestCase)
    variables = {**found.job.variables, "base_url": base_url}
    job = replace(found.job, variables=variables)
    return replace(found, job=freely(job) if by == "model" else job)


async def attempt(bus: Bus, trial: Trial, by: str) -> Result:
    """Serve the shop with the trial's fault, run its case, and return how it ended."""
    began = perf_counter()
    async with demo_shop(SHOP, {**os.environ, "SHOP_PASSWORD": PASSWORD}, trial.bug) as base_url:
        try:
            async with asyncio.timeout(PATIENCE):
                verdict = await _verdict(bus, (await submit(bus, request(trial.case, base_url, by))).run)
        except TimeoutError:
            verdict = None
        return Result(trial, verdict, perf_counter() - began)


async def _verdict(bus: Bus, run: str) -> Verdict | None:
    while True:
        log = await read_entries(bus, run)
        if any(isinstance(event, RunClosed) for entry in log for event in entry.events):
            return find_verdict(log)
        await asyncio.sleep(0.2)


async def attempts(bus: Bus, every: Sequence[Trial], options: Options) -> list[Result]:
    """Run all trials, a few at once, and print each as it ends."""
    slots = asyncio.Semaphore(options.at_once)

    async def one(trial: Trial) -> Result:
        async with slots:
            result = await attempt(bus, trial, options.by)
        print(row(result), file=sys.stderr, flush=True)
        return result

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(trial)) for trial in every]
    return [task.result() for task in tasks]


async def measure(options: Options, model: str) -> list[Result]:
    """Start a fleet and run all that was chosen on it; `model` is the address of the scripted one.

    Raises:
        FleetFailed: the fleet does not start, or cannot go on.
    """
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # so that shops and fleet end, too
    thinking = {"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "oracle"}
    thinking = thinking if options.by == "model" else {}
    plan = Plan(
        workers=1,
        max_runs=options.at_once,
        worker_env={"SECRET_SHOP_PASSWORD": PASSWORD, "ACT_SLOTS": str(options.at_once), **thinking},
    )
    environ = {**os.environ, "RECORD_TRACE": "off", "RECORD_HAR": "off"}
    async with embedded(plan, environ, lambda text: print(text, file=sys.stderr)) as fleet:
        return await fleet.while_whole(attempts(fleet.bus, trials(options), options))


def arguments() -> argparse.Namespace:
    """Return the command line, parsed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--by", choices=WAYS, default="phrases", help="what performs the steps (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of all cases on the healthy shop (default 3)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only what has this in the name of fault or case")
    parser.add_argument("--at-once", type=int, default=3, help="runs at once, each with a browser page (default 3)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser.parse_args()


def document(by: str, results: Sequence[Result], total: Score) -> str:
    """Return everything as one JSON document."""
    rows = [
        {
            "fault": result.trial.bug or "none",
            "case": result.trial.case,
            "wanted": result.trial.cause or "pass",
            "status": result.verdict.status if result.verdict else "none",
            "cause": result.cause,
            "wrong": result.words,
            "seconds": round(result.seconds, 2),
            "summary": result.verdict.summary if result.verdict else "",
        }
        for result in results
    ]
    return json.dumps({"by": by, "results": rows, "score": total._asdict(), "missed": total.missed}, indent=1)


def main() -> int:
    """Run, print the summary and what survived, and return the exit code."""
    given = arguments()
    options = Options(given.by, given.rounds, given.only, given.at_once)
    try:
        with model_server(oracle) as model:
            results = asyncio.run(measure(options, model.url))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return 130
    total = score(results)
    if given.json:
        print(document(options.by, results, total))
    else:
        wrong = [result for result in results if result.words]
        print("\n".join(["", *(row(result) for result in wrong)]))
        print("\n".join(reasons(result) for result in wrong if result.passed))
        print(f"by {options.by}\n{summary(total)}")
    return int(bool(total.missed))


if __name__ == "__main__":
    sys.exit(main())

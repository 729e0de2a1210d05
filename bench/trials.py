"""Runs cases against products with and without faults on a fleet of its own, and tells how they ended."""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from msgspec.structs import replace
from oracle import freely, model_server, oracle
from scoring import Result, Score, Trial, reasons, row, score, summary

from muster_bus import Bus, Rows
from muster_bus.run_store import find_verdict, read_entries
from muster_cases.case_loader import load_paths
from muster_cli.embedded import Plan, embedded
from muster_client.runs import submit
from muster_protocol.events import RunClosed
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.step_recordings import RecordingRow
from muster_protocol.verdicts import Verdict

PATIENCE = 240.0
"""Seconds a run may take, more than the limits of the cases allow."""
WAYS = ("phrases", "model", "recorded")
"""By what steps are performed: as they are written; in words that no phrase knows, by a scripted honest model; or by
what that model did on the product without a fault, which is recorded first."""


class Bench(NamedTuple):
    """What is tried: where its cases are, and how a trial's product is served."""

    cases: Path
    serve: Callable[[Trial], AbstractAsyncContextManager[str]]
    """Serves the product of a trial, with its fault, and gives its address."""
    environ: Mapping[str, str] = {}
    """Environment of the worker, such as secrets."""
    patience: float = PATIENCE
    """Seconds a run may take."""
    fleet_environ: Mapping[str, str] = {}
    """Environment of all services, such as settings to compare."""


class Options(NamedTuple):
    """How to run, and how to tell of it."""

    by: str
    at_once: int
    as_json: bool = False


def parser(description: str) -> argparse.ArgumentParser:
    """Return a parser of the options that all benches with trials have."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--by", choices=WAYS, default="phrases", help="what performs the steps (default: %(default)s)")
    made.add_argument("--only", default="", metavar="TEXT", help="only what has this in the name of fault or case")
    made.add_argument("--at-once", type=int, default=3, help="runs at once, each with a browser page (default 3)")
    made.add_argument("--json", action="store_true", help="print one JSON document")
    return made


def only(every: Sequence[Trial], text: str) -> list[Trial]:
    """Return the trials that have a text in the name of fault or case."""
    return [trial for trial in every if text in trial.bug or text in trial.case]


def request(cases: Path, name: str, base_url: str, by: str) -> RunRequest:
    """Return a case as a request against the product at an address, worded for a way of performing it."""
    found = {case.request.job.name: case.request for case in load_paths([cases])}[name]
    assert isinstance(found.job, TestCase)
    job = replace(found.job, variables={**found.job.variables, "base_url": base_url})
    return replace(found, job=job if by == "phrases" else freely(job))


async def attempt(bus: Bus, bench: Bench, trial: Trial, by: str) -> Result:
    """Serve the product with the trial's fault, run its case, and return how it ended."""
    began = perf_counter()
    async with bench.serve(trial) as base_url:
        try:
            async with asyncio.timeout(bench.patience):
                submitted = await submit(bus, request(bench.cases, trial.case, base_url, by))
                verdict = await _verdict(bus, submitted.run)
        except TimeoutError:
            verdict = None
        return Result(trial, verdict, perf_counter() - began)


async def _verdict(bus: Bus, run: str) -> Verdict | None:
    while True:
        log = await read_entries(bus, run)
        if any(isinstance(event, RunClosed) for entry in log for event in entry.events):
            return find_verdict(log)
        await asyncio.sleep(0.2)


async def attempts(bus: Bus, bench: Bench, every: Sequence[Trial], options: Options) -> list[Result]:
    """Run all trials, a few at once, and print each as it ends."""
    slots = asyncio.Semaphore(options.at_once)

    async def one(trial: Trial) -> Result:
        async with slots:
            result = await attempt(bus, bench, trial, options.by)
        print(row(result), file=sys.stderr, flush=True)
        return result

    if options.by == "recorded":
        await _record(bus, bench, every)
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(trial)) for trial in every]
    return [task.result() for task in tasks]


async def _record(bus: Bus, bench: Bench, every: Sequence[Trial]) -> None:
    """Run each case once where there is no fault, one after the other, and wait until all is kept."""
    for name in dict.fromkeys(trial.case for trial in every):
        sound = await attempt(bus, bench, Trial(name), "model")
        print("recorded ", row(sound), file=sys.stderr, flush=True)
    rows, counts = Rows(bus, "RECORDINGS", RecordingRow), [-1, 0]
    while counts[-1] != counts[-2]:
        await asyncio.sleep(1.0)
        counts.append(len(await rows.all()))


async def measure(bench: Bench, every: Sequence[Trial], options: Options, model: str) -> list[Result]:
    """Start a fleet and run all trials on it; `model` is the address of the scripted one.

    Raises:
        FleetFailed: the fleet does not start, or cannot go on.
    """
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)  # so that products and fleet end, too
    thinking = {"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "oracle"}
    by_model = (
        {} if options.by == "phrases" else {**thinking, "RECORDINGS": "on" if options.by == "recorded" else "off"}
    )
    worker_env = {"ACT_SLOTS": str(options.at_once), **bench.environ, **by_model}
    plan = Plan(workers=1, max_runs=options.at_once, worker_env=worker_env)
    environ = {**os.environ, "RECORD_TRACE": "off", "RECORD_HAR": "off", **bench.fleet_environ}
    async with embedded(plan, environ, lambda text: print(text, file=sys.stderr)) as fleet:
        return await fleet.while_whole(attempts(fleet.bus, bench, every, options))


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


def run_trials(bench: Bench, every: Sequence[Trial], options: Options) -> int:
    """Run, print the summary and what survived, and return the exit code."""
    try:
        with model_server(oracle) as model:
            results = asyncio.run(measure(bench, every, options, model.url))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return 130
    total = score(results)
    steps = [step for result in results if result.verdict for step in result.verdict.results]
    replayed = sum(step.source == "recording" for step in steps)
    if options.as_json:
        print(document(options.by, results, total))
    else:
        wrong = [result for result in results if result.words]
        print("\n".join(["", *(row(result) for result in wrong)]))
        print("\n".join(reasons(result) for result in wrong if result.passed))
        print(f"by {options.by}, {replayed} of {len(steps)} steps replayed\n{summary(total)}")
    return int(bool(total.missed))

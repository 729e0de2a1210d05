"""What a browser costs a case that needs none: `examples/cases/02-command-line.yaml` with and without one, in turn.

Seconds count from the request's first event to the verdict, as the run's log says. Memory is what the session host and
all processes below it hold at most during the run beyond what they held before it; pages that several share count once
(PSS). The floor is the same commands in one shell without Muster: nothing can take less. Quote the differences.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import msgspec
import psutil
from fleets import Fleet, fleet, pid_of

from muster_bus.run_store import read_entries
from muster_cases.case_loader import load_paths
from muster_client.runs import submit
from muster_protocol.events import VerdictReached
from muster_protocol.requests import DeviceSpec, RunRequest, TestCase

CASE = Path(__file__).parents[1] / "examples/cases/02-command-line.yaml"
HOST = "bench-host"
MB = 1_000_000
SAMPLE_SECONDS = 0.02
COMMANDS = r"""
cat > greet.in <<'END'
case $1 in --version) echo greet 1.0 ;; ?*) echo Hello, $1 ;; *) echo Usage: greet NAME >&2; exit 64 ;; esac
END
grep -q 'greet 1.0' greet.in
mkdir -p build && (echo '#!/bin/sh'; cat greet.in) > build/greet
install -D -m 755 build/greet $HOME/.local/bin/greet
export PATH=$HOME/.local/bin:$PATH
greet --version | grep -q 'greet 1.0'
greet Ada > greeting.txt
grep -q 'Hello, Ada' greeting.txt
greet 2> usage.txt || test $? = 64
grep -q 'Usage: greet NAME' usage.txt
"""


class Cost(NamedTuple):
    """Of one run."""

    seconds: float
    megabytes: float


class Round(NamedTuple):
    """One of each."""

    floor: float
    """Seconds."""
    bare: Cost
    browser: Cost


def floor() -> float:
    """Run the commands in one shell and return its seconds."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {"HOME": folder, "PATH": "/usr/local/bin:/usr/bin:/bin"}
        began = perf_counter()
        subprocess.run(("sh", "-e", "-c", COMMANDS), check=True, cwd=folder, env=environment)
        return perf_counter() - began


def held(host: psutil.Process) -> float:
    """Return the megabytes that a process and all below it hold."""
    total = 0
    for process in (host, *host.children(recursive=True)):
        try:
            total += process.memory_full_info().pss
        except psutil.Error:
            continue  # it has just ended
    return total / MB


async def cost(group: Fleet, host: psutil.Process, device: DeviceSpec | None) -> Cost:
    """Run the case on a device and return what it took."""
    job = load_paths([CASE])[0].request.job
    assert isinstance(job, TestCase)
    idle = most = held(host)
    run = (await submit(group.bus, RunRequest(job=msgspec.structs.replace(job, device=device)))).run
    closing = asyncio.create_task(group.closed(run))
    while not closing.done():
        most = max(most, await asyncio.to_thread(held, host))
        await asyncio.wait({closing}, timeout=SAMPLE_SECONDS)
    log = await read_entries(group.bus, run)
    verdicts = [
        (entry.at, event.verdict) for entry in log for event in entry.events if isinstance(event, VerdictReached)
    ]
    ((ended, verdict),) = verdicts
    assert verdict.status == "pass", verdict.summary
    return Cost(ended - log[0].at, most - idle)


async def measure(rounds: int) -> list[Round]:
    """Run all in turn, once to warm up and then `rounds` times."""
    found: list[Round] = []
    async with fleet(15.0) as group:
        await group.start("sessions", HOST_ID=HOST)
        await group.start("orchestrator")
        await group.start("subagent")
        host = psutil.Process(await pid_of(group.bus, HOST))
        for number in range(rounds + 1):
            bare = await cost(group, host, None)
            done = Round(floor(), bare, await cost(group, host, DeviceSpec(kind="web")))
            print("warm-up" if not number else f"round {number}", done, file=sys.stderr)
            found += [done] if number else []
    return found


def median(costs: Iterable[Cost]) -> Cost:
    """Return the medians."""
    return Cost(*map(statistics.median, zip(*costs, strict=True)))


def main() -> None:
    """Measure and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds that count (default 5)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    rounds = asyncio.run(measure(options.rounds))
    shell = statistics.median(one.floor for one in rounds)
    bare, browser = median(one.bare for one in rounds), median(one.browser for one in rounds)
    if options.json:
        print(json.dumps({"floor": shell, "bare": bare._asdict(), "browser": browser._asdict()}))
        return
    print(f"shell alone     {shell:6.2f} s")
    print(f"no browser      {bare.seconds:6.2f} s  {bare.megabytes:6.1f} MB")
    print(f"with a browser  {browser.seconds:6.2f} s  {browser.megabytes:6.1f} MB")


if __name__ == "__main__":
    main()

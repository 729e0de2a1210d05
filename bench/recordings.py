"""What recordings of steps save, and whether they hold where a site changes.

1. The 20-step purchase and the cases of the verdict bench, every action in words that no phrase knows: cold, warm, and
   beside them without recordings and, for the purchase, as a Playwright script.
2. Three cases on a small site, recorded once, then on 30 changed sites (`site_changes.py`): harmless changes have to be
   survived, faults beside decoys have to be refused, although the model that takes a decoy is sure of itself.

The model is scripted behind real HTTP and answers at once; four characters of a request count as a token.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from fleets import eventually
from model_server import Answer, Script, passes
from model_server import does as plays
from oracle import Asked, ModelServer, freely, model_server, oracle
from playwright.async_api import async_playwright
from remembering import OPEN, Rerunner, rerunner
from site_changes import CHANGES, PAGES, TASKS, Call, Change, Task, site
from steps import by_hand, by_model, fleet, seconds_of, shop

from muster_bus import Bus, Rows
from muster_bus.run_store import find_verdict, read_entries
from muster_cases.case_loader import load_paths
from muster_client.runs import submit
from muster_devices.web.chromium import find_browser
from muster_protocol.events import RunClosed
from muster_protocol.requests import RunRequest, TestCase
from muster_protocol.step_recordings import RecordingRow
from muster_protocol.verdicts import Verdict

ROOT = Path(__file__).parents[1]
GOAL_ALONE, GOAL_HEALED = 0.80, 0.95


class Ran(NamedTuple):
    """One case, run once."""

    case: str
    way: str
    seconds: float
    calls: int
    tokens: int
    steps: int
    hits: int
    status: str


class Tried(NamedTuple):
    """One case on one changed site."""

    change: str
    kind: str
    task: str
    harmless: bool
    ended: str
    """`alone`: passed without a model; `healed`: with one; `refused`: failed; `wrong`: passed on a fault."""
    why: str = ""


# ---- cold and warm


async def run_on(bus: Bus, model: ModelServer, request: RunRequest, way: str) -> Ran:
    """Run a case on a fleet and return what it took."""
    asked = len(model.asked)
    run = (await submit(bus, request)).run
    verdict, seconds = await _verdict(bus, run)
    sizes = [len(json.dumps(it.body, separators=(",", ":"))) // 4 for it in model.asked[asked:]]
    sources = Counter(result.source for result in verdict.results)
    name = request.job.name if isinstance(request.job, TestCase) else ""
    return Ran(name, way, seconds, len(sizes), sum(sizes), len(verdict.results), sources["recording"], verdict.status)


async def _verdict(bus: Bus, run: str) -> tuple[Verdict, float]:
    """Return a run's verdict once it is closed, and the seconds of its steps if it has passed."""

    async def look() -> tuple[Verdict, float] | None:
        log = await read_entries(bus, run)
        closed = any(isinstance(event, RunClosed) for entry in log for event in entry.events)
        verdict = find_verdict(log) if closed else None
        return (verdict, seconds_of(log) if verdict.status == "pass" else 0.0) if verdict else None

    return await eventually(look, f"{run} is closed", 240.0)


async def cold_and_warm(model: ModelServer, only: str) -> tuple[list[Ran], float]:
    """Run the purchase and the other cases without recordings, cold and warm, in turn; and the purchase by hand."""
    settings = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "oracle"}
    found: list[Ran] = []
    async with shop() as address, fleet(**settings, RECORDINGS="off") as plain, fleet(**settings) as bus:
        script = await _by_hand(address)
        requests = [by_model(address), *_cases(address)]
        for request in requests:
            assert isinstance(request.job, TestCase)
            if only not in request.job.name:
                continue
            before = await run_on(plain, model, request, "without")
            cold = await run_on(bus, model, request, "cold")
            await _kept(bus, cold)
            found += [before, cold, await run_on(bus, model, request, "warm")]
            print(*(_row(one) for one in found[-3:]), sep="\n", file=sys.stderr)
    return found, script


async def _by_hand(address: str) -> float:
    async with async_playwright() as playwright:
        executable = find_browser(playwright.chromium.executable_path, "", os.environ)
        browser = await playwright.chromium.launch(executable_path=executable, chromium_sandbox=os.geteuid() != 0)
        await by_hand(browser, address)
        seconds = await by_hand(browser, address)
        await browser.close()
        return seconds


def _cases(address: str) -> list[RunRequest]:
    made: list[RunRequest] = []
    for loaded in load_paths([ROOT / "bench/cases"]):
        job = loaded.request.job
        assert isinstance(job, TestCase)
        placed = msgspec.structs.replace(job, variables={**job.variables, "base_url": address})
        made.append(msgspec.structs.replace(loaded.request, job=freely(placed)))
    return made


async def _kept(bus: Bus, cold: Ran) -> None:
    """Wait until recordings have stopped coming: they are kept in the background."""
    rows = Rows(bus, "RECORDINGS", RecordingRow)
    counts = [-1, len(await rows.all())]
    while counts[-1] != counts[-2]:
        await asyncio.sleep(0.5)
        counts.append(len(await rows.all()))


def _row(one: Ran) -> str:
    return (
        f"{one.case[:44]:<46}{one.way:<9}{one.status:<6}{one.hits:>3} of {one.steps:>2} steps replayed"
        f"{one.calls:>5} calls{one.tokens:>8} tokens{one.seconds:>8.2f} s"
    )


# ---- changed sites


def player(calls: Sequence[Call], names: dict[str, str]) -> Script:
    """Return a model that makes the calls that are left, with the names that elements have now, and claims a pass."""

    def script(asked: Asked) -> Answer:
        done = asked.question.partition("Done already")[2].partition("What was done next")[0].count("\n- ")
        made = [(tool, {**given, "element": names.get(given["element"], given["element"])}) for tool, given in calls]
        return plays(*made[done:], passes("done, quite sure"))

    return script


async def on_changed_sites(only: str) -> list[Tried]:
    """Record each case once, then run it on each changed site; heals are proposals, so each site meets the same one."""
    found: list[Tried] = []
    with tempfile.TemporaryDirectory(prefix="muster-bench-") as folder:
        async with rerunner(Path(folder)) as again:
            for task in TASKS:
                await again.forget()
                steps = [OPEN, (task.action, task.expected)]
                cold = await again.run(PAGES, steps, player(task.calls, {}), kept=2)
                assert cold.verdict.status == "pass", cold.verdict.summary
                for change in (one for one in CHANGES if only in one.name):
                    tried = await _tried(again, task, change)
                    found.append(tried)
                    print(f"{change.name:<52}{task.name:<10}{tried.ended:<9}{tried.why[:160]}", file=sys.stderr)
    return found


async def _tried(again: Rerunner, task: Task, change: Change) -> Tried:
    steps = [OPEN, (task.action, task.expected)]
    left = [call for call in task.calls if call[0] == "click" or change.harmless]
    names = dict(change.names)
    script = player(left if names or change.harmless else (), names)
    seen = await again.run(site(change), steps, script, heal="propose")
    ended = "refused" if seen.verdict.status != "pass" else "healed" if seen.asked else "alone"
    if ended != "refused" and not change.harmless:
        ended = "wrong"
    why = seen.verdict.summary if ended == "refused" else ""
    return Tried(change.name, change.kind, task.name, change.harmless, ended, why)


# ---- told


def tell(ran: Sequence[Ran], script: float) -> bool:
    """Print what cold and warm runs took; return whether the goal is met."""
    for one in ran[:3]:
        print(_row(one), f"{one.seconds / script:6.2f} x the script's {script:.2f} s")
    for way in ("without", "cold", "warm"):
        own = [one for one in ran if one.way == way]
        hits, steps = sum(one.hits for one in own), sum(one.steps for one in own)
        passed = sum(one.status == "pass" for one in own)
        calls, tokens = sum(one.calls for one in own), sum(one.tokens for one in own)
        told = f"{passed} of {len(own)} cases pass, {hits} of {steps} steps replayed, {calls} calls, {tokens} tokens"
        print(f"{way:<8} {told}, {sum(one.seconds for one in own):.1f} s")
    return not sum(one.tokens for one in ran if one.way == "warm")


def tell_changes(tried: Sequence[Tried]) -> bool:
    """Print how recordings held on changed sites; return whether the goals are met."""
    harmless = [one for one in tried if one.harmless]
    faults = [one for one in tried if not one.harmless]
    count = Counter(one.ended for one in tried)
    alone = count["alone"] / max(1, len(harmless))
    healed = alone + count["healed"] / max(1, len(harmless))
    told = (
        f"survived without a model {alone:.0%} (goal {GOAL_ALONE:.0%}), with one {healed:.0%} (goal {GOAL_HEALED:.0%})"
    )
    print(f"harmless changes x cases: {len(harmless)}; {told}")
    refused = sum(one.ended == "refused" for one in faults)
    print(f"faults x cases: {len(faults)}; refused {refused}, wrong {count['wrong']} (goal 0)")
    return alone >= GOAL_ALONE and healed >= GOAL_HEALED and not count["wrong"]


def main() -> None:
    """Measure, and exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("warm", "changes", "both"), default="both")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases or changes with this in their name")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    ran: list[Ran] = []
    script, tried, met = 0.0, list[Tried](), True
    if options.part != "changes":
        with model_server(oracle) as model:
            ran, script = asyncio.run(cold_and_warm(model, options.only))
        met &= options.json or tell(ran, script)
    if options.part != "warm":
        tried = asyncio.run(on_changed_sites(options.only))
        met &= options.json or tell_changes(tried)
    if options.json:
        told = {"ran": [one._asdict() for one in ran], "script": script, "tried": [one._asdict() for one in tried]}
        print(json.dumps(told))
    if not met:
        sys.exit(1)


if __name__ == "__main__":
    main()

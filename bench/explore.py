"""How well the engine of explorations finds the states of generated sites, whose states are known.

The sites have pages, forms, a log-in, endless lists and traps, see `tests/support/generated_site.py`.

python bench/explore.py               # the engine: sites of 20, 200 and 2,000 pages, each policy, a plain crawler
python bench/explore.py --pages 200
"""

import argparse
import random
import sys
import time
from collections import Counter, deque
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/support"))

import msgspec
from generated_site import HOST, GeneratedSite
from imagined_app import ImaginedApp, explore_in_time

from muster_exploration.tour_rounds import Moment, Progress, begin, record_tour, tour_input
from muster_protocol.explorations import EXPLORATION_POLICIES, ExplorationPolicy, Move
from muster_protocol.requests import Exploration


def explore(site: GeneratedSite, job: Exploration) -> tuple[Progress, float, list[float]]:
    """Return an exploration to its end, the engine's processor seconds a move, and those of each tour."""
    app, progress, at = ImaginedApp(site), begin(job), Moment(0.0, 0.0)
    took: list[float] = []
    while not progress.over:
        for number in [number for number, tour in progress.window.items() if tour.output is None]:
            began = time.process_time()
            tour = tour_input(progress, job, number, 0.0)
            spent = time.process_time() - began
            output = app.answer(tour)
            began = time.process_time()
            progress = record_tour(progress, job, number, output, at)
            took.append((spent + time.process_time() - began) / max(1, len(output.trials)))
    return progress, sum(took) / len(took), took


def crawl(site: GeneratedSite, most: int) -> tuple[int, int]:
    """Return how many states a plain crawler finds, and how many requests it makes.

    It follows links; each address is a page of its own.
    """
    first = site.begin(0)
    queue, known, found, asked = deque([first]), {first.path}, {site.name(first)}, 0
    while queue and asked < most:
        here = queue.popleft()
        asked += 1
        for part in site.parts(here):
            there = site.go(here, Move(do="tap", role=part.role, name=part.name, address=part.address))
            if part.address and there.path not in known:
                known.add(there.path)
                found.add(site.name(there))
                queue.append(there)
    return len(site.found(found)), asked


def first_full(progress: Progress, wanted: int) -> str:
    """Return after how many moves so many of the site's states were known."""
    known, seen = progress.map, {progress.map.states[0].title}
    for number, edge in enumerate(known.edges, 1):
        seen.add(known.states[edge.target].title)
        if len(seen) >= wanted:
            return f"{number:,}"
    return "never"


def main() -> None:
    """Print one row for each site and policy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, action="append", help="sizes of sites; default: 20, 200 and 2000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missing", action="store_true", help="print which states were missed, or found twice")
    wanted = parser.parse_args()
    print("pages  policy     found   false  moves to all  moves   ms a move (first, dearest, last tenth)  state, kB")
    for pages in wanted.pages or [20, 200, 2000]:
        site = GeneratedSite(pages, wanted.seed)
        for policy in EXPLORATION_POLICIES if pages < 2000 else ("bfs", "coverage", "goal"):
            print_policy(site, pages, policy, wanted.seed, missing=wanted.missing)
        if pages < 2000:
            print_speeds(site, pages, wanted.seed)
        known, asked = crawl(site, 10 * pages)
        share = known / len(site.states())
        print(f"{pages:5,}  a crawler that knows addresses alone: {share:.1%} after {asked:,} requests")


def print_policy(site: GeneratedSite, pages: int, policy: ExplorationPolicy, seed: int, *, missing: bool) -> None:
    """Print what a policy finds of a site, and what its moves take; `missing`: also what it missed or found twice."""
    job = Exploration(
        url=HOST, policy=(policy,), goal="never", focus="p", max_steps=1_000_000, instances=10_000, seed=seed
    )
    progress, mean, took = explore(site, job)
    true = site.states()
    found = site.found(state.title for state in progress.map.states)
    names = [state.title for state in progress.map.states if state.page_of < 0]
    false = sum(site.found(names[: at + 1]) == site.found(names[:at]) for at in range(len(names)))
    if missing:
        print(sorted(true - found), Counter(names).most_common(5))
    tenth = max(1, len(took) // 10)
    tenths = [sum(took[at : at + tenth]) / tenth * 1000 for at in range(0, len(took) - tenth + 1, tenth)]
    print(
        f"{pages:5,}  {policy:9}  {len(found) / len(true):5.1%}  {false / progress.map.distinct:6.1%}  "
        f"{first_full(progress, len(true)):>12}  {len(progress.map.edges):5,}   "
        f"{mean * 1000:.2f} ({tenths[0]:.2f}, {max(tenths):.2f}, {tenths[-1]:.2f})  "
        f"{len(msgspec.json.encode(progress)) / 1000:,.0f}"
    )


def print_speeds(site: GeneratedSite, pages: int, seed: int) -> None:
    """Print how much faster several sessions of uneven pace explore a site than one."""
    alone = 0.0
    for sessions in (1, 2, 4, 8):
        dice = random.Random(seed)
        pace = [dice.choice((0.5, 1.0, 3.0)) for _ in range(20 * pages + 1000)]
        job = Exploration(url=HOST, max_steps=1_000_000, instances=10_000, sessions=sessions)
        _, seconds = explore_in_time(ImaginedApp(site), job, pace.__getitem__)
        alone = alone or seconds
        print(f"{pages:5,}  {sessions} sessions of uneven pace: {alone / seconds:.2f} times as fast as one")


if __name__ == "__main__":
    main()

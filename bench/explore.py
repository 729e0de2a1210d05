"""How well explorations find an app: engine alone on imagined sites, and a real browser on the demo shop.

python bench/explore.py               # the engine: sites of 20, 200 and 2,000 pages, each policy, a plain crawler
python bench/explore.py --pages 200
"""

import argparse
import random
import time
from collections import deque
from collections.abc import Mapping, Sequence

import msgspec
from imagined_app import ImaginedApp

from muster_exploration.tour_rounds import Moment, Progress, begin, record_tour, tour_input
from muster_protocol.explorations import EXPLORATION_POLICIES
from muster_protocol.requests import Exploration

HOST = "http://app.test"
Links = Mapping[str, Sequence[str]]


def site(pages: int, seed: int) -> Links:
    """Return a site: a tree of numbered pages with links across, and an endless list that leads nowhere else."""
    dice = random.Random(seed)
    links: dict[str, list[str]] = {"/": ["/p/0", "/list/1"]}
    for number in range(pages):
        children = [child for child in (3 * number + 1, 3 * number + 2, 3 * number + 3) if child < pages]
        across = dice.sample(range(pages), min(3, pages))
        links[f"/p/{number}"] = [f"/p/{to}" for to in dict.fromkeys((*children, *across))] + ["/"]
    links |= {f"/list/{number}": [f"/list/{number + 1}", "/"] for number in range(1, 100_000 // 50)}
    return links


def explore(links: Links, job: Exploration) -> tuple[Progress, float, list[float]]:
    """Return an exploration to its end, the engine's seconds a move, and those of its first and last tenth."""
    app, progress, at = ImaginedApp(links), begin(), Moment(0.0, 0.0)
    took: list[float] = []
    while not progress.over:
        for number in [number for number, tour in progress.round.items() if tour.output is None]:
            began = time.perf_counter()
            tour = tour_input(progress, job, number, 0.0)
            spent = time.perf_counter() - began
            output = app.answer(tour)
            began = time.perf_counter()
            progress = record_tour(progress, job, number, output, at)
            took.append((spent + time.perf_counter() - began) / max(1, len(output.trials)))
    return progress, sum(took) / len(took), took


def crawl(links: Links, most: int) -> tuple[int, int]:
    """Return pages found and requests made by a plain crawler, which takes each address for a page of its own."""
    queue, known, asked = deque(["/"]), {"/"}, 0
    while queue and asked < most:
        asked += 1
        for to in links[queue.popleft()]:
            if to in links and to not in known:
                known.add(to)
                queue.append(to)
    return len(known), asked


def first_full(progress: Progress, wanted: int) -> str:
    """Return after how many moves all pages of the site were known."""
    known, seen = progress.map, {0}
    for number, edge in enumerate(known.edges, 1):
        seen.add(edge.target)
        if sum(known.states[one].address.startswith(f"{HOST}/p/") for one in seen if one >= 0) >= wanted:
            return f"{number:,}"
    return "never"


def main() -> None:
    """Print one row for each site and policy."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, action="append", help="sizes of sites; default: 20, 200 and 2000")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    print("pages  policy     found   false  moves to all  moves   ms a move (first, last tenth)  state, kB")
    for pages in wanted.pages or [20, 200, 2000]:
        links = site(pages, wanted.seed)
        for policy in EXPLORATION_POLICIES if pages < 2000 else ("bfs", "coverage"):
            job = Exploration(
                url=HOST,
                policy=(policy,),
                goal="never",
                focus="p",
                max_steps=1_000_000,
                instances=10_000,
                seed=wanted.seed,
            )
            progress, mean, took = explore(links, job)
            addresses = [state.address.removeprefix(HOST) for state in progress.map.states]
            found = sum(address.startswith("/p/") for address in addresses)
            false = max(0, len(addresses) - found - 2)  # the start, and one page of the list
            tenth = max(1, len(took) // 10)
            early, late = (sum(part) / tenth * 1000 for part in (took[:tenth], took[-tenth:]))
            size = len(msgspec.json.encode(progress)) / 1000
            print(
                f"{pages:5,}  {policy:9}  {found / pages:5.1%}  {false / len(addresses):6.1%}  "
                f"{first_full(progress, pages):>12}  {len(progress.map.edges):5,}   "
                f"{mean * 1000:.2f} ({early:.2f}, {late:.2f})  {size:,.0f}"
            )
        known, asked = crawl(links, 10 * pages)
        print(f"{pages:5,}  a crawler that knows addresses alone: {known:,} pages after {asked:,} requests")


if __name__ == "__main__":
    main()

"""What a sub-task's way through log, queue, worker and journal costs, beside two floors in raw nats-py.

Rounds of A, B, product, each on a fresh server: one chain alone (latency), then many chains at once (throughput and
processor time). Machines differ and are shared, so what counts is the product's ratio to B within a round.
"""

import argparse
import asyncio
import sys
from typing import NamedTuple

import msgspec
from contenders import FLOOR_A, FLOOR_B, PRODUCT, Contender, fleet, measured, product_sizes
from figures import Figures, Round, figures, report, strays, table
from wire import Go

from muster_orchestrator.snapshots import MIN_SECONDS


class Loads(NamedTuple):
    """The two loads of a round."""

    alone: Go
    together: Go

    @property
    def warm_up(self) -> Go:
        """A short load that nobody measures."""
        return msgspec.structs.replace(self.alone, chain=20)


async def loads_for(alone: int, runs: int, chain: int) -> Loads:
    """Return the loads, with the sizes of what the product stores under them."""
    async with fleet(PRODUCT) as running:
        long, short = await product_sizes(running, alone), await product_sizes(running, chain)
    return Loads(Go(1, alone, long, MIN_SECONDS), Go(runs, chain, short, MIN_SECONDS))


async def contend(contender: Contender, loads: Loads) -> Figures:
    """Run both loads on one contender."""
    async with fleet(contender) as running:
        await measured(running, loads.warm_up)
        alone = await measured(running, loads.alone)
        together = await measured(running, loads.together)
    return figures(alone, together, loads.together.runs * loads.together.chain)


async def rounds(count: int, loads: Loads) -> list[Round]:
    """Return what came of each round, told on stderr as it ends."""
    found: list[Round] = []
    for number in range(1, count + 1):
        a, b, product = [await contend(contender, loads) for contender in (FLOOR_A, FLOOR_B, PRODUCT)]
        found.append(Round(a, b, product))
        told = f"latency {found[-1].latency:.2f}x B, throughput {found[-1].throughput:.2f}x B"
        print(f"round {number}/{count}: {told}", file=sys.stderr)
    return found


def main() -> None:
    """Print the table, or JSON; exit 1 if floor B does not make the writes that the product makes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--alone", type=int, default=300, help="sub-tasks of the chain that runs alone")
    parser.add_argument("--runs", type=int, default=64, help="chains at once")
    parser.add_argument("--chain", type=int, default=50, help="sub-tasks of each of them")
    parser.add_argument("--json", action="store_true", help="every round as JSON")
    asked = parser.parse_args()

    async def work() -> list[Round]:
        return await rounds(asked.rounds, await loads_for(asked.alone, asked.runs, asked.chain))

    done = asyncio.run(work())
    print(msgspec.json.encode(report(done)).decode() if asked.json else table(done))
    different = [difference for each in done for difference in strays(each)]
    if different:
        sys.exit(f"floor B does not store what the product stores, so the ratios mean nothing: {different[0]}")


if __name__ == "__main__":
    main()

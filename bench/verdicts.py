"""The mutation bench: are verdicts true? The demo shop with one fault at a time, and that fault's case run against it.

Every case of `bench/cases` has to pass on the healthy shop, `--rounds` times, and once on a slow one; each fault of the
shop has a case that has to fail on it, with the right cause. Exits 1 if a goal is missed: no false pass, at most 2 %
false fails, at least 95 % of the causes right. Traces and HARs are not recorded.
"""

import os
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from mutants import HARMLESS, MUTANTS
from scoring import Trial
from trials import Bench, Options, only, parser, run_trials

from muster_cases.case_loader import load_paths
from muster_cli.shop import demo_shop

ROOT = Path(__file__).parents[1]
CASES = ROOT / "bench/cases"
SHOP = ROOT / "examples/shop/server.py"
PASSWORD = "swordfish"


def trials(rounds: int) -> list[Trial]:
    """Return what has to pass, on the healthy shop so many times, and the mutants."""
    names = [case.request.job.name for case in load_paths([CASES])]
    sound = [Trial(name, bug) for bug in (*("",) * rounds, *HARMLESS) for name in names]
    return [*sound, *(Trial(mutant.case, mutant.bug, mutant.cause) for mutant in MUTANTS)]


def serve(trial: Trial) -> AbstractAsyncContextManager[str]:
    """Serve the shop with the fault of a trial."""
    return demo_shop(SHOP, {**os.environ, "SHOP_PASSWORD": PASSWORD}, trial.bug)


def main() -> int:
    """Run what was chosen and return the exit code."""
    arguments = parser(__doc__ or "")
    arguments.add_argument("--rounds", type=int, default=3, help="runs of all cases on the healthy shop (default 3)")
    given = arguments.parse_args()
    bench = Bench(CASES, serve, {"SECRET_SHOP_PASSWORD": PASSWORD})
    return run_trials(bench, only(trials(given.rounds), given.only), Options(given.by, given.at_once, given.json))


if __name__ == "__main__":
    sys.exit(main())

"""What critic, validator, recovery rules, second plans, checkpoints and the element detector change.

The same trials of the mutation bench with each of them on and off. A scripted honest model carries out the steps
(`oracle.py`); its critic approves each plan. The detector's trials (`drawn.py`) are clicks on what only a picture
shows, by phrases, first without it. Prints false passes, false fails, model calls, tokens and seconds beside
each other. Exits 1 if there is a false pass in any of them.
"""

import asyncio
import sys
from collections.abc import Sequence
from typing import NamedTuple

from drawn import CASES as DRAWN_CASES
from drawn import eyes
from drawn import serve as serve_drawn
from drawn import trials as drawn_trials
from oracle import model_server
from scoring import Result, score
from trials import Bench, Options, measure, only
from trials import parser as parser_of_trials
from verdicts import CASES, PASSWORD, serve, trials

PLANS = {"ORCHESTRATOR_REPLAN": "1", "ORCHESTRATOR_CHECKPOINTS": "1"}
ON = {"ORCHESTRATOR_CRITIC": "1", "ORCHESTRATOR_VALIDATOR": "1", "ORCHESTRATOR_RECOVER_BY_RULE": "1", **PLANS}
MODES: dict[str, dict[str, str]] = {
    "off": {},
    "critic": {"ORCHESTRATOR_CRITIC": "1"},
    "validator": {"ORCHESTRATOR_VALIDATOR": "1"},
    "recovery": {"ORCHESTRATOR_RECOVER_BY_RULE": "1"},
    "plans": PLANS,
    "all": ON,
}
DETECTOR = "detector"
"""The mode with trials of its own."""
DEFAULT = "adds up"
"""What is run unless told otherwise: a case of four steps, its 12 faults and the healthy shop."""


class Row(NamedTuple):
    """What a mode came to."""

    mode: str
    runs: int
    false_passes: int
    false_fails: int
    causes_right: int
    model_calls: int
    tokens: int
    seconds: float
    """Of all runs together."""


def row_of(mode: str, results: Sequence[Result]) -> Row:
    """Return what the results of a mode come to. Pure."""
    total = score(results)
    spent = [result.verdict.usage for result in results if result.verdict]
    return Row(
        mode=mode,
        runs=len(results),
        false_passes=total.false_passes,
        false_fails=total.false_fails,
        causes_right=total.causes_right,
        model_calls=sum(usage.model_calls for usage in spent),
        tokens=sum(usage.tokens for usage in spent),
        seconds=sum(result.seconds for result in results),
    )


def _detected(model: str, at_once: int) -> list[Row]:
    """Run the trials of the detector without and with a model for pictures."""
    known = {"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "key", "SUB_AGENT_MODEL": "oracle", "RECORDINGS": "off"}
    rows: list[Row] = []
    for mode, more in (("drawn, off", {}), (f"drawn, {DETECTOR}", {"VISION_MODEL": "eyes"})):
        bench = Bench(DRAWN_CASES, serve_drawn, fleet_environ={**known, **more})
        rows.append(row_of(mode, asyncio.run(measure(bench, drawn_trials(), Options("phrases", at_once), model))))
    return rows


def main() -> int:
    """Run what was chosen in each mode, print the table and return the exit code."""
    arguments = parser_of_trials(__doc__ or "")
    arguments.set_defaults(by="model", only=DEFAULT, at_once=2)
    arguments.add_argument("--modes", default=",".join((*MODES, DETECTOR)), help="of: %(default)s")
    given = arguments.parse_args()
    options, every = Options(given.by, given.at_once), only(trials(1), given.only)
    rows: list[Row] = []
    try:
        with model_server(eyes) as model:
            for mode in given.modes.split(","):
                if mode == DETECTOR:
                    rows += _detected(model.url, given.at_once)
                    continue
                bench = Bench(CASES, serve, {"SECRET_SHOP_PASSWORD": PASSWORD}, fleet_environ=MODES[mode])
                rows.append(row_of(mode, asyncio.run(measure(bench, every, options, model.url))))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return 130
    print("\t".join(Row._fields))
    for row in rows:
        print("\t".join(f"{value:.1f}" if isinstance(value, float) else str(value) for value in row))
    return int(any(row.false_passes for row in rows))


if __name__ == "__main__":
    sys.exit(main())

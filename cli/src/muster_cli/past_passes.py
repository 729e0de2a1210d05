"""Settles by earlier runs whether the case or the product is wrong, where one run leaves that open."""

from collections.abc import Sequence

from msgspec.structs import replace
from nats.errors import Error as NatsError

from muster_bus import Bus, Rows
from muster_bus.run_store import find_request
from muster_protocol.errors import BusError
from muster_protocol.estimates import PastCosts
from muster_protocol.requests import TestCase
from muster_text.clauses import literals
from muster_text.cost_estimates import rest_key
from muster_text.text_match import plain
from muster_views.outcome import CaseOutcome


async def settle_doubts(bus: Bus, outcomes: Sequence[CaseOutcome]) -> list[CaseOutcome]:
    """Return the outcomes; what had passed with the same words before fails by the product, and is in doubt no more.

    What cannot be read stays in doubt.
    """
    return [replace(it, doubtful=False) if it.doubtful and await _had_passed(bus, it) else it for it in outcomes]


async def _had_passed(bus: Bus, outcome: CaseOutcome) -> bool:
    try:
        request = await find_request(bus, outcome.run)
        case = request.job if request else None
        if not isinstance(case, TestCase) or not names_itself(case, outcome):
            return False
        past = await Rows(bus, "COSTS", PastCosts).get(rest_key(case))
    except (BusError, NatsError, TimeoutError):
        return False
    return past is not None and bool(past.samples)  # only a run whose steps all passed adds to this row


def names_itself(case: TestCase, outcome: CaseOutcome) -> bool:
    """Return whether a case's own words give the missing names; variables differ from run to run. Pure."""
    results = outcome.verdict.results if outcome.verdict else ()
    missing = {plain(name) for it in results if it.status == "fail" for name in literals(it.expected)}
    own = {plain(name) for step in case.steps for name in literals(f"{step.action}\n{step.expected}")}
    return missing <= own

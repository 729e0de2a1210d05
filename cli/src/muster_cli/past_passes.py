"""Decides by earlier runs whether the case or the product is wrong, if one run leaves that open."""

from msgspec.structs import replace

from muster_bus import Bus, Rows
from muster_bus.store_answers import BUS_ERRORS
from muster_protocol.estimates import PastCosts
from muster_protocol.requests import RunRequest, TestCase
from muster_text.clauses import literals
from muster_text.cost_estimates import rest_key
from muster_text.text_match import plain
from muster_views.outcome import CaseOutcome


async def settle_doubt(bus: Bus, outcome: CaseOutcome, request: RunRequest) -> CaseOutcome:
    """Return a run's outcome, in doubt no more if its case had passed with the same words before.

    If that cannot be read, the doubt stays.
    """
    settled = outcome.doubtful and isinstance(request.job, TestCase) and await _had_passed(bus, request.job, outcome)
    return replace(outcome, doubtful=False) if settled else outcome


async def _had_passed(bus: Bus, case: TestCase, outcome: CaseOutcome) -> bool:
    if not _names_itself(case, outcome):
        return False
    try:
        past = await Rows(bus, "COSTS", PastCosts).get(rest_key(case))
    except BUS_ERRORS:
        return False
    return past is not None and bool(past.samples)  # only a run whose steps all passed adds to this row


def _names_itself(case: TestCase, outcome: CaseOutcome) -> bool:
    """Return whether a case's own words give the missing names; variables differ from run to run. Pure."""
    results = outcome.verdict.results if outcome.verdict else ()
    missing = {plain(name) for it in results if it.status == "fail" for name in literals(it.expected)}
    own = {plain(name) for step in case.steps for name in literals(f"{step.action}\n{step.expected}")}
    return missing <= own

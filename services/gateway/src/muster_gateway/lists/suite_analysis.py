"""HTTP routes for the health of tests: which are flaky or broken, and which fails belong together."""

import asyncio
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from muster_gateway.context import Gateway
from muster_gateway.description import fleet_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.problem_details import Refusal
from muster_gateway.security.access_roles import VIEWER
from muster_views.suite_health import SuiteHealth

DESCRIPTION = (
    "From the newest 60 judged runs of each test: `healthy`, `flaky`, `broken` (with the run since which it fails) or "
    "`unknown`, if there are too few runs to tell; `sure` is how probable that is. Fails with the same cause, message, "
    "clause, page and request, numbers and ids aside, are one cluster."
)


@get(
    "/suites/{suite:str}/analysis",
    opt=VIEWER,
    operation_id="analyseSuite",
    summary="Show which tests of a suite can be trusted",
    description=f"{DESCRIPTION} For a suite with a slash in its name, use `/suites/analysis?suite=`.",
    responses=success(SuiteHealth, 200, "The health of its tests", documented.ANALYSIS) | failures(400, 404, 503),
)
async def analyse_suite(gateway: NamedDependency[Gateway], suite: FromPath[str]) -> SuiteHealth:
    """Return the health of a suite's tests."""
    return await _analyse(gateway, suite)


@get(
    "/suites/analysis",
    opt=VIEWER,
    operation_id="analyseSuiteOfAnyName",
    summary="Show which tests can be trusted",
    description=DESCRIPTION,
    responses=success(SuiteHealth, 200, "The health of the tests", documented.ANALYSIS) | failures(400, 404, 503),
)
async def analyse_suites(
    gateway: NamedDependency[Gateway],
    suite: Annotated[str, QueryParameter(description="Name of the suite; empty: all tests")] = "",
) -> SuiteHealth:
    """Return the health of the tests of one suite, or of all."""
    return await _analyse(gateway, suite)


async def _analyse(gateway: Gateway, suite: str) -> SuiteHealth:
    gateway.require_bus()
    rows = [row for row in await gateway.listing.all() if not suite or row.suite == suite]
    if suite and not rows:
        raise Refusal(404, f"suite {suite!r} has no runs; GET /suites lists all suites")
    async with gateway.reporting:
        return await asyncio.to_thread(gateway.analyst(suite).analyse, rows)


HANDLERS = (analyse_suite, analyse_suites)

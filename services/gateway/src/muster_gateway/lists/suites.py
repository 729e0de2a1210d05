"""HTTP route for suites: the status of the newest run of each case."""

from collections.abc import Iterable

from litestar import get
from litestar.di import NamedDependency

from muster_client.steering import newest_runs
from muster_gateway.context import Gateway
from muster_gateway.description import fleet_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.fleet.views import SuiteList, SuiteView
from muster_gateway.lists.run_list import sort_key
from muster_gateway.security.access_roles import VIEWER
from muster_protocol.logs import RunRow
from muster_protocol.requests import OVER, TESTED


@get(
    "/suites",
    opt=VIEWER,
    operation_id="listSuites",
    summary="List suites",
    description="Runs with the same suite and name belong to one case; only the newest run of each case counts. The "
    "suite that ran last comes first; runs without a suite have the empty name.",
    responses=success(SuiteList, 200, "The suites", documented.SUITES) | failures(503),
)
async def list_suites(gateway: NamedDependency[Gateway]) -> SuiteList:
    """Return all suites."""
    gateway.require_bus()
    return SuiteList(suites=view_suites(await gateway.listing.all()))


def view_suites(rows: Iterable[RunRow]) -> tuple[SuiteView, ...]:
    """Return the suites of rows, most recent run first; jobs that are no tests do not count. Pure."""
    rows = [row for row in rows if not row.job and (row.status not in OVER or row.status in TESTED)]
    newest: dict[str, list[RunRow]] = {}
    for row in newest_runs(rows):
        newest.setdefault(row.suite, []).append(row)
    every: dict[str, int] = {}
    for row in rows:
        every[row.suite] = every.get(row.suite, 0) + 1
    found = [_view_suite(name, cases, every[name]) for name, cases in newest.items()]
    return tuple(sorted(found, key=lambda suite: sort_key(suite.newest), reverse=True))


def _view_suite(name: str, cases: list[RunRow], runs: int) -> SuiteView:
    states = [row.status for row in cases]
    passed, failed = states.count("pass"), states.count("fail")
    return SuiteView(
        name=name,
        runs=runs,
        cases=len(cases),
        passed=passed,
        failed=failed,
        running=len(cases) - passed - failed,
        newest=max(cases, key=sort_key),
    )


HANDLERS = (list_suites,)

"""Where a run failed: clause, page and request, without what varies."""

from typing import Any

import pytest

from muster_protocol.causes import Cause
from muster_protocol.facts import Evidence
from muster_protocol.kinds import StepOutput
from muster_protocol.logs import FailureSite
from muster_protocol.tasks import SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_views.failure_signatures import site_of


def failed(*evidence: Evidence, **more: Any) -> Verdict:
    result = SubTaskResult(
        task="run-1.n2.1", node="n2", attempt=1, status="fail", summary="", output=StepOutput(evidence=evidence)
    )
    fields: dict[str, Any] = {"cause": Cause.PRODUCT, "failed_node": "n2", "results": (result,), **more}
    return Verdict(run="run-1", name="Buy", status="fail", **fields)


def look(clause: str, *, passed: bool = False, where: str = "", **more: Any) -> Evidence:
    return Evidence(clause=clause, check="check_text", call=0, passed=passed, where=where, **more)


@pytest.mark.parametrize(
    ("verdict", "site"),
    [
        (
            failed(look("The title is Shop", passed=True), look('"Total" is "$59.98"', where="http://s:1/cart/17?q=1")),
            FailureSite(clause='"Total" is "$#"', page="/cart/#"),
        ),
        (
            failed(look("The response is 201", where="http://s:1/api/orders/9f86d081884c7d65", about="status")),
            FailureSite(clause="The response is #", request="/api/orders/#"),
        ),
        (
            failed(look("A is visible"), look("A is visible", passed=True), expected="B", where="https://s"),
            FailureSite(clause="B", page="/"),
        ),
        (failed(where="the shell", expected="exit code 0"), FailureSite(clause="exit code #")),
        (failed(where="http://[::1/cart"), None),
        (failed(), None),
        (Verdict(run="run-1", name="Buy", status="pass", where="http://s/cart"), None),
    ],
)
def test_a_fail_is_known_by_what_was_refuted_and_where(verdict: Verdict, site: FailureSite | None):
    assert site_of(verdict) == site

"""A name that nothing on the page has: the product's fault, if the case had passed with the same words before."""

import pytest

from muster_bus import Bus, Rows
from muster_cli.past_passes import settle_doubt
from muster_protocol.causes import Cause, Failure
from muster_protocol.estimates import PastCosts
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_protocol.verdicts import Verdict
from muster_text.cost_estimates import rest_key, step_keys
from muster_views.outcome import CaseOutcome

BUY = TestCase(name="Buy", steps=(Step(action='Click the "Buy" button', expected='The text "Thanks" is visible'),))
RENAMED = TestCase(name="Buy", steps=(Step(action='Click the "Buy now" button', expected=BUY.steps[0].expected),))
VARIABLE = TestCase(name="Buy", variables={"b": "Buy"}, steps=(Step(action='Click the "{b}" button', expected="Sold"),))


def fail_without_the_button(case: TestCase) -> CaseOutcome:
    """Return the outcome of a run of the case that failed as nothing is called "Buy": it is in doubt."""
    result = SubTaskResult(
        task="run-1.n0.1", node="n0", attempt=1, status="fail", summary="nothing is called so",
        failure=Failure.NAME_UNKNOWN, expected='button "Buy"',
    )  # fmt: skip
    verdict = Verdict(run="run-1", name=case.name, status="fail", cause=Cause.PRODUCT, results=(result,))
    return CaseOutcome(label="buy", name=case.name, run="run-1", verdict=verdict, doubtful=True)


@pytest.mark.parametrize(
    ("case", "key", "doubtful"),
    [
        pytest.param(BUY, rest_key(BUY), False, id="it passed before"),
        pytest.param(BUY, "", True, id="it never ran"),
        pytest.param(BUY, step_keys(BUY)[0], True, id="only one like its step passed, maybe of another app"),
        pytest.param(BUY, rest_key(RENAMED), True, id="it passed before its words changed"),
        pytest.param(VARIABLE, rest_key(VARIABLE), True, id="it passed, maybe with another value"),
    ],
)
async def test_a_pass_with_the_same_words_takes_the_doubt_away(bus: Bus, case: TestCase, key: str, *, doubtful: bool):
    if key:
        await Rows(bus, "COSTS", PastCosts).put(key, PastCosts(key=key, samples=(Usage(seconds=1.0),)))
    settled = await settle_doubt(bus, fail_without_the_button(case), RunRequest(id="run-1", job=case))
    assert settled.doubtful == doubtful


async def test_what_is_in_no_doubt_or_cannot_be_read_stays_as_it_is(bus: Bus):
    request, unknown = RunRequest(id="run-1", job=BUY), fail_without_the_button(BUY)
    sure = CaseOutcome(label="a", name="a", run="run-2", doubtful=False)
    assert await settle_doubt(bus, sure, request) == sure
    await bus.js.delete_stream("KV_COSTS")
    assert await settle_doubt(bus, unknown, request) == unknown

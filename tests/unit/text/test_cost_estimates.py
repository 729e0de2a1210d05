"""Estimates from what the same steps came to before."""

import msgspec

from muster_protocol.estimates import PastCosts
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.requests import Assignment, Step, TestCase
from muster_protocol.tasks import SubTaskResult
from muster_protocol.tool_calls import Usage
from muster_text.cost_estimates import (
    KEPT,
    assignment_keys,
    cost_samples,
    estimate_assignment,
    estimate_case,
    rest_key,
    step_keys,
    with_sample,
)

CASE = TestCase(name="Buy", steps=(Step(action="Open it"), Step(action="Buy it", expected="It is bought")))
PLAN = Plan(
    nodes=(
        PlanNode(id="a", covers=(0,), description="Open it"),
        PlanNode(id="b", covers=(1,), description="Put it into the cart"),
        PlanNode(id="c", covers=(1,), description="Pay"),
    )
)


def used(seconds: float, tokens: int = 0, cost: float = 0.0) -> Usage:
    return Usage(seconds=seconds, input_tokens=tokens, cost=cost, model_calls=bool(tokens))


def result(node: str, usage: Usage, status: str = "pass") -> SubTaskResult:
    return SubTaskResult(task=f"r.{node}.1", node=node, attempt=1, status=status, summary="", usage=usage)  # type: ignore[arg-type]


RESULTS = (result("a", used(1)), result("b", used(2, 100, 0.1)), result("c", used(3, 200, 0.2)))
TOTAL = used(0, 350, 0.35)


def past(*runs: dict[str, Usage]) -> dict[str, PastCosts]:
    rows: dict[str, PastCosts] = {}
    for run in runs:
        for key, sample in run.items():
            rows[key] = with_sample(rows.get(key, PastCosts(key=key)), sample) or rows[key]
    return rows


def test_a_step_that_was_split_came_to_all_of_its_parts_and_the_rest_is_what_no_step_used():
    samples = cost_samples(CASE, PLAN, RESULTS, TOTAL, seconds=10)
    opened, bought = (samples[key] for key in step_keys(CASE))
    rest = samples[rest_key(CASE)]
    assert (opened.seconds, bought.seconds, bought.input_tokens) == (1, 5, 300)
    assert (rest.seconds, rest.input_tokens, round(rest.cost, 6)) == (4, 50, 0.05)


def test_what_did_not_pass_tells_nothing_of_its_step_or_of_the_rest():
    failed = (*RESULTS[:2], result("c", used(3, 200), "fail"))
    assert cost_samples(CASE, PLAN, failed, TOTAL, seconds=10).keys() == {step_keys(CASE)[0]}


def test_an_estimate_is_the_sum_of_medians_over_the_known_steps():
    runs = [{step_keys(CASE)[1]: used(seconds, 100, cost)} for seconds, cost in ((1, 0.1), (9, 0.3), (2, 0.2))]
    estimate = estimate_case(CASE, past(*runs))
    assert (estimate.usage.seconds, estimate.usage.input_tokens, estimate.usage.cost) == (2, 100, 0.2)
    assert (estimate.unknown, estimate.samples, estimate.rest_known, estimate.unpriced) == ((1,), 3, False, False)


def test_nothing_is_estimated_from_nothing():
    estimate = estimate_case(CASE, {})
    assert (estimate.usage, estimate.unknown, estimate.samples) == (Usage(), (1, 2), 0)


def test_tokens_without_a_price_make_the_cost_unknown():
    assert estimate_case(CASE, past({step_keys(CASE)[0]: used(1, 100)})).unpriced


def test_sessions_that_work_at_the_same_time_count_once():
    case = TestCase(name="Two", steps=(Step(action="A", session="ann"), Step(action="B", session="ben")))
    estimate = estimate_case(case, past(dict(zip(step_keys(case), (used(3), used(5)), strict=True))))
    assert estimate.usage.seconds == 5


def test_another_word_or_device_is_another_step():
    other = TestCase(name="Buy", steps=(Step(action="Open it!"), Step(action="Buy it", expected="It is paid")))
    assert not set(step_keys(CASE)) & set(step_keys(other))


def test_only_the_newest_samples_are_kept_and_what_tells_nothing_new_is_not_written():
    row = PastCosts(key="k")
    for seconds in range(1, KEPT + 3):
        row = with_sample(row, used(seconds * 10.0)) or row
    assert [sample.seconds for sample in row.samples] == [30, 40, 50, 60, 70]
    assert with_sample(row, used(51)) is None


def test_a_goal_is_estimated_by_itself_or_else_by_what_its_agent_came_to():
    goal = Assignment(goal="Find the error", agent="researcher", workspace="shop")
    own, agents = assignment_keys(goal)
    other = msgspec.structs.replace(goal, goal="Find the cause")
    assert assignment_keys(other)[1] == agents
    assert assignment_keys(other)[0] != own
    past = {
        own: PastCosts(key=own, samples=(Usage(seconds=3.0, cost=0.1),)),
        agents: PastCosts(key=agents, samples=(Usage(seconds=9.0, cost=0.2), Usage(seconds=9.0, cost=0.2))),
    }
    known, guessed, unknown = (
        estimate_assignment(goal, past),
        estimate_assignment(other, past),
        estimate_assignment(other, {}),
    )
    assert (known.usage.seconds, known.samples, known.same_goal) == (3.0, 1, True)
    assert (guessed.usage.seconds, guessed.samples, guessed.same_goal) == (9.0, 2, False)
    assert unknown.samples == 0

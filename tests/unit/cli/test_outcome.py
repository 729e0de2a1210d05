"""Exit codes and totals."""

from collections.abc import Callable
from itertools import product

import pytest
from msgspec.structs import replace

from muster_cli.case_jobs import Job
from muster_cli.subcommands.health import print_health
from muster_cli.table import failure_text
from muster_protocol.causes import Cause, Failure
from muster_protocol.events import PlanMade, VerdictReached
from muster_protocol.plans import Plan, PlanNode
from muster_protocol.tasks import ResultStatus, SubTaskResult
from muster_protocol.verdicts import Verdict
from muster_views.history import History, fold_events
from muster_views.outcome import CaseOutcome, build_outcome, build_report, count_totals, exit_code, with_quarantine
from muster_views.suite_health import CaseHealth, SuiteHealth
from muster_views.summaries import describe_failure


def outcome(end: Cause | str | None) -> CaseOutcome:
    """Return an outcome: None passed, "none" has no verdict, "uncaused" failed without a cause, "doubt" by a name."""
    if end == "none":
        return CaseOutcome(label="a", name="A", run="r")
    cause = end if isinstance(end, Cause) else Cause.PRODUCT if end == "doubt" else None
    verdict = Verdict(run="r", name="A", status="fail" if end else "pass", cause=cause)
    return CaseOutcome(label="a", name="A", run="r", verdict=verdict, doubtful=end == "doubt")


def ended(verdict: Verdict, *nodes: PlanNode) -> History:
    """Return a run with a plan of these nodes and a verdict."""
    return fold_events([(1.0, PlanMade(plan=Plan(nodes=nodes))), (2.0, VerdictReached(verdict=verdict))], "r")


@pytest.mark.parametrize(
    ("ends", "code"),
    [
        ([None, None], 0),
        ([None, Cause.PRODUCT], 1),
        ([Cause.ENVIRONMENT, Cause.PRODUCT, Cause.AGENT, "none"], 1),
        ([None, Cause.ENVIRONMENT], 3),
        ([None, Cause.AGENT], 3),
        ([None, Cause.CANCELLED], 3),
        ([None, "none"], 3),
        ([None, "uncaused"], 3),
        ([None, "doubt"], 5),
        (["doubt", Cause.AGENT], 5),
        (["doubt", Cause.PRODUCT], 1),
    ],
)
def test_the_exit_code_follows_from_the_causes(ends: list[Cause | str | None], code: int):
    assert exit_code([outcome(end) for end in ends]) == code


def test_an_interruption_wins_over_every_cause():
    assert exit_code([outcome(Cause.PRODUCT)], "interrupted") == 130


def test_the_exit_code_is_zero_only_if_every_run_passed():
    ends = [None, *Cause, "none", "uncaused"]
    for pair in product(ends, ends):
        assert (exit_code([outcome(end) for end in pair]) == 0) == (pair == (None, None))


@pytest.mark.parametrize(
    ("ends", "flaky", "code", "left_out"),
    [
        ([None, Cause.PRODUCT], {"r1"}, 0, ("r1",)),
        ([Cause.PRODUCT, Cause.PRODUCT], {"r1"}, 1, ("r1",)),
        ([None, Cause.ENVIRONMENT], {"r1"}, 3, ()),
        ([None, "none"], {"r0", "r1"}, 3, ()),
        ([Cause.CANCELLED, Cause.PRODUCT], {"r1"}, 3, ("r1",)),
    ],
)
def test_what_the_product_does_wrong_in_flaky_tests_alone_is_left_out(
    ends: list[Cause | str | None], flaky: set[str], code: int, left_out: tuple[str, ...]
):
    runs = [replace(outcome(end), run=f"r{number}") for number, end in enumerate(ends)]
    report = with_quarantine(build_report(runs, "", 0.0, 1.0), flaky)
    assert (report.exit_code, report.quarantined, len(report.runs)) == (code, left_out, len(ends))


def test_an_interruption_wins_over_a_quarantine():
    assert with_quarantine(build_report([outcome(Cause.PRODUCT)], "interrupted", 0.0, 1.0), {"r"}).exit_code == 130


def test_totals_add_up():
    counted = count_totals([outcome(end) for end in (None, Cause.PRODUCT, Cause.CANCELLED, "none", "uncaused")])
    assert (counted.runs, counted.passed, counted.failed, counted.without_verdict) == (5, 1, 3, 1)
    assert counted.product + counted.environment + counted.agent + counted.cancelled == counted.failed


def test_the_failed_step_is_named_with_its_line(make_job: Callable[..., Job]):
    node = PlanNode(id="s1", description='Click "Buy"', covers=(1,))
    verdict = Verdict(run="r", name="A", status="fail", cause=Cause.PRODUCT, failed_node="s1")
    job = make_job("a")
    found = build_outcome(ended(verdict, node), "a", job.place)
    assert (found.step, found.step_line) == ('step 2: Click "Buy"', 5)


@pytest.mark.parametrize(
    ("before", "failure", "missing", "doubtful"),
    [
        ("Open the shop", Failure.NAME_UNKNOWN, 'button "Buy"', True),
        ('Type "buy" into "Search"', Failure.NAME_UNKNOWN, 'button "Buy"', False),
        ('Click "Buy now"', Failure.NAME_UNKNOWN, 'button "Buy"', True),
        ("Open the shop", Failure.NAME_UNKNOWN, "the search field", True),
        ("Open the shop", Failure.ELEMENT_MISSING, 'button "Buy"', False),
        ("Open the shop", None, 'button "Buy"', False),
    ],
)
def test_a_name_that_nothing_had_may_be_the_cases_mistake(
    before: str, failure: Failure | None, missing: str, *, doubtful: bool
):
    nodes = (PlanNode(id="s1", description=before), PlanNode(id="s2", description='Click "Buy"'))
    passed = SubTaskResult(task="r.s1.1", node="s1", attempt=1, status="pass", summary="done")
    failed = replace(passed, task="r.s2.1", node="s2", status="fail", failure=failure, expected=missing)
    verdict = Verdict(run="r", name="A", status="fail", cause=Cause.PRODUCT, failed_node="s2")
    found = build_outcome(ended(replace(verdict, results=(passed, failed)), *nodes))
    assert found.doubtful == doubtful
    assert ("the case or the product" in failure_text(found).plain) == doubtful


@pytest.mark.parametrize(
    ("node", "step"),
    [
        (PlanNode(id="p", description="The shop is open", precondition=True), "precondition: The shop is open"),
        (PlanNode(id="p", description="Log in again"), "sub-task 4: Log in again"),
    ],
)
def test_what_is_no_written_step_is_named_for_what_it_is(node: PlanNode, step: str):
    verdict = Verdict(run="r", name="A", status="fail", failed_node="p")
    before = tuple(PlanNode(id=f"n{number}", description="before") for number in range(3))
    assert build_outcome(ended(verdict, *before, node)).step == step


def test_all_fails_of_a_case_that_goes_on_are_told():
    nodes = tuple(PlanNode(id=f"step-{n}", description=f"Do {n}", covers=(n - 1,)) for n in (1, 2, 3))
    ends: tuple[tuple[int, ResultStatus], ...] = ((1, "fail"), (2, "pass"), (3, "fail"))
    results = tuple(
        SubTaskResult(task=f"r.step-{n}.1", node=f"step-{n}", attempt=1, status=status, summary=f"result {n}")
        for n, status in ends
    )
    verdict = Verdict(run="r", name="A", status="fail", failed_node="step-1", results=results)
    found = build_outcome(ended(verdict, *nodes))

    assert found.step == "step 1: Do 1"
    assert found.also_failed == ("step 3: Do 3: result 3",)
    assert ("also", "step 3: Do 3: result 3") in describe_failure(found)


def test_a_fleet_without_runs_of_tests_says_so_in_place_of_a_count(capsys: pytest.CaptureFixture[str]):
    print_health(SuiteHealth(cases=(), clusters=()), healthy=False, limit=100)
    assert capsys.readouterr().out == "no test has run yet\n"


def test_the_health_of_thousands_of_tests_lists_the_worst_and_counts_the_rest(capsys: pytest.CaptureFixture[str]):
    cases = tuple(CaseHealth(name=f"Test {it}", health="unknown", runs=1, newest="r") for it in range(3_000))
    print_health(SuiteHealth(cases=cases, clusters=()), healthy=False, limit=100)
    printed = capsys.readouterr().out

    assert printed.count("Test ") == 100
    assert "and 2,900 more: `--limit` lists more of them, `--json` all\n0 of 3000 tests are healthy" in printed

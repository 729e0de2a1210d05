"""Exit codes and totals."""

from collections.abc import Callable
from itertools import product

import pytest

from muster_cli.jobs import Job
from muster_cli.progress import RunView, SubTaskView
from muster_cli.run_outcome import CaseOutcome, case_outcome, exit_code, totals
from muster_protocol.causes import Cause
from muster_protocol.verdicts import Verdict


def outcome(end: Cause | str | None) -> CaseOutcome:
    """Return an outcome: None passed, "none" has no verdict, "uncaused" failed without a cause."""
    if end == "none":
        return CaseOutcome(label="a", name="A", run="r")
    cause = end if isinstance(end, Cause) else None
    verdict = Verdict(run="r", name="A", status="fail" if end else "pass", cause=cause)
    return CaseOutcome(label="a", name="A", run="r", verdict=verdict)


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


def test_totals_add_up():
    counted = totals([outcome(end) for end in (None, Cause.PRODUCT, Cause.CANCELLED, "none", "uncaused")])
    assert (counted.runs, counted.passed, counted.failed, counted.without_verdict) == (5, 1, 3, 1)
    assert counted.product + counted.environment + counted.agent + counted.cancelled == counted.failed


def test_the_failed_step_is_named_with_its_line(make_job: Callable[..., Job]):
    task = SubTaskView(node="s1", description='Click "Buy"', covers=(1,), position=3, total=3)
    verdict = Verdict(run="r", name="A", status="fail", cause=Cause.PRODUCT, failed_node="s1")
    view = RunView(run="r", label="a", sub_tasks=(task,), verdict=verdict)
    found = case_outcome(make_job("a"), view)
    assert (found.step, found.step_line) == ('step 2: Click "Buy"', 5)


@pytest.mark.parametrize(
    ("task", "step"),
    [
        (SubTaskView(node="p", description="The shop is open", precondition=True), "precondition: The shop is open"),
        (SubTaskView(node="p", description="Log in again", position=4), "sub-task 4: Log in again"),
    ],
)
def test_what_is_no_written_step_is_named_for_what_it_is(make_job: Callable[..., Job], task: SubTaskView, step: str):
    verdict = Verdict(run="r", name="A", status="fail", failed_node="p")
    assert case_outcome(make_job("a"), RunView(run="r", label="a", sub_tasks=(task,), verdict=verdict)).step == step

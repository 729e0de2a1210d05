"""What runs come to, by the rules of their jobs: kept for estimates, and estimated from."""

from delegated import assigned, ended
from driven import Driven, a_case

from muster_orchestrator.machine import Run, job_of
from muster_protocol.requests import Assignment, Drill, Job, RunRequest
from muster_text.cost_estimates import assignment_keys, rest_key, step_keys


def of(job: Job) -> Run:
    return Run(request=RunRequest(job=job))


def test_steps_that_passed_and_the_rest_of_a_case_have_costs_and_its_estimate_asks_for_these():
    case = a_case("", "")
    driven = Driven.planned(case).opens("main")
    for _ in case.steps:
        driven.ends(driven.open())
    keys = {*step_keys(case), rest_key(case)}

    assert driven.verdict.status == "pass"
    assert job_of(driven.run).costs(driven.run).keys() == keys == job_of(of(case)).cost_keys(of(case))
    estimate = job_of(of(case)).estimate(of(case), {})
    assert estimate is not None
    assert estimate.unknown == (1, 2)


def test_only_a_goal_that_was_reached_has_costs():
    reached, missed = assigned(), assigned()
    for driven, status in ((reached, "pass"), (missed, "fail")):
        driven.ends(driven.open(), ended(driven.open(), status))
    request = reached.run.request
    assert request is not None
    assert isinstance(request.job, Assignment)

    assert (reached.verdict.status, missed.verdict.status) == ("done", "failed")
    assert job_of(reached.run).costs(reached.run).keys() == set(assignment_keys(request.job))
    assert job_of(missed.run).costs(missed.run) == {}


def test_other_jobs_are_not_estimated():
    drill = of(Drill())
    assert (job_of(drill).cost_keys(drill), job_of(drill).estimate(drill, {})) == (frozenset(), None)

"""The rules of each job, and of a run by its job."""

from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.drill.drill_rules import DrillRules
from muster_orchestrator.machine.test_case.case_rules import TestCaseRules
from muster_orchestrator.machine.test_case.knowledge import all_values
from muster_orchestrator.machine.test_case.state import TestCaseState
from muster_protocol.requests import Drill, TestCase

JOBS: dict[type, Job] = {TestCase: TestCaseRules(), Drill: DrillRules()}


def values_in(run: Run) -> dict[str, str]:
    """Return the values of the placeholders in a run's texts, to show to people."""
    return all_values(run) if isinstance(run.job, TestCaseState) else {}


def job_of(run: Run) -> Job:
    """Return the rules of a run that has been opened."""
    assert run.request is not None
    return JOBS[type(run.request.job)]

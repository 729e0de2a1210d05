"""Jobs of the command line, as tests have them run."""

from collections.abc import Callable

import pytest

from muster_cases.case_loader import LoadedCase
from muster_cli.case_jobs import Job
from muster_protocol.requests import RunRequest, Step, TestCase


@pytest.fixture
def make_job() -> Callable[..., Job]:
    """Return a maker of jobs: name, and how the run is played."""

    def made(name: str, play: str = "pass", *, run: str = "", suite: str = "") -> Job:
        steps = (
            Step(action=f'Open the "{name}" page', expected='The text "Hello" is visible'),
            Step(action='Click "Buy"', expected='The text "Thanks" is visible'),
        )
        case = TestCase(name=f"Case {name}", steps=steps, variables={"play": play})
        request = RunRequest(job=case, id=run or f"run-{name}", suite=suite)
        return Job(name, LoadedCase(request, f"cases/{name}.yaml", 1, (3, 5)))

    return made

"""The rules of each job, and of a run by its job."""

from importlib import import_module
from typing import get_args

from muster_orchestrator.machine.core.commands import JobFile
from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.state import Run
from muster_orchestrator.machine.jobs.exploration.map_files import exploration_files, graph_row
from muster_orchestrator.machine.jobs.exploration.state import ExplorationState
from muster_orchestrator.machine.jobs.test_case.knowledge import all_values
from muster_orchestrator.machine.jobs.test_case.state import TestCaseState
from muster_protocol import requests
from muster_protocol.graphs import GraphRow


def _rules(tag: str) -> Job:
    return import_module(f"{__package__}.jobs.{tag}.{tag}_rules").RULES


JOBS: dict[type, Job] = {job: _rules(job.__struct_config__.tag) for job in get_args(requests.Job)}
"""Each job has its rules where its tag says: `jobs/<tag>/<tag>_rules.py`, as `RULES`."""


def values_in(run: Run) -> dict[str, str]:
    """Return the values of the placeholders in a run's texts, to show to people."""
    return all_values(run) if isinstance(run.job, TestCaseState) else {}


def files_of(run: Run) -> tuple[JobFile, ...]:
    """Return the files that a run's job leaves."""
    return exploration_files(run) if isinstance(run.job, ExplorationState) else ()


def graph_of(run: Run) -> GraphRow | None:
    """Return the row of the map among these files; None: there is none."""
    return graph_row(run) if isinstance(run.job, ExplorationState) else None


def job_of(run: Run) -> Job:
    """Return the rules of a run that has been opened."""
    assert run.request is not None
    return JOBS[type(run.request.job)]

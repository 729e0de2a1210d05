"""The rules of each job, and of a run by its job."""

from importlib import import_module
from typing import get_args

from muster_orchestrator.machine.core.job import Job
from muster_orchestrator.machine.core.state import Run
from muster_protocol import requests


def _rules(tag: str) -> Job:
    return import_module(f"{__package__}.jobs.{tag}.{tag}_rules").RULES


JOBS: dict[type, Job] = {job: _rules(job.__struct_config__.tag) for job in get_args(requests.Job)}
"""Each job has its rules where its tag says: `jobs/<tag>/<tag>_rules.py`, as `RULES`."""


def values_in(run: Run) -> dict[str, str]:
    """Return the values of the placeholders in a run's texts, to show to people."""
    return job_of(run).values(run) if run.request is not None else {}


def job_of(run: Run) -> Job:
    """Return the rules of a run by its request."""
    return JOBS[type(run.opened.job)]

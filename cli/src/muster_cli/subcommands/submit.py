"""`muster submit`: submits test cases to a running fleet."""

import asyncio
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from muster_authoring.own_cases import load_cases
from muster_bus import Bus
from muster_cli.app import client, console, perform, tell
from muster_cli.case_jobs import Job, as_batch, batch_of_jobs, make_jobs, parse_changes
from muster_cli.display import display
from muster_cli.options import APPROVE, JSON, MAX_COST, NATS, PATHS, WAIT, WAIT_TIMEOUT, example, selection
from muster_cli.report_writer import print_report
from muster_cli.runner import Options, run_jobs, submit_patiently
from muster_cli.stored_selection import is_name, load_selected
from muster_client.test_histories import read_history
from muster_protocol.requests import PRIORITIES, Priority
from muster_views.outcome import Report, with_quarantine
from muster_views.suite_health import analyse_case


@click.command(
    short_help="Submit test cases to a running fleet.",
    epilog=example(
        "muster submit cases/ --wait",
        "run=$(muster submit login.yaml --var base_url=http://127.0.0.1:8000) && muster watch $run",
        "muster submit TC_AUTH_01 suite:shop --wait",
        "muster submit cases/ --suite nightly --label branch=main --priority high",
    ),
)
@PATHS
@selection
@click.option("--priority", type=click.Choice(PRIORITIES), help="Overrides the priority of the cases.")
@MAX_COST
@APPROVE
@WAIT
@WAIT_TIMEOUT
@click.option(
    "--quarantine",
    is_flag=True,
    help="With --wait: show failures of flaky tests, but do not let them fail the command.",
)
@NATS
@JSON
def submit(
    *,
    paths: tuple[Path, ...],
    variables: tuple[str, ...],
    tags: tuple[str, ...],
    suite: str,
    labels: tuple[str, ...],
    priority: Priority | None,
    max_cost: float | None,
    approve_plan: bool,
    wait: bool,
    timeout: float,
    quarantine: bool,
    nats: str | None,
    as_json: bool,
) -> None:
    """Submit test cases to a running fleet and print their run ids, one per line. Several cases form a batch with an
    id.

    Files and folders are read as `muster run` does: YAML, Gherkin and Markdown. The name of a stored case (`muster
    cases list`) runs its newest version, and suite:NAME runs all stored cases of a suite. With --wait it shows them
    live, prints the verdicts and exits like `muster run`; interrupting it cancels them.
    """

    async def work() -> int:
        changes = parse_changes(variables, tags, suite, labels)._replace(max_cost=max_cost, approve_plan=approve_plan)
        checked = None if any(map(is_name, paths)) else make_jobs(load_cases(paths), changes)
        async with client(nats) as bus:
            jobs = checked or make_jobs(await load_selected(paths, bus), changes)
            jobs = [_with_priority(job, priority) for job in jobs] if priority else jobs
            how = Waiting(timeout, quarantine=quarantine) if wait else None
            return await submit_jobs(bus, as_batch(jobs), how, as_json=as_json)

    perform(work)


class Waiting(NamedTuple):
    """How jobs are waited for: so many seconds, and whether fails of flaky tests fail the command."""

    timeout: float
    quarantine: bool = False


async def submit_jobs(bus: Bus, jobs: list[Job], waiting: Waiting | None, *, as_json: bool) -> int:
    """Submit jobs and print their ids; or follow them and print their verdicts. Return the exit code."""
    if waiting is not None:
        async with display(console(stderr=as_json)) as shown:
            report = await run_jobs(bus, jobs, shown, Options(waiting.timeout))
        if waiting.quarantine:
            report = with_quarantine(report, await _flaky_runs(bus, report))
        print_report(report, as_json=as_json)
        return report.exit_code
    await asyncio.gather(*(submit_patiently(bus, job.case.request) for job in jobs))
    _print_ids(jobs, as_json=as_json)
    return 0


async def _flaky_runs(bus: Bus, report: Report) -> frozenset[str]:
    """Return the runs of a report that failed and whose tests are flaky by the newest runs that the fleet knows."""
    failed = [it for it in report.runs if it.cause is not None]
    found = [(it.run, await read_history(bus, it.suite, it.name)) for it in failed]
    return frozenset(run for run, rows in found if rows and analyse_case(rows).health == "flaky")


def _print_ids(jobs: list[Job], *, as_json: bool) -> None:
    """Print the run ids of jobs to stdout, one a line, and their names to stderr."""
    if as_json:
        batch = {"batch": found} if (found := batch_of_jobs(jobs)) else {}
        rows = [{"run": job.case.request.id, "name": job.case.request.job.name, **batch} for job in jobs]
        click.echo(msgspec.json.encode(rows))
        return
    for job in jobs:
        click.echo(job.case.request.id)
        tell(f"  {job.label}: {job.case.request.job.name}")
    if batch := batch_of_jobs(jobs):
        tell(f"{batch}: `muster list --batch {batch}` shows how they stand")


def _with_priority(job: Job, priority: Priority) -> Job:
    request = msgspec.structs.replace(job.case.request, priority=priority)
    return job._replace(case=job.case._replace(request=request))

"""`muster run`: runs test cases and prints their verdicts."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click
from nats.errors import Error as NatsError

from muster_authoring.own_cases import load_cases
from muster_bus import Bus, Rows
from muster_cases.case_loader import LoadedCase
from muster_cli.app import client, console, perform, report_error, tell
from muster_cli.case_jobs import Job, as_batch, batch_of_jobs, make_jobs, parse_changes
from muster_cli.child_process import show_logs
from muster_cli.cost_output import estimate_jobs, load_costs, print_estimates, save_costs
from muster_cli.display import display
from muster_cli.embedded import Fleet, Plan, embedded
from muster_cli.named_files import require_folder, require_writable, write_named
from muster_cli.options import APPROVE, JSON, MAX_COST, PATHS, REPORT, WORKERS, example, run_timeout, selection
from muster_cli.recording_files import RecordingFolder
from muster_cli.report_writer import print_report, write_report
from muster_cli.runner import Options, run_jobs, run_on_fleet
from muster_cli.stored_selection import is_name, load_selected, refuse_names
from muster_protocol.errors import InvalidRequest, MusterError
from muster_protocol.step_recordings import HealPolicy, RecordingRow
from muster_views.junit import render_junit
from muster_views.outcome import OTHER_FAILED, Report

SESSIONS_AT_MOST = 8


class RunOptions(NamedTuple):
    """The options of `muster run`, beside the cases."""

    nats: str | None
    workers: int
    env_file: Path | None
    junit: Path | None
    report: Path | None
    as_json: bool
    verbose: bool
    options: Options
    recordings: Path | None = None


@click.command(
    short_help="Run test cases and print their verdicts.",
    epilog=example(
        "muster run cases/",
        "muster run login.yaml --var base_url=http://127.0.0.1:8000 --env-file secrets.env",
        "muster run cases/ --tag smoke --junit results.xml --report report/",
        "muster run cases/ --recordings cases/recordings",
        "muster run cases/ --recordings cases/recordings --estimate",
        "muster run cases/ --nats nats://nats.example:4222",
        "muster run TC_AUTH_01 suite:shop --nats nats://nats.example:4222",
    ),
)
@PATHS
@selection
@click.option("--nats", metavar="URL", help="Use the running fleet at this NATS server instead of starting one.")
@WORKERS
@click.option(
    "--env-file",
    type=click.Path(path_type=Path),
    help="Secrets for the workers, as NAME=VALUE lines; or set SECRET_<NAME>.",
)
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write a JUnit XML file.")
@REPORT
@click.option(
    "--recordings",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep recordings of models' steps as files in this folder, and replay them without a model the next time.",
)
@click.option(
    "--heal",
    type=click.Choice(get_args(HealPolicy)),
    help="What to do with a healed recording, whose target a model has found again: use it from now on, propose it, or "
    "do not heal at all (off). Default: propose if the variable CI is set, else use.",
)
@click.option(
    "--estimate",
    is_flag=True,
    help="Run nothing: print time, tokens and cost, estimated from earlier runs of the fleet at --nats or in "
    "--recordings.",
)
@MAX_COST
@APPROVE
@click.option("--fail-fast", is_flag=True, help="Cancel the other runs at the first fail.")
@run_timeout()
@click.option("--verbose", is_flag=True, help="Show the logs of the services, too.")
@JSON
def run(
    *,
    paths: tuple[Path, ...],
    variables: tuple[str, ...],
    tags: tuple[str, ...],
    suite: str,
    labels: tuple[str, ...],
    nats: str | None,
    workers: int,
    env_file: Path | None,
    junit: Path | None,
    report: Path | None,
    recordings: Path | None,
    heal: HealPolicy | None,
    estimate: bool,
    max_cost: float | None,
    approve_plan: bool,
    fail_fast: bool,
    timeout: float,
    verbose: bool,
    as_json: bool,
) -> None:
    """Run test cases from files and folders, and print their verdicts.

    In a folder, it takes *.yaml, *.yml, *.feature (Gherkin), *.md and *.markdown files; Markdown files without a case
    are skipped. With --nats, the name of a stored case (`muster cases list`) runs its newest version, and suite:NAME
    runs all stored cases of a suite.

    Starts a private fleet for the duration of the command, unless --nats names a running one. On a terminal, you are
    asked the questions of a case; elsewhere, the command that answers them is printed.

    Exit codes: 0 all passed; 1 some failed because of the product; 2 bad input; 3 some failed because of the
    environment or the test itself, cost too much, or were cancelled; 4 all passed, but healed recordings wait for
    `muster recordings promote`; 5 some failed because no page had an element of the name that a step gives: the
    case or the product is wrong; 130 interrupted, everything stopped.
    """
    options = Options(timeout, fail_fast)
    wanted = RunOptions(nats, workers, env_file, junit, report, as_json, verbose, options, recordings)
    policy: HealPolicy = heal or ("propose" if os.environ.get("CI") else "use")

    async def work() -> int:
        changes = parse_changes(variables, tags, suite, labels)._replace(
            heal=policy, max_cost=max_cost, approve_plan=approve_plan
        )
        if not nats:
            refuse_names(paths)
        cases = await _load_with_fleet(paths, nats) if nats else load_cases(paths)
        jobs = make_jobs(cases, changes)
        if estimate:
            print_estimates(await estimate_jobs(jobs, nats, recordings), as_json=as_json)
            return 0
        return await _run_and_report(as_batch(jobs) if nats else jobs, wanted)

    perform(work)


async def _load_with_fleet(paths: Sequence[Path], nats: str) -> list[LoadedCase]:
    if not any(map(is_name, paths)):
        return load_cases(paths)
    async with client(nats) as bus:
        return await load_selected(paths, bus)


async def _run_and_report(jobs: list[Job], wanted: RunOptions) -> int:
    """Run the jobs, print and write their reports, and return the exit code.

    Raises:
        InvalidRequest: files cannot be used, or the fleet refuses a case.
    """
    _check_files(wanted)
    async with _fleet(jobs, wanted) as (bus, fleet):
        kept = RecordingFolder(wanted.recordings, Rows(bus, "RECORDINGS", RecordingRow)) if wanted.recordings else None
        if kept:
            await kept.load(time.time())
            await load_costs(bus, wanted.recordings or Path())
        async with display(console(stderr=wanted.as_json)) as shown:
            running = run_on_fleet(fleet, jobs, shown, wanted.options) if fleet else None
            report = await (running or run_jobs(bus, jobs, shown, wanted.options))
        written = [await _tried(it) for it in _writers(bus, kept, report, wanted)]
        print_report(report, as_json=wanted.as_json)
    if wanted.nats and (batch := batch_of_jobs(jobs)):
        tell(f"{batch}: `muster list --batch {batch}` lists these runs")
    return report.exit_code if all(written) else report.exit_code or OTHER_FAILED


def _writers(
    bus: Bus, kept: RecordingFolder | None, report: Report, wanted: RunOptions
) -> Iterator[Coroutine[Any, Any, None]]:
    """Yield what writes each file that was asked for."""
    if wanted.junit:
        yield asyncio.to_thread(write_named, wanted.junit, render_junit(report))
    if kept and wanted.recordings:
        yield _save_recordings(bus, kept, wanted.recordings)
    if wanted.report:
        yield write_report(bus, report, wanted.report)


async def _tried(writer: Coroutine[Any, Any, None]) -> bool:
    """Write, and return whether that went well; else say why: the other files and the verdicts are still due."""
    try:
        await writer
    except BrokenPipeError:
        raise
    except (OSError, MusterError, NatsError) as error:
        report_error(error, OTHER_FAILED)
        return False
    return True


async def _save_recordings(bus: Bus, kept: RecordingFolder, folder: Path) -> None:
    if changed := await kept.save():
        tell(f"Recordings: {len(changed)} files written or removed in {folder}")
    await save_costs(bus, folder)


@asynccontextmanager
async def _fleet(jobs: Sequence[Job], wanted: RunOptions) -> AsyncGenerator[tuple[Bus, Fleet | None]]:
    """Connect to the running fleet, or start one; yields None as the fleet if it is not ours."""
    if wanted.nats:
        async with client(wanted.nats) as bus:
            yield bus, None
        return
    if os.environ.get("NATS_URL"):
        tell("NATS_URL is not used: a private fleet starts; for the running one, add --nats $NATS_URL")
    plan = Plan(
        workers=wanted.workers,
        logs=wanted.report / "services" if wanted.report else None,
        max_runs=min(2 * wanted.workers, SESSIONS_AT_MOST),
        worker_env={"SECRETS_FILE": str(wanted.env_file.resolve())} if wanted.env_file else {},
    )
    async with embedded(plan, os.environ, tell) as fleet, show_logs(fleet.children if wanted.verbose else (), tell):
        yield fleet.bus, fleet


def _check_files(wanted: RunOptions) -> None:
    """Check before anything runs that the given files can be read and written."""
    if wanted.env_file and wanted.nats:
        raise InvalidRequest(
            [
                "--env-file cannot be used with --nats: secrets live with the workers, and those of a running fleet "
                "have their own (variables SECRET_<NAME>, or the file their setting SECRETS_FILE names)"
            ]
        )
    if wanted.recordings and wanted.nats:
        raise InvalidRequest(
            ["--recordings cannot be used with --nats: a running fleet keeps its own (`muster recordings list`)"]
        )
    if wanted.env_file and not wanted.env_file.is_file():
        raise InvalidRequest([f"--env-file {wanted.env_file}: there is no such file"])
    if wanted.junit:
        require_writable(wanted.junit, "--junit")
    for option, folder in (("--report", wanted.report), ("--recordings", wanted.recordings)):
        if folder:
            require_folder(folder, option)

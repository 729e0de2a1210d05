"""`muster watch`: shows all runs in full screen, or follows one to its verdict."""

import sys
from typing import NoReturn

import click

from muster_cli.app import client, console, perform
from muster_cli.case_jobs import watched_job
from muster_cli.display import display
from muster_cli.lookup import require_request
from muster_cli.options import NATS, example
from muster_cli.past_passes import settle_doubt
from muster_cli.progress import Update, start_progress
from muster_cli.report_writer import print_report
from muster_cli.run_follower import follow
from muster_views.outcome import build_outcome, build_report


@click.command(
    short_help="Watch and steer runs, or follow one to its verdict.",
    epilog=example(
        "muster watch                          all runs in full screen: arrows choose, p a c l q",
        "muster watch run-3f9c27d1a0b4e865     one run to its verdict",
    ),
)
@click.argument("run", required=False)
@NATS
def watch(run: str | None, nats: str | None) -> None:
    """Watch all runs of a fleet in full screen, or follow one RUN from its start to its verdict.

    In full screen, the list is on the left; on the right are the sub-tasks of the chosen run: their agents, what they
    have used of their budgets, what they cost, and their latest calls. Keys: p pauses or resumes the run, a answers its
    question, c cancels it, l opens its log, q quits. Leaving ends no run.

    With RUN, exit codes are those of `muster run`. Ctrl-C ends the command, not the run.
    """
    if run is None:
        _watch_all(nats)
    _follow(run, nats)


def _watch_all(nats: str | None) -> NoReturn:
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):  # the library writes to stderr
        raise click.UsageError("without a terminal, name the run to follow: muster watch RUN")
    # The library takes half a second to load, and only the full screen needs it.
    from muster_cli.run_watcher import RunWatcher  # noqa: PLC0415

    async def work() -> int:
        async with client(nats) as bus:
            await RunWatcher(bus).run_async()
        return 0

    perform(work)


def _follow(run: str, nats: str | None) -> NoReturn:
    async def work() -> int:
        async with client(nats) as bus:
            job = watched_job(await require_request(bus, run), run)
            progress = start_progress(job.case.request, run)
            async with display(console()) as shown:

                def on_update(update: Update) -> None:
                    progress.apply(update)
                    shown.show({run: progress}, progress, update)

                await follow(bus, run, on_update)
            history = progress.history
            outcome = await settle_doubt(bus, build_outcome(history, run), job.case.request)
        report = build_report([outcome], "", history.started_at, history.ended_at - history.started_at)
        print_report(report)
        return report.exit_code

    perform(work)

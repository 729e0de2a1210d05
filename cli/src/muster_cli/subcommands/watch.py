"""`muster watch`: follows a run to its verdict."""

import click

from muster_cli.app import client, console, perform
from muster_cli.case_jobs import watched_job
from muster_cli.display import display
from muster_cli.lookup import require_request
from muster_cli.options import NATS, example
from muster_cli.progress import Update, start_progress
from muster_cli.report_writer import print_report
from muster_cli.run_follower import follow
from muster_views.outcome import build_outcome, build_report


@click.command(short_help="Follow a run to its verdict.", epilog=example("muster watch run-3f9c27d1a0b4e865"))
@click.argument("run")
@NATS
def watch(run: str, nats: str | None) -> None:
    """Follow a run from its start to its verdict. Ctrl-C ends the command, not the run.

    Exit codes are those of `muster run`.
    """

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
        report = build_report(
            [build_outcome(history, run)], "", history.started_at, history.ended_at - history.started_at
        )
        print_report(report)
        return report.exit_code

    perform(work)

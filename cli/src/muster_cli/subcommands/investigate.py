"""`muster investigate`: has an agent find out why a run failed."""

import click

from muster_cli.app import client, perform
from muster_cli.assignment_jobs import assignment_job
from muster_cli.lookup import require_request
from muster_cli.options import JSON, NATS, example, run_timeout
from muster_cli.runner import Options
from muster_cli.subcommands.spawn import run_assignments
from muster_views.investigation import read_investigation


@click.command(
    short_help="Have an agent find out why a run failed.",
    epilog=example(
        "muster investigate run-3f9c27d1a0b4e865",
        "muster investigate run-3f9c27d1a0b4e865 --workspace shop",
        'muster investigate run-3f9c27d1a0b4e865 --question "Is it the new checkout?" --json',
    ),
)
@click.argument("run")
@click.option("--workspace", default="", metavar="NAME", help="Also look into the source: a workspace of the fleet.")
@click.option("--question", default="", metavar="TEXT", help="A question that the report should answer.")
@run_timeout()
@NATS
@JSON
def investigate(*, run: str, workspace: str, question: str, timeout: float, nats: str | None, as_json: bool) -> None:
    """Let the agent `investigator` find out why a RUN failed, and print its findings with quotes.

    It reads the run's steps, journal, console, network and log, and changes nothing. Its findings are kept as a note
    beside the run, in its report and on its page in the console; the verdict does not change.

    Exit codes: 0 done; 3 failed; 2 bad input; 130 interrupted.
    """

    async def work() -> int:
        async with client(nats) as bus:
            await require_request(bus, run)
            job = assignment_job(await read_investigation(bus, run, workspace=workspace, question=question))
        return await run_assignments([job], nats, Options(timeout), as_json=as_json)

    perform(work)

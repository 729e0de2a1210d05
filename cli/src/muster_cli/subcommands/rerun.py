"""`muster rerun`: runs the jobs of earlier runs again."""

import click

from muster_bus import Bus
from muster_cli.app import client, perform, tell
from muster_cli.case_jobs import Job, watched_job
from muster_cli.lookup import require_request, run_rows
from muster_cli.options import JSON, NATS, WAIT, WAIT_TIMEOUT, example
from muster_cli.subcommands.submit import Waiting, submit_jobs
from muster_client.steering import build_rerun, failed_runs, newest_runs, require_runs
from muster_protocol.errors import InvalidRequest


@click.command(
    short_help="Run tests again.",
    epilog=example(
        "muster rerun run-3f9c27d1a0b4e865 --wait",
        "muster rerun --failed --suite nightly --wait",
        "muster rerun run-3f9c27d1a0b4e865 --key build-4711    (a second time it is the same new run)",
    ),
)
@click.argument("runs", nargs=-1, metavar="[RUN]…")
@click.option("--suite", default="", metavar="ID", help="Each test of this suite.")
@click.option("--failed", is_flag=True, help="Only tests whose newest run ended in a fail.")
@click.option(
    "--key", default="", metavar="KEY", help="Idempotency key: repeating the command with it starts no second run."
)
@WAIT
@WAIT_TIMEOUT
@NATS
@JSON
def rerun(
    *,
    runs: tuple[str, ...],
    suite: str,
    failed: bool,
    key: str,
    wait: bool,
    timeout: float,
    nats: str | None,
    as_json: bool,
) -> None:
    """Run the jobs of earlier runs again, as new runs, and print their ids, one per line.

    Takes runs, or tests of a suite: runs with the same suite and name belong to one test, and only the newest counts.
    With --failed, a test is left out if it has passed since, or is already running again.
    """

    async def work() -> int:
        if not runs and not suite:
            raise InvalidRequest(["name runs, or a suite with --suite"])
        async with client(nats) as bus:
            again = await _jobs(bus, await _choose_runs(bus, runs, suite, failed=failed), key)
            if not again:
                tell("muster: nothing to run again")
                return 0
            return await submit_jobs(bus, again, Waiting(timeout) if wait else None, as_json=as_json)

    perform(work)


async def _choose_runs(bus: Bus, runs: tuple[str, ...], suite: str, *, failed: bool) -> tuple[str, ...]:
    """Return the ids of the runs to run again.

    Raises:
        InvalidRequest: one that is named is not there, or the suite has no run.
    """
    if not suite and not failed:
        return runs
    rows = await run_rows(bus)
    require_runs(rows, runs)
    if suite and not any(row.suite == suite for row in rows):
        raise InvalidRequest([f"suite {suite!r} has no runs here; `muster list` shows all runs"])
    found = failed_runs(rows, suite, runs) if failed else newest_runs(rows, suite, runs)
    return tuple(row.run for row in found)


async def _jobs(bus: Bus, runs: tuple[str, ...], key: str) -> list[Job]:
    """Return a job for each run, with a request of its own.

    Raises:
        InvalidRequest: there is no such run.
    """
    requests = [build_rerun(await require_request(bus, run), run, bus.clock.now(), key) for run in dict.fromkeys(runs)]
    return [watched_job(request, request.id) for request in requests]

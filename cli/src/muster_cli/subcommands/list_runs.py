"""`muster list`: the runs of a fleet."""

from collections.abc import Sequence

import click
from rich.table import Table
from rich.text import Text

from muster_cli.app import client, console, perform, print_json
from muster_cli.lookup import run_rows
from muster_cli.options import JSON, NATS, example, row_limit
from muster_cli.table import STYLES, new_table
from muster_client.batches import BATCH_LABEL
from muster_protocol.logs import CONVERSATION, RunRow
from muster_protocol.requests import OVER
from muster_views.texts import format_seconds, to_one_line

STATUSES = ("queued", "running", "paused", "parked", *OVER)


@click.command(
    "list",
    short_help="List the runs of a fleet.",
    epilog=example("muster list", "muster list --status running", "muster list --suite nightly --limit 100 --json"),
)
@click.option("--status", type=click.Choice(STATUSES), multiple=True, help="Only these; repeatable.")
@click.option("--suite", default="", metavar="ID", help="Only this suite.")
@click.option("--batch", default="", metavar="ID", help="Only those that were submitted together as this batch.")
@row_limit(30, "newest first")
@click.option("--conversations", is_flag=True, help="Conversations in place of runs.")
@NATS
@JSON
def list_runs(
    *,
    status: tuple[str, ...],
    suite: str,
    batch: str,
    limit: int,
    conversations: bool,
    nats: str | None,
    as_json: bool,
) -> None:
    """List the runs of a running fleet, newest first; conversations are listed separately.

    A paused run waits for `muster resume`, a parked one for `muster answer` or in line for a session; `muster show RUN`
    says which.
    """

    async def work() -> int:
        async with client(nats) as bus:
            listed = [row for row in await run_rows(bus) if (row.job == CONVERSATION) == conversations]
        rows = filter_rows(listed, status, suite, batch)[:limit]
        if as_json:
            print_json(rows)
        elif rows:
            console().print(_run_table(rows, bus.clock.now()))
        else:
            click.echo("no conversations" if conversations else "no runs")
        return 0

    perform(work)


def filter_rows(rows: Sequence[RunRow], status: Sequence[str], suite: str, batch: str) -> list[RunRow]:
    """Return the rows with one of the states (none given: any), of the suite and the batch (empty: any). Pure."""
    return [
        row
        for row in rows
        if (not status or row.status in status)
        and (not suite or row.suite == suite)
        and (not batch or row.labels.get(BATCH_LABEL) == batch)
    ]


def _run_table(rows: Sequence[RunRow], now: float) -> Table:
    """Return the rows as a table. Pure."""
    shown = new_table("run", "status", "cause", "steps", "time", "suite", "name", wrapped="name")
    for row in rows:
        took = format_seconds((row.ended_at or now) - row.started_at) if row.started_at else ""
        steps = f"{row.done}/{row.total}" if row.total else ""
        cells = (row.cause, steps, took, to_one_line(row.suite, 30), to_one_line(row.name, 80))
        status = Text(row.status, style=STYLES.get(row.status, "cyan"))
        shown.add_row(Text(row.run), status, *(Text(cell) for cell in cells))
    return shown

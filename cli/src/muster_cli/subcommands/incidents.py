"""`muster incidents`: what agents that look at alerts and schedules have found."""

from collections.abc import Sequence

import click
from rich.table import Table
from rich.text import Text

from muster_cli.app import client, perform, print_json, print_table
from muster_cli.options import JSON, NATS, example, row_limit
from muster_cli.table import new_table
from muster_client.run_notes import list_watch_notes
from muster_protocol.notes import Note
from muster_views.texts import format_count, format_time, to_one_line


@click.command(
    short_help="List what agents have found about alerts.",
    epilog=example("muster incidents", "muster incidents --all", "muster incidents --json"),
)
@click.option("--all", "everything", is_flag=True, help="List what was found to be no incident, too.")
@row_limit()
@NATS
@JSON
def incidents(*, everything: bool, limit: int, nats: str | None, as_json: bool) -> None:
    """List the incidents that agents of triggers have found, and the events that they could not examine, newest first.

    `muster show RUN` has the whole note.
    """

    async def work() -> int:
        async with client(nats) as bus:
            notes = await list_watch_notes(bus)
        found = [note for note in notes if everything or note.classification == "incident" or note.status == "failed"]
        if as_json:
            print_json(found)
        elif found:
            print_table(found, limit, _incident_table)
        else:
            click.echo(_nothing(len(notes)))
        return 0

    perform(work)


def _incident_table(notes: Sequence[Note]) -> Table:
    """Return notes as people read them. Pure."""
    table = new_table("when", "found to be", "severity", "agent", "run", "summary", wrapped="summary")
    for note in notes:
        cells = (format_time(note.at), note.classification, note.severity, note.agent, note.run, note.summary)
        table.add_row(*(Text(to_one_line(cell, 300)) for cell in cells))
    return table


def _nothing(others: int) -> str:
    if others:
        return f"no incidents; `--all` lists {format_count(others, 'other finding')}"
    return "no incidents; `muster triggers push` stores a trigger that has an agent look at alerts (docs/triggers.md)"

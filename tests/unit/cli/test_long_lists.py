"""Commands that list what a fleet keeps: thousands of rows take a minute to lay out, so they print some and count."""

from collections.abc import Iterator, Sequence

import click
import pytest
from rich.table import Table

from muster_cli.app import print_table
from muster_cli.cli import muster
from muster_cli.table import new_table


def commands(group: click.Group, path: str = "muster") -> Iterator[tuple[str, click.Command]]:
    """Give each command below a group by its words."""
    with click.Context(group) as context:
        found = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    for name, command in found:
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        elif command is not None:
            yield f"{path} {name}", command


def table_of(numbers: Sequence[int]) -> Table:
    table = new_table("number")
    for number in numbers:
        table.add_row(f"row-{number}")
    return table


def test_a_list_of_what_a_fleet_keeps_has_a_limit():
    one_row_per_process_or_file = {
        "muster devices list",
        "muster agents list",
        "muster skills list",
        "muster mcp-tools list",
    }
    kept = [
        (words, command)
        for words, command in commands(muster)
        if words.split()[-1] in ("list", "history", "coverage", "incidents", "health")
        and {"nats", "as_json"} <= {it.name for it in command.params}
    ]
    assert len(kept) > 8
    missing = {words for words, command in kept if "limit" not in {it.name for it in command.params}}
    assert missing <= one_row_per_process_or_file


def test_rows_beyond_the_limit_are_counted(capsys: pytest.CaptureFixture[str]):
    print_table(range(5_000), 3, table_of)
    told = capsys.readouterr().out
    assert "row-2" in told and "row-3" not in told
    assert "and 4,997 more: `--limit` lists more of them, `--json` all" in told
    print_table(range(3), 3, table_of)
    assert "more" not in capsys.readouterr().out

"""`muster show`: one run, as its log tells it."""

import time

import click
import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from muster_cli.app import client, console, perform
from muster_cli.jobs import job_of
from muster_cli.lookup import known_request, view_of
from muster_cli.options import JSON, NATS, example
from muster_cli.outcome import CaseOutcome, case_outcome
from muster_cli.progress import RunView
from muster_cli.report import log_lines
from muster_cli.table import failure_text
from muster_cli.texts import one_line
from muster_cli.tree import run_tree
from muster_protocol.runs import read_entries


@click.command(
    short_help="Show one run.",
    epilog=example("muster show run-3f9c27d1a0b4e865", "muster show run-3f9c27d1a0b4e865 --log"),
)
@click.argument("run")
@click.option("--log", is_flag=True, help="Print the run's log lines, too.")
@NATS
@JSON
def show(run: str, log: bool, nats: str | None, as_json: bool) -> None:
    """Show one run: its sub-tasks, its verdict, and of a fail what was expected and seen."""

    async def work() -> int:
        async with client(nats) as bus:
            request = await known_request(bus, run)
            view = view_of(run, request, await read_entries(bus, run))
            lines = await log_lines(bus, run) if log else []
        if as_json:
            click.echo(msgspec.json.format(msgspec.json.encode(view), indent=2))
        else:
            console().print(told(view, case_outcome(job_of(request, run), view), time.time()))
        for line in lines:
            click.echo(line)
        return 0

    perform(work)


def told(view: RunView, outcome: CaseOutcome, now: float) -> RenderableType:
    """Return what there is to say about a run. Pure."""
    parts: list[RenderableType] = [run_tree(view, now)]
    if view.verdict is not None and outcome.cause is None:
        parts.append(Text(f"pass  {one_line(view.verdict.summary, 300)}", style="green"))
    elif view.verdict is not None:
        parts.append(failure_text(outcome))
    return Group(*parts)

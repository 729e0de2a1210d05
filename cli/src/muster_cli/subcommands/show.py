"""`muster show`: one run, as its log tells it."""

import time
from pathlib import Path

import click
import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from muster_bus.run_store import read_log
from muster_cli.app import client, console, perform
from muster_cli.jobs import job_of
from muster_cli.lookup import known_request, view_of
from muster_cli.options import JSON, NATS, example
from muster_cli.progress import RunView, what_to_type
from muster_cli.report_writer import log_lines, write_report
from muster_cli.run_outcome import CaseOutcome, Report, case_outcome, make_report
from muster_cli.table import failure_text
from muster_cli.tree import run_tree
from muster_protocol.errors import InvalidRequest
from muster_reports.texts import one_line, slug

LEFT_OUT = "Note: {} of the messages in the run's log cannot be read by this version of muster and are left out."


@click.command(
    short_help="Show one run.",
    epilog=example(
        "muster show run-3f9c27d1a0b4e865",
        "muster show run-3f9c27d1a0b4e865 --log",
        "muster show run-3f9c27d1a0b4e865 --report report/",
    ),
)
@click.argument("run")
@click.option("--log", is_flag=True, help="Print the run's log lines, too.")
@click.option(
    "--report",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the HTML report of the run, which must be over: what was done, evidence, pictures, files.",
)
@NATS
@JSON
def show(*, run: str, log: bool, report: Path | None, nats: str | None, as_json: bool) -> None:
    """Show one run: its sub-tasks, its verdict, and of a fail what was expected and seen; also what it asks."""

    async def work() -> int:
        async with client(nats) as bus:
            request = await known_request(bus, run)
            found = await read_log(bus, run)
            view = view_of(run, request, found.entries)
            lines = await log_lines(bus, run) if log else []
            if report is not None:
                await write_report(bus, report_of(view, case_outcome(job_of(request, run), view)), report)
        if as_json:
            click.echo(msgspec.json.format(msgspec.json.encode(view), indent=2))
        else:
            console().print(told(view, case_outcome(job_of(request, run), view), time.time()))
        for line in lines:
            click.echo(line)
        if found.unreadable:
            click.echo(LEFT_OUT.format(found.unreadable), err=True)
        return 0

    perform(work)


def report_of(view: RunView, outcome: CaseOutcome) -> Report:
    """Return the report of one run that is over, called by its name. Pure.

    Raises:
        InvalidRequest: it has no verdict yet.
    """
    if view.verdict is None:
        raise InvalidRequest([f"run {view.run} has no verdict yet; `muster watch {view.run}` waits for it"])
    named = msgspec.structs.replace(outcome, label=slug(outcome.name))
    return make_report([named], "", view.started_at, view.verdict.duration)


def told(view: RunView, outcome: CaseOutcome, now: float) -> RenderableType:
    """Return what there is to say about a run. Pure."""
    parts: list[RenderableType] = [run_tree(view, now)]
    if view.verdict is not None and outcome.cause is None:
        parts.append(Text(f"pass  {one_line(view.verdict.summary, 300)}", style="green"))
    elif view.verdict is not None:
        parts.append(failure_text(outcome))
    parts += [Text(one_line(text), style="yellow") for text in what_to_type(view)]
    return Group(*parts)

"""Writes the report folder: an index, and for each run a page, verdict, log lines, journals and artifacts."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import click

from muster_bus import Bus
from muster_cli.app import console, tell
from muster_cli.named_files import write_named
from muster_cli.table import failed_outcomes, failure_text, verdict_table
from muster_views.folder import PAGE, folder_name, to_json, write_run
from muster_views.html import File, RunPage, build_index, render_index
from muster_views.outcome import CaseOutcome, Report
from muster_views.summaries import describe_totals
from muster_views.texts import format_size


async def write_report(bus: Bus, report: Report, folder: Path) -> None:
    """Write the report of the runs into the folder, with artifacts from the bus, and print its path.

    Raises:
        OSError: a file cannot be written.
        BusError, NatsError, TimeoutError: what belongs into it cannot be read.
    """
    folders = {outcome.run: folder_name(outcome) for outcome in report.runs}
    pages = {outcome.run: await _write_run(bus, outcome, folder / folders[outcome.run]) for outcome in report.runs}
    await asyncio.to_thread(write_named, folder / "report.json", to_json(report))
    index = index_html(report, pages, await asyncio.to_thread(_services, folder))
    await asyncio.to_thread(write_named, folder / PAGE, index)
    tell(f"Report: {folder / PAGE}")


def print_report(report: Report, *, as_json: bool = False) -> None:
    """Print the verdicts, and expected and seen values of each fail; or everything as one JSON document."""
    if as_json:
        click.echo(to_json(report).decode(), nl=False)
        return
    out = console()
    out.print(verdict_table(report))
    for outcome in failed_outcomes(report):
        out.print(failure_text(outcome))
    out.print(describe_totals(report), style="bold")


def index_html(report: Report, pages: Mapping[str, RunPage], files: tuple[File, ...] = ()) -> str:
    """Return the index page; `pages` by run id, `files` are those that belong to no run. Pure."""
    folders = {outcome.run: folder_name(outcome) for outcome in report.runs}
    return render_index(build_index(report, pages, folders, files))


async def _write_run(bus: Bus, outcome: CaseOutcome, folder: Path) -> RunPage:
    async def save(path: str, data: bytes) -> None:
        await asyncio.to_thread(write_named, folder / path, data)

    return await write_run(bus, outcome, save)


def _services(folder: Path) -> tuple[File, ...]:
    """Return the logs that the services of an embedded fleet have written into the folder."""
    logs = sorted((folder / "services").glob("*.log"))
    return tuple(File(path=f"services/{log.name}", name=log.name, size=format_size(log.stat().st_size)) for log in logs)

"""The report folder: an index, and for each run a page, its verdict, its log lines, its journals and its artefacts."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from muster_cli.app import console, tell
from muster_cli.outcome import CaseOutcome, Report
from muster_cli.report_pages import index_of, index_page, page_of, run_page
from muster_cli.report_pages.material import (
    Material,
    StoredFile,
    artifact_paths,
    content_type,
    content_types,
    read_material,
)
from muster_cli.report_pages.parts import File, RunPage
from muster_cli.report_pages.words import size
from muster_cli.table import failure_text, failures, totals_line, verdict_table
from muster_cli.texts import plain, slug
from muster_protocol.bus import Bus, replay
from muster_protocol.bus.artifacts import get_artifact, list_artifacts
from muster_protocol.codec import decode, encode
from muster_protocol.logs import LogRecord

PAGE = "index.html"
BESIDE = ("log.txt", "verdict.json", "journals.jsonl")
"""Files of a run beside its page and its artefacts."""


async def write_report(bus: Bus, report: Report, folder: Path) -> None:
    """Write everything about the runs into the folder, artefacts fetched from the bus, and tell where it is.

    Raises:
        OSError: a file cannot be written.
        BusError, NatsError, TimeoutError: what belongs into it cannot be read.
    """
    folders = {outcome.run: run_folder(outcome) for outcome in report.runs}
    pages = {outcome.run: await _write_run(bus, outcome, folder / folders[outcome.run]) for outcome in report.runs}
    await asyncio.to_thread(_save, folder / "report.json", to_json(report))
    index = index_html(report, pages, await asyncio.to_thread(_services, folder))
    await asyncio.to_thread(_save, folder / PAGE, index.encode())
    tell(f"Report: {folder / PAGE}")


def to_json(report: Report) -> bytes:
    """Return the report as an indented JSON document with a line end."""
    return msgspec.json.format(encode(report), indent=2) + b"\n"


def print_report(report: Report, *, as_json: bool = False) -> None:
    """Print the verdicts, and of each fail what was expected and seen; or all of it as one JSON document."""
    if as_json:
        click.echo(to_json(report).decode(), nl=False)
        return
    out = console()
    out.print(verdict_table(report))
    for outcome in failures(report):
        out.print(failure_text(outcome))
    out.print(totals_line(report), style="bold")


def run_folder(outcome: CaseOutcome) -> str:
    """Return the name of a run's folder: its short name and the end of its id, which makes it unique."""
    return f"{slug(outcome.label)}-{slug(outcome.run[-6:])}"


def index_html(report: Report, pages: Mapping[str, RunPage], files: tuple[File, ...] = ()) -> str:
    """Return the index page; `pages` by run id, `files` are those that belong to no run. Pure."""
    folders = {outcome.run: run_folder(outcome) for outcome in report.runs}
    return index_page(index_of(report, pages, folders, files))


async def _write_run(bus: Bus, outcome: CaseOutcome, folder: Path) -> RunPage:
    material = await read_material(bus, outcome)
    files = [*await _write_artifacts(bus, material, folder)]
    for name, data in zip(BESIDE, _beside(material), strict=True):
        await asyncio.to_thread(_save, folder / name, data)
        files.append(StoredFile(name, name, len(data)))
    page = page_of(replace(material, files=tuple(files)))
    await asyncio.to_thread(_save, folder / PAGE, run_page(page).encode())
    return page


async def _write_artifacts(bus: Bus, material: Material, folder: Path) -> list[StoredFile]:
    run, types = material.outcome.run, content_types(material)
    found: list[StoredFile] = []
    for name, path in artifact_paths(await list_artifacts(bus, f"{run}/"), run).items():
        data = await get_artifact(bus, name)
        if data is not None:
            await asyncio.to_thread(_save, folder / path, data)
            found.append(StoredFile(name, path, len(data), content_type(name, types)))
    return found


def _beside(material: Material) -> tuple[bytes, bytes, bytes]:
    """Return what the files beside the page hold, in their order."""
    lines = "".join(f"{line}\n" for line in material.lines)
    verdict = msgspec.json.format(encode(material.outcome), indent=2) + b"\n"
    journals = [encode({"task": task, "entries": entries}) for task, entries in material.journals.items()]
    return lines.encode(), verdict, b"".join(line + b"\n" for line in journals)


def _services(folder: Path) -> tuple[File, ...]:
    """Return the logs that the services of an embedded fleet have written into the folder."""
    logs = sorted((folder / "services").glob("*.log"))
    return tuple(File(path=f"services/{log.name}", name=log.name, size=size(log.stat().st_size)) for log in logs)


def _save(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


async def log_lines(bus: Bus, run: str) -> list[str]:
    """Return the stored log lines of a run, in the order they were stored."""
    found: list[str] = []
    async for message in replay(bus, "LOGS", bus.names.log(run, "*")):
        try:
            found.append(plain(decode(message.data, LogRecord).text))
        except msgspec.DecodeError:
            continue
    return found

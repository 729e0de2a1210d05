"""The report folder: an index, and for each run its verdict, its log lines and its artefacts."""

import asyncio
import html
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import click
import msgspec

from muster_cli.app import console
from muster_cli.outcome import CaseOutcome, Report
from muster_cli.table import failure_text, failures, row, totals_line, verdict_table
from muster_cli.texts import plain, slug
from muster_protocol.bus import Bus, replay
from muster_protocol.bus.artifacts import get_artifact, list_artifacts
from muster_protocol.codec import decode, encode
from muster_protocol.logs import LogRecord

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; color: #1a1a1a; background: #fff }
ul { margin: 0; padding-left: 1rem }
table { border-collapse: collapse } th, td { text-align: left; padding: .35rem .8rem; border-bottom: 1px solid #ddd }
.pass { color: #0a6b2d } .fail { color: #b3001b; font-weight: 600 } .none { color: #8a5a00 }
"""


async def write_report(bus: Bus, report: Report, folder: Path) -> None:
    """Write everything about the runs into the folder; artefacts are fetched from the bus.

    Raises:
        OSError: a file cannot be written.
    """
    files = [await _write_run(bus, outcome, folder / run_folder(outcome)) for outcome in report.runs]
    await asyncio.to_thread(_save, folder / "report.json", to_json(report))
    await asyncio.to_thread(_save, folder / "index.html", index_html(report, files).encode())


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


def artifact_path(name: str, run: str) -> PurePosixPath:
    """Return where an artefact `<run>/<part>/<file>` goes below the run's folder; it cannot leave that folder."""
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", "..", ".", run)]
    return PurePosixPath("artifacts", *(slug(part, 120) for part in parts or ["unnamed"]))


def index_html(report: Report, files: Sequence[Sequence[str]]) -> str:
    """Return the index page; `files` are the paths below the folder that belong to each run, in the report's order."""
    rows = "\n".join(_html_row(outcome, names) for outcome, names in zip(report.runs, files, strict=True))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Test report</title><style>{STYLE}</style>'
        f"<h1>Test report</h1><p>{html.escape(totals_line(report))}</p>"
        "<table><tr><th>case</th><th>verdict</th><th>cause</th><th>steps</th><th>time</th><th>summary</th>"
        f"<th>files</th></tr>\n{rows}\n</table></html>\n"
    )


def _html_row(outcome: CaseOutcome, names: Sequence[str]) -> str:
    told = row(outcome)
    links = "".join(
        f'<li><a href="{html.escape(name)}">{html.escape(name.partition("/")[2])}</a></li>' for name in names
    )
    cells = "".join(f"<td>{html.escape(plain(text))}</td>" for text in told[2:])
    case = f"<td>{html.escape(plain(outcome.name))}<br><small>{html.escape(told.label)}</small></td>"
    return f'<tr>{case}<td class="{told.status}">{told.status}</td>{cells}<td><ul>{links}</ul></td></tr>'


async def _write_run(bus: Bus, outcome: CaseOutcome, folder: Path) -> list[str]:
    lines = "".join(f"{line}\n" for line in await log_lines(bus, outcome.run))
    files = {"verdict.json": msgspec.json.format(encode(outcome), indent=2) + b"\n", "log.txt": lines.encode()}
    for name in sorted(await list_artifacts(bus, f"{outcome.run}/")):
        data = await get_artifact(bus, name)
        if data is not None:
            files[str(artifact_path(name, outcome.run))] = data
    for name, data in files.items():
        await asyncio.to_thread(_save, folder / name, data)
    return [f"{folder.name}/{name}" for name in files]


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

"""HTTP routes for reports: of a run as HTML, zip, JUnit or JSON; of a suite as JUnit or JSON."""

import asyncio
import zipfile
from collections.abc import Sequence
from typing import Annotated, Literal

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream
from msgspec.structs import replace

from muster_bus import Bus
from muster_client.steering import newest_runs
from muster_gateway import entries
from muster_gateway.context import Gateway
from muster_gateway.description import report_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.http import spools
from muster_gateway.problem_details import Refusal
from muster_gateway.security.access import content_disposition
from muster_gateway.security.access_roles import VIEWER
from muster_protocol.logs import RunRow
from muster_views.folder import folder_name, render_single_page, to_json, write_run
from muster_views.junit import render_junit
from muster_views.outcome import CaseOutcome, Report, build_outcome, build_report
from muster_views.run_rows import describe_standing

PICTURE_ROOM = 24 * 1024 * 1024
"""Bytes of pictures embedded in a page."""
LOGS_AT_ONCE = 8
"""Run logs read at the same time for the report of a suite."""
MOST_CASES = 2_000

Format = Literal["html", "zip", "junit", "json"]
SuiteFormat = Literal["junit", "json"]
XML = "application/xml"


@get(
    "/runs/{run:str}/report",
    opt=VIEWER,
    operation_id="reportRun",
    summary="Get the report of a finished run",
    description="`html`: one page with embedded pictures, opens from disk; `zip`: the page with all files of "
    "the run; `junit` and `json` for machines.",
    responses=success(Report, 200, "The report", documented.REPORT) | failures(400, 404, 409, 503),
)
async def report(
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    format: Annotated[Format, QueryParameter(description="What it is written in")] = "html",
) -> Response[bytes] | Stream:
    """Return the report of a run."""
    await gateway.require_run(run)
    history = await entries.read_history(gateway.bus, run)
    if not history.started_at:
        raise Refusal(404, f"run {run!r} has no report: it has not started, or its log no longer exists")
    outcome = build_outcome(history)
    if outcome.verdict is None:
        raise Refusal(409, f"run {run!r} has no verdict yet; ask for its report when it is over")
    if format in ("junit", "json"):
        return _respond(report_outcomes([outcome]), format, run)
    if format == "html":
        async with gateway.reporting:  # a report holds pictures and texts in memory
            page = await render_single_page(gateway.bus, outcome, PICTURE_ROOM)
        return Response(page.encode(), media_type="text/html", headers=_attachment(f"report-{run}.html"))
    archive = await _build_archive(gateway, outcome)
    return Stream(archive.read(), media_type="application/zip", headers=_attachment(f"report-{run}.zip"))


@get(
    "/suites/{suite:str}/report",
    opt=VIEWER,
    operation_id="reportSuite",
    summary="Get the report of a suite",
    description="Covers the newest run of each case; a case whose newest run has no verdict yet is skipped, with "
    "its state. For a suite with a slash in its name, use `/suites/report?suite=`.",
    responses=success(Report, 200, "The report", documented.REPORT) | failures(400, 404, 409, 503),
)
async def suite_report(
    gateway: NamedDependency[Gateway],
    suite: FromPath[str],
    format: Annotated[SuiteFormat, QueryParameter(description="What it is written in")] = "junit",
) -> Response[bytes]:
    """Return the report of a suite."""
    return await _report_suite(gateway, suite, format)


@get(
    "/suites/report",
    opt=VIEWER,
    operation_id="reportSuiteOfAnyName",
    summary="Get the report of a suite with any name",
    description="The same as `/suites/{suite}/report`.",
    responses=success(Report, 200, "The report", documented.REPORT) | failures(400, 404, 409, 503),
)
async def suite_report_by_query(
    gateway: NamedDependency[Gateway],
    suite: Annotated[str, QueryParameter(description="Name of the suite, may contain slashes")],
    format: Annotated[SuiteFormat, QueryParameter(description="What it is written in")] = "junit",
) -> Response[bytes]:
    """Return the report of a suite whose name may contain a slash, which a path segment cannot."""
    return await _report_suite(gateway, suite, format)


async def _report_suite(gateway: Gateway, suite: str, format: SuiteFormat) -> Response[bytes]:
    gateway.require_bus()
    rows = newest_runs(await gateway.listing.all(), suite) if suite else []
    if not rows:
        raise Refusal(404, f"suite {suite!r} has no runs; GET /suites lists all suites")
    if len(rows) > MOST_CASES:
        raise Refusal(409, f"suite {suite!r} has {len(rows)} cases; a report covers at most {MOST_CASES}")
    async with gateway.reporting:
        return _respond(report_outcomes(await _read_outcomes(gateway.bus, rows)), format, suite)


async def _read_outcomes(bus: Bus, rows: Sequence[RunRow]) -> list[CaseOutcome]:
    found: list[CaseOutcome] = []
    for start in range(0, len(rows), LOGS_AT_ONCE):
        found += await asyncio.gather(*(_read_outcome(bus, row) for row in rows[start : start + LOGS_AT_ONCE]))
    return found


async def _read_outcome(bus: Bus, row: RunRow) -> CaseOutcome:
    history = await entries.read_history(bus, row.run)
    if not history.started_at:
        found = CaseOutcome(label=row.name, name=row.name, run=row.run, suite=row.suite)
    else:
        found = build_outcome(history)
    return found if found.verdict else replace(found, standing=describe_standing(history, row))


def report_outcomes(outcomes: Sequence[CaseOutcome]) -> Report:
    """Return the report of outcomes; its time span covers all of them. Pure."""
    verdicts = [outcome.verdict for outcome in outcomes if outcome.verdict is not None]
    started = min((verdict.ended_at - verdict.duration for verdict in verdicts), default=0.0)
    ended = max((verdict.ended_at for verdict in verdicts), default=0.0)
    return build_report(outcomes, "", max(0.0, started), max(0.0, ended - started))


def _respond(report: Report, format: str, name: str) -> Response[bytes]:
    if format == "json":
        return Response(to_json(report), media_type="application/json", headers=_attachment(f"report-{name}.json"))
    return Response(render_junit(report), media_type=XML, headers=_attachment(f"report-{name}.xml"))


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": content_disposition(name)}


async def _build_archive(gateway: Gateway, outcome: CaseOutcome) -> spools.Spool:
    """Write the zip of a run's report into a temporary file."""
    folder = folder_name(outcome)
    spool = await spools.open_spool(gateway.sending)
    try:
        async with gateway.reporting:
            await _write(gateway.bus, outcome, folder, spool)
            await spool.finish()
    except BaseException:
        spool.close()
        raise
    return spool


async def _write(bus: Bus, outcome: CaseOutcome, folder: str, spool: spools.Spool) -> None:
    with zipfile.ZipFile(spool.file, "w", zipfile.ZIP_DEFLATED) as archive:

        async def save(path: str, data: bytes) -> None:
            await asyncio.to_thread(archive.writestr, f"{folder}/{path}", data)

        await write_run(bus, outcome, save, alone=True)


HANDLERS = (report, suite_report, suite_report_by_query)

"""Reports over HTTP: of a run as a page, an archive, JUnit or JSON; of a suite as JUnit or JSON."""

import asyncio
import zipfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from typing import Annotated, Literal, NamedTuple

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream
from msgspec.structs import replace

from muster_bus import Bus
from muster_client.steering import newest_of
from muster_gateway import entries, fold
from muster_gateway.context import Gateway
from muster_gateway.description import report_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.entries import Known
from muster_gateway.http import spools
from muster_gateway.problem_details import Refusal
from muster_gateway.security.access import content_disposition
from muster_gateway.security.access_roles import VIEWER
from muster_protocol.logs import RunRow
from muster_protocol.requests import RunRequest
from muster_reports.folder import run_folder, single_page, to_json, write_run
from muster_reports.junit import junit_xml
from muster_reports.outcome import CaseOutcome, Report, make_report

PICTURE_ROOM = 24 * 1024 * 1024
"""Bytes of pictures inside a single page."""
CHUNK = 256 * 1024
LOGS_AT_ONCE = 8
"""Logs that are read at the same time for the report of a suite."""
MOST_CASES = 2_000

Format = Literal["html", "zip", "junit", "json"]
SuiteFormat = Literal["junit", "json"]
XML = "application/xml"


@get(
    "/runs/{run:str}/report",
    opt=VIEWER,
    operation_id="reportRun",
    summary="Report of a run that is over",
    description="`html`: one page with its pictures inside, that opens from disk; `zip`: the page with all files of "
    "the run beside it; `junit` and `json` for machines.",
    responses=success(Report, 200, "The report", documented.REPORT) | failures(400, 404, 409, 503),
)
async def report(
    gateway: NamedDependency[Gateway],
    run: FromPath[str],
    format: Annotated[Format, QueryParameter(description="What it is written in")] = "html",
) -> Response[bytes] | Stream:
    """Return the report of a run."""
    await gateway.require(run)
    happened = entries.known(await entries.read(gateway.bus, run))
    if not happened:
        raise Refusal(404, f"run {run!r} has no report: its log is gone, or it has not begun")
    outcome = outcome_of(run, entries.request_in(happened), happened)
    if outcome.verdict is None:
        raise Refusal(409, f"run {run!r} has no verdict yet; its report is made once it is over")
    if format in ("junit", "json"):
        return _written(report_of([outcome]), format, run)
    if format == "html":
        async with gateway.reporting:  # a report holds pictures and texts in memory
            page = await single_page(gateway.bus, outcome, PICTURE_ROOM)
        return Response(page.encode(), media_type="text/html", headers=_named(f"report-{run}.html"))
    archive = await _archive(gateway, outcome)
    return Stream(_chunks(archive), media_type="application/zip", headers=_named(f"report-{run}.zip"))


@get(
    "/suites/{suite:str}/report",
    opt=VIEWER,
    operation_id="reportSuite",
    summary="Report of a suite",
    description="Of the newest run of each case; a case whose newest run has no verdict yet is told as skipped, with "
    "how it stands. A suite with a slash in its name is asked for as `/suites/report?suite=`.",
    responses=success(Report, 200, "The report", documented.REPORT) | failures(400, 404, 409, 503),
)
async def suite_report(
    gateway: NamedDependency[Gateway],
    suite: FromPath[str],
    format: Annotated[SuiteFormat, QueryParameter(description="What it is written in")] = "junit",
) -> Response[bytes]:
    """Return the report of a suite."""
    return await _of_suite(gateway, suite, format)


@get(
    "/suites/report",
    opt=VIEWER,
    operation_id="reportSuiteOfAnyName",
    summary="The report of a suite whose name may hold a slash",
    description="The same as `/suites/{suite}/report`.",
    responses=success(Report, 200, "The report", documented.REPORT) | failures(400, 404, 409, 503),
)
async def report_of_suite(
    gateway: NamedDependency[Gateway],
    suite: Annotated[str, QueryParameter(description="The suite's name, whatever is in it")],
    format: Annotated[SuiteFormat, QueryParameter(description="What it is written in")] = "junit",
) -> Response[bytes]:
    """Return the report of a suite of any name: a slash cannot stand in a part of a path."""
    return await _of_suite(gateway, suite, format)


async def _of_suite(gateway: Gateway, suite: str, format: SuiteFormat) -> Response[bytes]:
    gateway.ready()
    rows = newest_of(await gateway.listing.all(), suite) if suite else []
    if not rows:
        raise Refusal(404, f"suite {suite!r} has no runs; GET /suites lists those there are")
    if len(rows) > MOST_CASES:
        raise Refusal(409, f"suite {suite!r} has {len(rows)} cases; a report is made of {MOST_CASES} at most")
    async with gateway.reporting:
        return _written(report_of(await _outcomes(gateway.bus, rows)), format, suite)


async def _outcomes(bus: Bus, rows: Sequence[RunRow]) -> list[CaseOutcome]:
    found: list[CaseOutcome] = []
    for start in range(0, len(rows), LOGS_AT_ONCE):
        found += await asyncio.gather(*(_outcome(bus, row) for row in rows[start : start + LOGS_AT_ONCE]))
    return found


async def _outcome(bus: Bus, row: RunRow) -> CaseOutcome:
    happened = entries.known(await entries.read(bus, row.run))
    found = outcome_of(row.run, entries.request_in(happened), happened)
    if not happened:
        found = CaseOutcome(label=row.name, name=row.name, run=row.run, suite=row.suite)
    return found if found.verdict else replace(found, standing=standing(row, happened))


def standing(listed: RunRow, happened: list[Known]) -> str:
    """Return how a run stands of whose log no verdict is to be had. Pure."""
    row = fold.row(listed.run, listed, None, happened)
    asked = [f"it asks {question.text!r}" for question in fold.questions(happened)]
    reason = "; ".join(asked) or fold.waits_for(happened) or row.summary
    why = f": {reason}" if reason else ""
    match row.status:
        case "queued":
            return f"the run is queued{why}"
        case "running":
            return f"the run is under way, {row.done} of {row.total} sub-tasks passed{why}"
        case "paused":
            return f"the run is paused{why}"
        case "parked":
            return f"the run waits{why}"
        case "pass" | "fail":
            return f"the run's log is gone; the list has it as {row.status}{why}"


class _Step(NamedTuple):
    """The words for the sub-task that failed, and how many are done of how many."""

    words: str
    done: int
    total: int


def outcome_of(run: str, request: RunRequest | None, happened: list[Known]) -> CaseOutcome:
    """Return what came of a run, as its log tells it. Pure."""
    verdict = entries.verdict_in(happened)
    step = _step(happened, verdict.failed_node if verdict else "")
    name = request.job.name if request else verdict.name if verdict else run
    return CaseOutcome(
        label=name,
        name=name,
        run=run,
        suite=request.suite if request else "",
        step=step.words,
        steps_done=step.done,
        steps_total=step.total,
        verdict=verdict,
    )


def _step(happened: list[Known], failed_node: str) -> _Step:
    planned = [node for node in fold.nodes(happened) if node.planned]
    done = sum(node.state == "passed" for node in planned)
    failed = next((node for node in planned if node.id == failed_node), None)
    if failed is None:
        return _Step("", done, len(planned))
    number = failed.covers[0] + 1 if failed.covers else 0
    kind = "precondition" if failed.precondition else f"step {number}" if number else "sub-task"
    return _Step(f"{kind}: {failed.description}", done, len(planned))


def report_of(outcomes: Sequence[CaseOutcome]) -> Report:
    """Return the report of outcomes; it starts when the first of them did. Pure."""
    verdicts = [outcome.verdict for outcome in outcomes if outcome.verdict is not None]
    started = min((verdict.ended_at - verdict.duration for verdict in verdicts), default=0.0)
    ended = max((verdict.ended_at for verdict in verdicts), default=0.0)
    return make_report(outcomes, "", max(0.0, started), max(0.0, ended - started))


def _written(report: Report, format: str, name: str) -> Response[bytes]:
    if format == "json":
        return Response(to_json(report), media_type="application/json", headers=_named(f"report-{name}.json"))
    return Response(junit_xml(report), media_type=XML, headers=_named(f"report-{name}.xml"))


def _named(name: str) -> dict[str, str]:
    return {"Content-Disposition": content_disposition(name)}


async def _archive(gateway: Gateway, outcome: CaseOutcome) -> spools.Spool:
    """Return a temporary file with the archive of a run's report."""
    folder = run_folder(outcome)
    spool = await spools.opened(gateway.sending)
    try:
        async with gateway.reporting:
            await _write(gateway.bus, outcome, folder, spool)
    except BaseException:
        spool.close()
        raise
    spool.file.seek(0)
    return spool


async def _write(bus: Bus, outcome: CaseOutcome, folder: str, spool: spools.Spool) -> None:
    with zipfile.ZipFile(spool.file, "w", zipfile.ZIP_DEFLATED) as archive:

        async def save(path: str, data: bytes) -> None:
            await asyncio.to_thread(archive.writestr, f"{folder}/{path}", data)

        await write_run(bus, outcome, save, alone=True)


async def _chunks(spool: spools.Spool) -> AsyncGenerator[bytes]:
    with closing(spool):
        while chunk := await asyncio.to_thread(spool.file.read, CHUNK):
            yield chunk


HANDLERS = (report, suite_report, report_of_suite)

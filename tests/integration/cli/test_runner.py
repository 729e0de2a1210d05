"""Running jobs on a fleet that is played: following, stopping early, interruption."""

import asyncio
import io
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import msgspec
import pytest
from nats.errors import Error as NatsError
from rich.console import Console
from waiting import eventually

from muster_bus import Bus, Rows, provision
from muster_bus.run_store import read_entries
from muster_cli.case_jobs import Job
from muster_cli.display import PlainLines
from muster_cli.lookup import build_history, require_request, run_rows
from muster_cli.progress import Progress, Update
from muster_cli.report_writer import write_report
from muster_cli.run_follower import follow
from muster_cli.runner import Options, run_jobs, submit_patiently, tell_outages
from muster_client.runs import send_control, submit
from muster_protocol import codec
from muster_protocol.control import Cancel
from muster_protocol.errors import InvalidRequest, Refused
from muster_protocol.events import Entry, RunClosed
from muster_protocol.logs import LogRecord, RunRow
from muster_protocol.requests import RunRequest, Step, TestCase
from muster_views.history import History
from muster_views.outcome import Report

MakeJob = Callable[..., Job]
OPTIONS = Options(timeout=30.0)


class Recorded:
    """A display that keeps what it was shown, and says when a run is at work."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.at_work: dict[str, asyncio.Event] = {}

    def show(self, runs: Mapping[str, Progress], run: Progress, update: Update) -> None:
        self.updates.append(update)
        if run.calls:
            self.works(run.run).set()

    @contextmanager
    def pause(self) -> Generator[Console]:
        yield Console(file=io.StringIO())

    def works(self, run: str) -> asyncio.Event:
        return self.at_work.setdefault(run, asyncio.Event())


def ends(report: Report) -> dict[str, str]:
    return {
        run.label: f"{run.verdict.status} {run.cause or ''}".strip() if run.verdict else "none" for run in report.runs
    }


@pytest.mark.usefixtures("player")
async def test_every_run_is_followed_to_its_verdict(bus: Bus, make_job: MakeJob):
    jobs = [make_job("a"), make_job("b", "product"), make_job("c", "environment"), make_job("d", "agent")]
    report = await run_jobs(bus, jobs, Recorded(), OPTIONS)
    assert ends(report) == {"a": "pass", "b": "fail product", "c": "fail environment", "d": "fail agent"}
    assert (report.exit_code, report.stopped) == (1, "")
    failed = report.runs[1]
    assert (failed.step, failed.step_line, failed.steps_done, failed.steps_total) == ('step 2: Click "Buy"', 5, 1, 2)


@pytest.mark.usefixtures("player")
async def test_every_stored_line_is_shown_once_and_in_order(bus: Bus, make_job: MakeJob):
    shown = Recorded()
    await run_jobs(bus, [make_job("a")], shown, OPTIONS)
    texts = [update.text.strip() for update in shown.updates if isinstance(update, LogRecord)]
    assert [text.partition("\n")[0] for text in texts] == [
        '[Orchestrator] Sub-task 1/2: Open the "a" page',
        '[Sub-agent] click("Buy")',
        '[Orchestrator] Sub-task 2/2: Click "Buy"',
        '[Sub-agent] click("Buy")',
        "[Orchestrator] VERDICT of Case a\x1b[0m",
    ]
    entries = [update for update in shown.updates if isinstance(update, Entry)]
    assert isinstance(entries[-1].events[-1], RunClosed)
    assert len(entries) == len(await read_entries(bus, "run-a"))


@pytest.mark.usefixtures("player")
async def test_plain_lines_name_the_run_only_while_several_are_live(bus: Bus, make_job: MakeJob):
    out = io.StringIO()
    lines = PlainLines(Console(file=out, width=200))
    await run_jobs(bus, [make_job("alone")], lines, OPTIONS)
    assert "|" not in out.getvalue()
    assert "\x1b" not in out.getvalue()
    seen = Recorded()
    hanging = asyncio.create_task(
        run_jobs(bus, [make_job("h", "hang"), make_job("i", "hang")], _Both(lines, seen), OPTIONS)
    )
    async with asyncio.timeout(20):
        await asyncio.gather(seen.works("run-h").wait(), seen.works("run-i").wait())
    hanging.cancel()
    await hanging
    assert "h | " in out.getvalue() or "i | " in out.getvalue()


class _Both:
    def __init__(self, first: PlainLines, second: Recorded) -> None:
        self._shown = (first, second)

    def show(self, runs: Mapping[str, Progress], run: Progress, update: Update) -> None:
        for shown in self._shown:
            shown.show(runs, run, update)

    def pause(self) -> AbstractContextManager[Console]:
        return self._shown[0].pause()


@pytest.mark.usefixtures("player")
async def test_an_interruption_cancels_the_runs_and_still_gives_a_report(bus: Bus, make_job: MakeJob):
    shown = Recorded()
    running = asyncio.create_task(run_jobs(bus, [make_job("a"), make_job("h", "hang")], shown, OPTIONS))
    async with asyncio.timeout(20):
        await shown.works("run-h").wait()
        await shown.works("run-a").wait()
    running.cancel()
    report = await running
    assert ends(report)["h"] == "fail cancelled"
    assert (report.exit_code, report.stopped) == (130, "interrupted")


@pytest.mark.usefixtures("player")
async def test_a_run_that_is_stored_nowhere_any_more_has_no_verdict_and_the_others_go_on(
    bus: Bus, make_job: MakeJob, capsys: pytest.CaptureFixture[str]
):
    shown = Recorded()
    running = asyncio.create_task(run_jobs(bus, [make_job("h", "hang"), make_job("i", "hang")], shown, OPTIONS))
    async with asyncio.timeout(20):
        await asyncio.gather(shown.works("run-h").wait(), shown.works("run-i").wait())
    for stream, subject in (("REQUESTS", bus.names.request("run-h")), ("RUNS", bus.names.events("run-h"))):
        await bus.js.purge_stream(stream, subject=subject)
    await eventually(lambda: "run 'run-h' is not stored any more" in capsys.readouterr().err, "it is said", 20.0)
    await send_control(bus, "run-i", Cancel(id="c", reason="enough", by="test"))
    async with asyncio.timeout(20):
        report = await running
    assert (ends(report), report.stopped) == ({"h": "none", "i": "fail cancelled"}, "")
    assert report.exit_code != 0


async def test_what_a_waiting_command_lacks_is_said_and_when_it_is_there_again(
    bus: Bus, capsys: pytest.CaptureFixture[str]
):
    said = ""

    def heard(text: str) -> bool:
        nonlocal said
        said += capsys.readouterr().err
        return text in said

    telling = asyncio.create_task(tell_outages(bus))
    await bus.js.delete_stream("RUNS")
    with pytest.raises(NatsError):
        await bus.streams.read("RUNS")
    await eventually(lambda: heard("stream RUNS: it is missing"), "it is said", 20.0)
    await provision(bus)
    await bus.streams.read("RUNS")
    await eventually(lambda: heard("is back"), "that it is there again is said", 20.0)
    telling.cancel()


@pytest.mark.usefixtures("player")
async def test_when_the_time_is_up_what_is_left_is_cancelled(bus: Bus, make_job: MakeJob):
    report = await run_jobs(bus, [make_job("h", "hang")], Recorded(), Options(timeout=1.0))
    assert (ends(report), report.exit_code, report.stopped) == ({"h": "fail cancelled"}, 3, "timeout")


@pytest.mark.usefixtures("player")
async def test_fail_fast_cancels_the_rest_at_the_first_fail(bus: Bus, make_job: MakeJob):
    jobs = [make_job("h", "hang"), make_job("b", "product")]
    report = await run_jobs(bus, jobs, Recorded(), Options(timeout=30.0, fail_fast=True))
    assert (ends(report), report.exit_code) == ({"h": "fail cancelled", "b": "fail product"}, 1)


@pytest.mark.usefixtures("player")
async def test_a_case_the_fleet_refuses_cancels_the_others_and_is_raised(bus: Bus, make_job: MakeJob):
    await submit(bus, make_job("other", "hang", run="run-taken").case.request)
    with pytest.raises(InvalidRequest, match="'run-taken' exists with another job"):
        await run_jobs(bus, [make_job("h", "hang"), make_job("x", run="run-taken")], Recorded(), OPTIONS)
    async with asyncio.timeout(10):
        await follow(bus, "run-h", lambda _: None)


async def test_without_an_orchestrator_the_error_says_how_to_get_one(bus: Bus, make_job: MakeJob):
    with pytest.raises(Refused, match=r"no orchestrator takes requests at nats://.*`muster up` starts a fleet"):
        await submit_patiently(bus, make_job("a").case.request, patience=0.3)


@pytest.mark.usefixtures("player")
async def test_a_run_that_is_over_is_followed_from_the_store(bus: Bus, make_job: MakeJob):
    await run_jobs(bus, [make_job("a", "product")], Recorded(), OPTIONS)
    run = Progress(label="a", history=History(run="run-a"))
    async with asyncio.timeout(10):
        await follow(bus, "run-a", run.apply)
    assert run.history.verdict is not None and run.history.closed
    stored = build_history("run-a", await require_request(bus, "run-a"), await read_entries(bus, "run-a"))
    assert stored == run.history


async def test_a_run_whose_closing_never_comes_is_given_up_after_a_while(bus: Bus, make_job: MakeJob, player: object):
    seen: list[Update] = []
    await submit(bus, make_job("h", "hang").case.request)
    following = asyncio.create_task(follow(bus, "run-h", seen.append, closing=0.3))
    await send_control(bus, "run-h", Cancel(id="1"))
    async with asyncio.timeout(10):
        await following
    assert seen


@pytest.mark.usefixtures("player")
async def test_the_report_folder_has_verdicts_lines_and_artifacts_and_nothing_outside(
    bus: Bus, make_job: MakeJob, tmp_path: Path
):
    report = await run_jobs(bus, [make_job("a"), make_job("b", "product")], Recorded(), OPTIONS)
    folder = tmp_path / "deep" / "report"
    await write_report(bus, report, folder)
    assert {path.name for path in tmp_path.iterdir()} == {"deep"}
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {"index.html", "report.json", "b-run-b/verdict.json", "b-run-b/log.txt"} <= files
    (artifact,) = (folder / "b-run-b/artifacts").rglob("*.txt")
    assert artifact.read_bytes() == b"what was seen"
    assert msgspec.json.decode((folder / "b-run-b/verdict.json").read_bytes())["verdict"]["cause"] == "product"
    lines = (folder / "b-run-b/log.txt").read_text()
    assert '  [Sub-agent] click("Buy")\n' in lines
    assert "\x1b" not in lines
    assert f'href="{artifact.relative_to(folder / "b-run-b")}"' in (folder / "b-run-b/index.html").read_text()


async def test_queued_runs_nobody_has_listed_are_in_the_list(bus: Bus):
    request = RunRequest(id="run-q", job=TestCase(name="Queued", steps=(Step(action="x"),)), requested_at=2.0)
    await bus.store(bus.names.request("run-q"), codec.encode(request))
    await Rows(bus, "RUN_LIST", RunRow).put("run-o", RunRow(run="run-o", name="Old", status="pass", requested_at=1.0))
    assert [(row.run, row.status) for row in await run_rows(bus)] == [("run-q", "queued"), ("run-o", "pass")]


async def test_a_run_that_is_not_there_is_named(bus: Bus):
    with pytest.raises(InvalidRequest, match="there is no run 'run-x' here; `muster list` shows all runs"):
        await require_request(bus, "run-x")

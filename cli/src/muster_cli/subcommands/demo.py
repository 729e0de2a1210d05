"""`muster demo`: the bundled cases against the bundled shop, once healthy and once with a fault built in."""

import os
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import click

from muster_cases.case_loader import load_paths
from muster_cli.app import console, perform, tell
from muster_cli.case_jobs import Changes, Job, make_jobs
from muster_cli.display import display
from muster_cli.embedded import Plan, embedded
from muster_cli.named_files import require_folder
from muster_cli.options import REPORT, example, run_timeout
from muster_cli.report_writer import write_report
from muster_cli.runner import Options, run_on_fleet
from muster_cli.shop import demo_shop
from muster_cli.table import failed_outcomes, failure_text, verdict_table
from muster_protocol.causes import Cause
from muster_service.settings import take_secrets
from muster_views.outcome import INTERRUPTED, CaseOutcome, Report
from muster_views.summaries import describe_totals

BUG = "total"
BUGGY_CASE = "03-cart-total.yaml"
PASSWORD = "swordfish"
PASS, FAIL = "pass", f"fail ({Cause.PRODUCT})"


@click.command(
    short_help="Run the bundled cases on a small web shop.",
    epilog=example("muster demo", "muster demo --report demo-report/"),
)
@click.option("--workers", type=click.IntRange(1, 16), default=2, show_default=True, help="Workers to start.")
@REPORT
@run_timeout(180.0)
def demo(workers: int, report: Path | None, timeout: float) -> None:
    """Run the bundled test cases on the bundled web shop, in a real browser, without a model.

    The shop is served twice, once with a fault built in that one case has to find. Exits 0 when each verdict is the
    expected one. Needs a clone of the repository.
    """
    examples = find_examples([Path(__file__).parents[4], Path.cwd()])
    perform(lambda: _demo(examples, workers, report, timeout))


def find_examples(roots: Sequence[Path]) -> Path:
    """Return the folder `examples` below the first root that has it.

    Raises:
        click.UsageError: none has it.
    """
    for root in roots:
        if (root / "examples/shop/server.py").is_file() and (root / "examples/cases").is_dir():
            examples = root / "examples"
            return examples.relative_to(Path.cwd()) if examples.is_relative_to(Path.cwd()) else examples
    raise click.UsageError(
        "the examples are not here: they come with the repository, not with the package. Clone it and run `make demo`."
    )


def demo_jobs(examples: Path, healthy: str, buggy: str) -> tuple[list[Job], dict[str, str]]:
    """Return the jobs, and by run id the expected verdicts; the addresses are those of the two shops.

    Raises:
        InvalidRequest: the examples cannot be read.
    """
    good = make_jobs(load_paths([examples / "cases"]), Changes({"base_url": healthy}))
    bad = make_jobs(load_paths([examples / "cases" / BUGGY_CASE]), Changes({"base_url": buggy}))
    bad = [job._replace(label=f"{job.label} (bug)") for job in bad]
    wanted = {job.case.request.id: PASS for job in good} | {job.case.request.id: FAIL for job in bad}
    return [*good, *bad], wanted


def is_expected(outcome: CaseOutcome, wanted: Mapping[str, str]) -> bool:
    """Return whether a run ended with the expected verdict. Pure."""
    return describe_verdict(outcome) == wanted[outcome.run]


def describe_verdict(outcome: CaseOutcome) -> str:
    """Return the verdict with its cause, as `wanted` holds them. Pure."""
    if outcome.verdict is None:
        return "none"
    return PASS if outcome.cause is None else f"{outcome.verdict.status} ({outcome.cause})"


async def _demo(examples: Path, workers: int, folder: Path | None, timeout: float) -> int:
    if folder:
        require_folder(folder, "--report")
    shop = examples / "shop/server.py"
    env = {**os.environ, "SHOP_PASSWORD": PASSWORD}
    take_secrets(env)
    async with AsyncExitStack() as stack:
        tell(f"Starting two shops, NATS, orchestrator, {workers} workers, session host and gateway …")
        healthy = await stack.enter_async_context(demo_shop(shop, env))
        buggy = await stack.enter_async_context(demo_shop(shop, env, BUG))
        jobs, wanted = demo_jobs(examples, healthy, buggy)
        plan = Plan(
            workers=workers,
            worker_env={"SECRET_SHOP_PASSWORD": PASSWORD},
            max_runs=2 * workers,
            logs=folder / "services" if folder else None,
        )
        fleet = await stack.enter_async_context(embedded(plan, os.environ, tell))
        tell(f"Ready. The shop is at {healthy}, and with a fault built in at {buggy}.\n")
        shown = await stack.enter_async_context(display(console()))
        report = await run_on_fleet(fleet, jobs, shown, Options(timeout))
        if folder:
            await write_report(fleet.bus, report, folder)
    return _print_result(report, wanted)


def _print_result(report: Report, wanted: Mapping[str, str]) -> int:
    out = console()
    out.print(verdict_table(report, wanted))
    for outcome in failed_outcomes(report):
        out.print(failure_text(outcome))
    right = sum(is_expected(outcome, wanted) for outcome in report.runs)
    out.print(describe_totals(report))
    out.print(f"{right} of {len(report.runs)} verdicts are the expected ones.", style="bold")
    if report.stopped == "interrupted":
        return INTERRUPTED
    return int(right != len(report.runs))

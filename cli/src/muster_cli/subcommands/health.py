"""`muster health`: which tests can be trusted."""

from collections.abc import Sequence

import click
from rich.table import Table
from rich.text import Text

from muster_cli.app import client, console, perform, print_json, print_table
from muster_cli.lookup import run_rows
from muster_cli.options import JSON, NATS, example, row_limit
from muster_cli.table import new_table
from muster_protocol.errors import InvalidRequest
from muster_views.suite_health import CaseHealth, FailureCluster, SuiteHealth, analyse
from muster_views.texts import format_seconds, format_time, to_one_line

STYLES = {"healthy": "green", "flaky": "yellow", "broken": "bold red", "unknown": "dim"}


@click.command(
    short_help="Show which tests are flaky or broken.",
    epilog=example("muster health", "muster health --suite nightly", "muster health --suite nightly --json"),
)
@click.option("--suite", default="", metavar="ID", help="Only this suite.")
@click.option("--all", "healthy", is_flag=True, help="List healthy tests, too.")
@row_limit(order="worst first")
@NATS
@JSON
def health(*, suite: str, healthy: bool, limit: int, nats: str | None, as_json: bool) -> None:
    """Judge tests by the runs that the fleet still knows, at most the newest 60 of each.

    healthy: hardly ever fails. flaky: fails now and then, without a pattern. broken: has failed since a certain run.
    unknown: too few runs to decide. Runs that did not judge the product count as `unjudged`.
    """

    async def work() -> int:
        async with client(nats) as bus:
            rows = [row for row in await run_rows(bus) if not suite or row.suite == suite]
        if suite and not rows:
            raise InvalidRequest([f"suite {suite!r} has no runs; `muster list` shows all runs"])
        found = analyse(rows)
        if as_json:
            print_json(found)
        else:
            print_health(found, healthy=healthy, limit=limit)
        return 0

    perform(work)


def print_health(found: SuiteHealth, *, healthy: bool, limit: int) -> None:
    """Print the worst tests, at most `limit`; healthy ones only if asked for or slower than before."""
    shown = [case for case in found.cases if healthy or case.health != "healthy" or case.slower]
    if shown:
        print_table(shown, limit, _case_table)
    if not found.cases:
        click.echo("no test has run yet")
        return
    well = sum(case.health == "healthy" for case in found.cases)
    click.echo(f"{well} of {len(found.cases)} tests are healthy")
    if found.clusters:
        console().print(_cluster_table(found.clusters))


def _case_table(cases: Sequence[CaseHealth]) -> Table:
    """Return the tests as people read them. Pure."""
    numbers = ("failed", "flips", "unjudged", "time")
    table = new_table("health", "test", *numbers, "remark", wrapped="remark", right=numbers)
    for case in cases:
        counts = (f"{case.failed}/{case.runs}", str(case.flips), str(case.unjudged or ""), format_seconds(case.seconds))
        name = to_one_line(case.name, 60)
        table.add_row(
            Text(case.health, STYLES[case.health]), Text(name), *map(Text, counts), Text(_describe_remark(case))
        )
    return table


def _describe_remark(case: CaseHealth) -> str:
    """Return what else is to be known of a test. Pure."""
    parts = [f"fails since {format_time(case.broken_since)} ({case.broken_by})"] if case.broken_by else []
    parts += [f"{case.passed_again} passed when run again"] if case.passed_again else []
    parts += [f"takes {case.slower:g} times as long as before"] if case.slower else []
    return "; ".join(parts)


def _cluster_table(clusters: Sequence[FailureCluster]) -> Table:
    """Return the clusters of fails as people read them. Pure."""
    table = new_table(
        "fails", "tests", "newest run", "what they share", wrapped="what they share", right=("fails", "tests")
    )
    for cluster in clusters[:20]:
        cells = (str(cluster.runs), str(len(cluster.cases)), cluster.example, to_one_line(cluster.signature, 160))
        table.add_row(*map(Text, cells))
    return table

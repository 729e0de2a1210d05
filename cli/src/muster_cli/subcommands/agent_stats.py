"""`muster agents stats`: what agents have done and cost."""

from collections.abc import Sequence

import click
from rich.table import Table
from rich.text import Text

from muster_bus.run_store import read_entries
from muster_cli.app import client, console, perform, print_json
from muster_cli.lookup import run_rows
from muster_cli.options import JSON, NATS, example
from muster_cli.table import new_table
from muster_protocol.errors import InvalidRequest
from muster_views.agent_figures import AgentFigures, Figures
from muster_views.history import events_in, fold_events
from muster_views.texts import format_count, format_money, format_seconds, format_usage


@click.command(
    short_help="Show what agents have done and cost.",
    epilog=example(
        "muster agents stats", "muster agents stats --suite nightly --last 50", "muster agents stats researcher --json"
    ),
)
@click.argument("agents", nargs=-1, metavar="[AGENT…]")
@click.option("--suite", default="", metavar="ID", help="Only runs of this suite.")
@click.option("--last", type=click.IntRange(1), default=200, show_default=True, help="Runs to read, newest first.")
@NATS
@JSON
def stats(*, agents: tuple[str, ...], suite: str, last: int, nats: str | None, as_json: bool) -> None:
    """Show cost, calls, tokens and success of each agent, from the logs of runs that the fleet still has.

    A sub-task counts once, by the outcome of its last attempt; the use of all its attempts is added up. Steps that
    phrases carried out belong to no agent.
    """

    async def work() -> int:
        figures = Figures()
        async with client(nats) as bus:
            rows = [row for row in await run_rows(bus) if not suite or row.suite == suite][:last]
            for row in rows:
                figures.add(fold_events(events_in(await read_entries(bus, row.run)), row.run))
        known = figures.all()
        shown = [it for it in known if not agents or it.agent in agents]
        if missing := sorted(set(agents) - {it.agent for it in known}):
            names = ", ".join(it.agent for it in known) or "none"
            raise InvalidRequest([f"no agent {missing[0]!r} has worked in these runs; these have: {names}"])
        if as_json:
            print_json({"runs": figures.runs, "agents": shown})
        else:
            _print(shown, figures)
        return 0

    perform(work)


def _print(shown: Sequence[AgentFigures], figures: Figures) -> None:
    if shown:
        console().print(_figures_table(shown))
    used = figures.total()
    spent = (format_count(used.model_calls, "question"), format_count(used.calls, "tool call"), format_usage(used))
    click.echo(f"{format_count(figures.runs, 'run')}: {', '.join(filter(None, spent))}")


def _figures_table(shown: Sequence[AgentFigures]) -> Table:
    """Return the figures as people read them. Pure."""
    numbers = ("runs", "sub-tasks", "success", "retries", "calls", "questions", "tokens in", "out", "time", "cost")
    table = new_table("agent", *numbers, right=numbers)
    for it in shown:
        used, success = it.usage, it.success
        counts = (it.runs, it.sub_tasks, "" if success is None else f"{success:.0%}", it.retries or "")
        spent = (used.calls, used.model_calls, used.input_tokens, used.output_tokens)
        cells = (it.agent, *counts, *spent, format_seconds(used.seconds), format_money(used.cost) if used.cost else "")
        table.add_row(*(Text(str(cell)) for cell in cells))
    return table

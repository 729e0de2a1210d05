"""`muster state`: a run as it was after any event of its log."""

import click
from rich.text import Text

from muster_bus.run_store import read_log
from muster_cli.app import client, console, perform, print_json
from muster_cli.lookup import require_request
from muster_cli.options import JSON, NATS, example
from muster_cli.subcommands.show import describe_run
from muster_views.history import events_in, fold_events
from muster_views.moments import LoggedEvent, RunMoment, list_events, view_moment
from muster_views.outcome import build_outcome


@click.command(
    short_help="Show a run as it was after any event of its log.",
    epilog=example("muster state run-3f9c27d1a0b4e865", "muster state run-3f9c27d1a0b4e865 --at 12"),
)
@click.argument("run")
@click.option(
    "--at", type=click.IntRange(min=1), metavar="N", help="The number of the event; default: list all events."
)
@NATS
@JSON
def state(*, run: str, at: int | None, nats: str | None, as_json: bool) -> None:
    """List the events of a run's log, or show the run as it was after one of them, and what it waited for then."""

    async def work() -> int:
        async with client(nats) as bus:
            await require_request(bus, run)
            found = await read_log(bus, run)
        happened = list(events_in(found.entries))
        if at is None:
            events = list_events(happened)
            print_json(events) if as_json else _print_events(events)
            return 0
        moment = view_moment(happened, run, at)
        if as_json:
            print_json(moment)
            return 0
        console().print(
            Text(f"event {at} of {moment.events}, {_format_event(moment.event, happened[0].at)}", style="bold")
        )
        history = fold_events(happened[:at], run)
        console().print(describe_run(history, build_outcome(history, run), moment.event.at))
        _print_waits(moment)
        return 0

    perform(work)


def _print_events(events: tuple[LoggedEvent, ...]) -> None:
    """Print events, one a line."""
    for event in events:
        click.echo(f"{event.number:>4}  {_format_event(event, events[0].at)}")


def _format_event(event: LoggedEvent, began: float) -> str:
    """Return an event as text, with its seconds since the run began. Pure."""
    return f"{event.at - began:+9.3f} s  {event.type:<16} {event.text}".rstrip()


def _print_waits(moment: RunMoment) -> None:
    """Print what the run waited for."""
    click.echo("It waited for nothing: it was over." if not moment.waits else "What it waited for:")
    for line in moment.waits:
        click.echo(f"- {line}")

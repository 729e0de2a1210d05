"""`muster triggers`: runs that a schedule starts."""

import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from muster_bus import Bus
from muster_cli.app import client, console, perform, print_json, tell
from muster_cli.options import JSON, NATS, OrderedGroup, example
from muster_cli.table import new_table
from muster_cli.trigger_files import read_trigger
from muster_client import trigger_store
from muster_client.schedules import delay, next_times
from muster_protocol.errors import InvalidRequest
from muster_protocol.triggers import Schedule, Trigger, TriggerRow
from muster_views.texts import format_count, format_time, to_one_line

ID = click.argument("id")
FILES = click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE…"
)


@click.group(
    cls=OrderedGroup,
    short_help="Start runs by a schedule.",
    epilog=example(
        "muster triggers next nightly.yaml        when a file would run its cases; needs no fleet",
        "muster triggers push nightly.yaml        store it; it runs from its next time on",
        "muster triggers list",
        "muster triggers fire nightly             run its cases now",
        "muster triggers pause nightly",
    ),
)
def triggers() -> None:
    """Start runs by a schedule. Any orchestrator of the fleet fires a time, and all of them together fire it once."""


@triggers.command("next", epilog=example("muster triggers next nightly.yaml --count 3"))
@FILES
@click.option("--count", type=click.IntRange(1, 1000), default=10, show_default=True, help="So many times.")
def next_(files: tuple[Path, ...], count: int) -> None:
    """Check trigger files, and print when each is due next. Needs no fleet."""
    try:
        found = [read_trigger(path) for path in files]
    except InvalidRequest as error:
        for reason in error.reasons:
            tell(f"muster: {reason}")
        raise SystemExit(2) from None
    for trigger in found:
        click.echo(f"{trigger.id}: {describe_schedule(trigger.schedule)}, {format_count(len(trigger.runs), 'case')}")
        for due in next_times(trigger.schedule, time.time(), count):
            click.echo(f"  {format_time(due + delay(trigger.schedule, trigger.id, due))}")


@triggers.command(epilog=example("muster triggers push nightly.yaml hourly.yaml"))
@FILES
@NATS
def push(files: tuple[Path, ...], nats: str | None) -> None:
    """Store triggers with the cases they run; one of the same id is replaced and keeps its history."""

    async def work() -> int:
        found = [read_trigger(path) for path in files]
        async with client(nats) as bus:
            for trigger in found:
                new = await trigger_store.put_trigger(bus, trigger)
                click.echo(f"{trigger.id}: {'stored' if new else 'replaced'}; next {_next(trigger, time.time())}")
        return 0

    perform(work)


@triggers.command("list", epilog=example("muster triggers list", "muster triggers list --json"))
@NATS
@JSON
def list_(nats: str | None, as_json: bool) -> None:
    """List the triggers of a fleet, when each is due next, and what became of its times."""

    async def work() -> int:
        async with client(nats) as bus:
            rows = await trigger_store.list_triggers(bus)
        if as_json:
            print_json(rows)
        elif rows:
            console().print(trigger_table(rows, time.time()))
        else:
            click.echo("no triggers; `muster triggers push FILE` stores one")
        return 0

    perform(work)


@triggers.command(epilog=example("muster triggers show nightly"))
@ID
@NATS
@JSON
def show(id: str, nats: str | None, as_json: bool) -> None:
    """Show a trigger: its schedule, its next times, and its newest fires with their runs."""

    async def work() -> int:
        async with client(nats) as bus:
            row = await trigger_store.get_trigger(bus, id)
        if as_json:
            print_json(row)
        else:
            click.echo(describe_trigger(row, time.time()))
        return 0

    perform(work)


@triggers.command(epilog=example("muster triggers fire nightly"))
@ID
@NATS
def fire(id: str, nats: str | None) -> None:
    """Run a trigger's cases now; its schedule goes on as before."""
    _steer(nats, lambda bus: trigger_store.fire_trigger(bus, id), f"{id}: an orchestrator starts its runs")


@triggers.command(epilog=example("muster triggers pause nightly"))
@ID
@NATS
def pause(id: str, nats: str | None) -> None:
    """Let a trigger rest. Its times pass meanwhile and are not made up for."""
    _steer(nats, lambda bus: trigger_store.pause_trigger(bus, id), f"{id}: paused")


@triggers.command(epilog=example("muster triggers resume nightly"))
@ID
@NATS
def resume(id: str, nats: str | None) -> None:
    """Let a paused trigger go on with its next time."""
    _steer(nats, lambda bus: trigger_store.resume_trigger(bus, id), f"{id}: goes on")


@triggers.command(epilog=example("muster triggers drop nightly"))
@ID
@NATS
def drop(id: str, nats: str | None) -> None:
    """Remove a trigger. Runs that it has started go on."""
    _steer(nats, lambda bus: trigger_store.drop_trigger(bus, id), f"{id}: removed")


def _steer(nats: str | None, change: Callable[[Bus], Awaitable[None]], done: str) -> None:
    async def work() -> int:
        async with client(nats) as bus:
            await change(bus)
        click.echo(done)
        return 0

    perform(work)


def describe_schedule(schedule: Schedule) -> str:
    """Return a schedule in words. Pure."""
    if schedule.every_seconds is not None:
        when = f"every {schedule.every_seconds:g} s"
    else:
        when = f"{schedule.cron} ({schedule.timezone})"
    return f"{when}, up to {schedule.jitter_seconds:g} s later" if schedule.jitter_seconds else when


def trigger_table(rows: Sequence[TriggerRow], now: float) -> Table:
    """Return triggers as people read them. Pure."""
    counts = ("fired", "skipped", "missed", "refused")
    table = new_table("trigger", "next", *counts, "newest", "schedule", wrapped="schedule", right=counts)
    for row in rows:
        newest = row.fires[-1] if row.fires else None
        numbers = (str(getattr(row, name)) for name in counts)
        told = f"{newest.outcome} {format_time(newest.at)}" if newest else ""
        upcoming = "paused" if row.paused else _next(row.trigger, now)
        cells = (row.trigger.id, upcoming, *numbers, told, describe_schedule(row.trigger.schedule))
        table.add_row(*map(Text, cells))
    return table


def describe_trigger(row: TriggerRow, now: float) -> str:
    """Return everything about a trigger as text. Pure."""
    trigger = row.trigger
    lines = [f"{trigger.id}: {describe_schedule(trigger.schedule)}{', paused' if row.paused else ''}"]
    lines += [f"  {to_one_line(trigger.description)}"] if trigger.description else []
    lines += [f"  runs {to_one_line(run.job.name)}" for run in trigger.runs]
    lines += [f"  overlap: {trigger.overlap}; late by more than {trigger.catch_up_seconds:g} s: missed"]
    upcoming = [] if row.paused else next_times(trigger.schedule, now, 3)
    lines += [f"  next: {format_time(due + delay(trigger.schedule, trigger.id, due))}" for due in upcoming]
    for fire in reversed(row.fires):
        runs = f" {', '.join(fire.runs)}" if fire.runs else ""
        by = ", by hand" if fire.manual else ""
        lines.append(f"  {format_time(fire.due)}: {fire.outcome}{by}{runs}{f' — {fire.why}' if fire.why else ''}")
    return "\n".join(lines)


def _next(trigger: Trigger, now: float) -> str:
    (due,) = next_times(trigger.schedule, now, 1) or (0.0,)
    return format_time(due + delay(trigger.schedule, trigger.id, due)) if due else "never"

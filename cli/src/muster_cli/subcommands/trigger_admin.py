"""`muster triggers`: runs that a schedule or an event starts."""

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import click

from muster_agents import load_definitions, with_files
from muster_bus import Bus
from muster_bus.case_store import CaseStore
from muster_bus.definition_store import DefinitionStore
from muster_cli.app import client, perform, print_json, print_table, tell
from muster_cli.options import JSON, NATS, OrderedGroup, example, row_limit
from muster_cli.subcommands.agent_releases import read_newest
from muster_cli.trigger_files import read_trigger
from muster_cli.trigger_texts import describe_trigger, explain_event, next_time, trigger_table
from muster_client import trigger_store
from muster_client.event_rules import matches, read_event
from muster_client.event_sending import send_event
from muster_client.missing_names import find_missing_orders
from muster_protocol.errors import InvalidRequest
from muster_protocol.triggers import Trigger
from muster_subagent.agent_catalogue import NAMES
from muster_views.texts import format_count, format_time
from muster_views.trigger_view import describe_reason, upcoming_times


def _moment(_ctx: click.Context, _option: click.Parameter, value: str) -> float:
    """Return the Unix time (seconds) of a moment written in ISO 8601.

    Raises:
        click.BadParameter: the text is not a time.
    """
    try:
        found = datetime.fromisoformat(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not a time; write it as 2026-11-24T12:00") from error
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


ID = click.argument("id")
FILES = click.argument(
    "files", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE…"
)


@click.group(
    cls=OrderedGroup,
    short_help="Start runs by a schedule or an event.",
    epilog=example(
        "muster triggers next nightly.yaml        when a file would run its cases; needs no fleet",
        "muster triggers try deploy.yaml event.json   what an event would run; needs no fleet",
        "muster triggers push nightly.yaml        store it; it runs from its next time on",
        "muster triggers list",
        "muster triggers fire nightly             run its cases now",
        "muster triggers pause nightly",
    ),
)
def triggers() -> None:
    """Start runs by a schedule or an event.

    The orchestrators of the fleet fire each time, and handle each event, exactly once.
    """


@triggers.command("next", epilog=example("muster triggers next nightly.yaml --count 3"))
@FILES
@click.option("--count", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of times.")
def next_(files: tuple[Path, ...], count: int) -> None:
    """Check trigger files, and print when each is due next. Needs no fleet."""
    for trigger in _read_or_exit(files):
        click.echo(f"{trigger.id}: {describe_reason(trigger)}, {format_count(len(trigger.runs), 'case')}")
        for due in upcoming_times(trigger, time.time(), count):
            click.echo(f"  {format_time(due)}")


@triggers.command("try", epilog=example("muster triggers try deploy.yaml event.json"))
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("event", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def try_(file: Path, event: Path) -> None:
    """Say what a trigger file would run for a CloudEvent in JSON. Needs no fleet; exits with 1 if nothing."""
    (trigger,) = _read_or_exit((file,))
    try:
        found = read_event(event.read_bytes(), {})
        click.echo(explain_event(trigger, found))
    except InvalidRequest as error:
        _exit(error)
    raise SystemExit(0 if trigger.event and matches(trigger.event, found) else 1)


def _read_or_exit(files: Sequence[Path]) -> list[Trigger]:
    try:
        return [read_trigger(path) for path in files]
    except InvalidRequest as error:
        _exit(error)


def _exit(error: InvalidRequest) -> NoReturn:
    for reason in error.reasons:
        tell(f"muster: {reason}")
    raise SystemExit(2) from None


@triggers.command(epilog=example("muster triggers send event.json"))
@click.argument("event", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@NATS
def send(event: Path, nats: str | None) -> None:
    """Send a CloudEvent in JSON to the fleet. The triggers that wait for it start their runs."""
    written = event.read_bytes()

    async def work() -> int:
        found = read_event(written, {})
        async with client(nats) as bus:
            new = await send_event(bus, found)
        click.echo(f"{found.type} {found.id}: {'sent' if new else 'sent before: the same source and id count once'}")
        return 0

    perform(work)


@triggers.command(epilog=example("muster triggers push nightly.yaml hourly.yaml"))
@FILES
@NATS
def push(files: tuple[Path, ...], nats: str | None) -> None:
    """Store triggers with the cases they run. One of the same id is replaced and keeps its history.

    Warns of cases and agents that a trigger names and that the fleet does not have; they may come later.
    """

    async def work() -> int:
        found = [read_trigger(path) for path in files]
        async with client(nats) as bus:
            cases, agents = await _read_names(bus)
            for trigger in found:
                for missing in find_missing_orders(trigger, cases, agents):
                    tell(f"muster: {trigger.id}: {missing}")
                new = await trigger_store.put_trigger(bus, trigger)
                click.echo(
                    f"{trigger.id}: {'stored' if new else 'replaced'}; next {next_time(trigger, bus.clock.now())}"
                )
        return 0

    perform(work)


async def _read_names(bus: Bus) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ids of stored cases and of all agents: built in, pushed to the fleet, or in the local AGENTS_DIR."""
    stored = await CaseStore(bus).all()
    folder = os.environ.get("AGENTS_DIR")
    definitions = load_definitions(Path(folder) if folder else None, NAMES)
    definitions = with_files(definitions, await read_newest(DefinitionStore(bus)), "pushed/", NAMES)
    return frozenset(case.id for case in stored), frozenset(definitions.agents.by_id)


@triggers.command("list", epilog=example("muster triggers list", "muster triggers list --json"))
@row_limit()
@NATS
@JSON
def list_(*, limit: int, nats: str | None, as_json: bool) -> None:
    """List the triggers of a fleet with their next and past times."""

    async def work() -> int:
        async with client(nats) as bus:
            rows = await trigger_store.list_triggers(bus)
        if as_json:
            print_json(rows)
        elif rows:
            print_table(rows, limit, lambda some: trigger_table(some, bus.clock.now()))
        else:
            click.echo("no triggers; `muster triggers push FILE` stores one")
        return 0

    perform(work)


@triggers.command(epilog=example("muster triggers show nightly"))
@ID
@NATS
@JSON
def show(id: str, nats: str | None, as_json: bool) -> None:
    """Show a trigger with its schedule, next times and newest runs."""

    async def work() -> int:
        async with client(nats) as bus:
            row = await trigger_store.get_trigger(bus, id)
        if as_json:
            print_json(row)
        else:
            click.echo(describe_trigger(row, bus.clock.now()))
        return 0

    perform(work)


@triggers.command(epilog=example("muster triggers fire nightly"))
@ID
@NATS
def fire(id: str, nats: str | None) -> None:
    """Run a trigger's cases now; its schedule does not change."""
    _steer(nats, lambda bus: trigger_store.fire_trigger(bus, id), f"{id}: an orchestrator starts its runs")


@triggers.command(
    epilog=example("muster triggers backfill nightly --from 2026-11-20T00:00 --to 2026-11-24T12:00"),
)
@ID
@click.option(
    "--from",
    "since",
    metavar="TIME",
    callback=_moment,
    required=True,
    help="First moment, in UTC unless it has an offset.",
)
@click.option("--to", "until", metavar="TIME", callback=_moment, required=True, help="Last moment.")
@NATS
def backfill(id: str, since: float, until: float, nats: str | None) -> None:
    """Fire times of a trigger's schedule that have passed, in order.

    Each time waits until the runs of the previous one are over, unless the trigger's `overlap` is `allow`. A time whose
    runs were already started starts none.
    """

    async def work() -> int:
        async with client(nats) as bus:
            times = await trigger_store.backfill_trigger(bus, id, since, until)
        click.echo(
            f"{id}: an orchestrator makes up for {format_count(len(times), 'time')}, from {format_time(times[0])}"
        )
        return 0

    perform(work)


@triggers.command(epilog=example("muster triggers pause nightly"))
@ID
@NATS
def pause(id: str, nats: str | None) -> None:
    """Pause a trigger. Times that pass meanwhile are not made up for."""
    _steer(nats, lambda bus: trigger_store.pause_trigger(bus, id), f"{id}: paused")


@triggers.command(epilog=example("muster triggers resume nightly"))
@ID
@NATS
def resume(id: str, nats: str | None) -> None:
    """Resume a paused trigger; it fires at its next time."""
    _steer(nats, lambda bus: trigger_store.resume_trigger(bus, id), f"{id}: goes on")


@triggers.command(epilog=example("muster triggers drop nightly"))
@ID
@NATS
def drop(id: str, nats: str | None) -> None:
    """Remove a trigger. Runs that it has started continue."""
    _steer(nats, lambda bus: trigger_store.drop_trigger(bus, id), f"{id}: removed")


def _steer(nats: str | None, change: Callable[[Bus], Awaitable[None]], done: str) -> None:
    async def work() -> int:
        async with client(nats) as bus:
            await change(bus)
        click.echo(done)
        return 0

    perform(work)

"""Triggers in words. Pure."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from muster_cli.table import new_table
from muster_client.event_rules import matches, take_values
from muster_protocol.cloud_events import CloudEvent
from muster_protocol.triggers import Trigger, TriggerRow
from muster_views.texts import format_time, to_one_line
from muster_views.trigger_view import describe_event, describe_reason, upcoming_times


def explain_event(trigger: Trigger, event: CloudEvent) -> str:
    """Return what a trigger would run for an event, or why nothing. Pure.

    Raises:
        InvalidRequest: a value of the event is missing or not allowed.
    """
    if trigger.event is None:
        return f"nothing: {trigger.id} waits for no event"
    if not matches(trigger.event, event):
        return f"nothing: {trigger.id} waits for {describe_event(trigger.event)}; not {event.type} of {event.source}"
    values = take_values(trigger.from_event, event)
    lines = [f"runs {to_one_line(run.job.name)}" for run in trigger.runs]
    return "\n".join([*lines, *(f"  {name} = {value}" for name, value in values.items())])


def trigger_table(rows: Sequence[TriggerRow], now: float) -> Table:
    """Return triggers as people read them. Pure."""
    counts = ("fired", "skipped", "missed", "refused")
    table = new_table("trigger", "next", *counts, "newest", "starts", wrapped="starts", right=counts)
    for row in rows:
        newest = row.fires[-1] if row.fires else None
        numbers = (str(getattr(row, name)) for name in counts)
        told = f"{newest.outcome} {format_time(newest.at)}" if newest else ""
        upcoming = "paused" if row.paused else next_time(row.trigger, now, row.handled_until)
        cells = (row.trigger.id, upcoming, *numbers, told, describe_reason(row.trigger))
        table.add_row(*map(Text, cells))
    return table


def describe_trigger(row: TriggerRow, now: float) -> str:
    """Return everything about a trigger as text. Pure."""
    trigger = row.trigger
    lines = [f"{trigger.id}: {describe_reason(trigger)}{', paused' if row.paused else ''}"]
    lines += [f"  {to_one_line(trigger.description)}"] if trigger.description else []
    lines += [f"  runs {to_one_line(run.job.name)}" for run in trigger.runs]
    lines += [f"  overlap: {trigger.overlap}; late by more than {trigger.catch_up_seconds:g} s: missed"]
    lines += [f"  makes up for {len(row.backfill)} times more"] if row.backfill else []
    lines += [f"  {format_time(row.waiting.due)}: waits for the runs before"] if row.waiting else []
    upcoming = [] if row.paused else upcoming_times(trigger, now, 3, row.handled_until)
    lines += [f"  next: {format_time(due)}" for due in upcoming]
    for fire in reversed(row.fires):
        runs = f" {', '.join(fire.runs)}" if fire.runs else ""
        by = ", by hand" if fire.manual else ", by an event" if fire.event else ""
        lines.append(
            f"  {format_time(fire.due)}: {fire.outcome}{by}{runs}{f' — {to_one_line(fire.why)}' if fire.why else ''}"
        )
    return "\n".join(lines)


def next_time(trigger: Trigger, now: float, handled: float | None = None) -> str:
    """Return when a trigger is due next, in words. Pure."""
    if trigger.schedule is None:
        return "on an event"
    (due,) = upcoming_times(trigger, now, 1, handled) or (0.0,)
    return format_time(due) if due else "never"

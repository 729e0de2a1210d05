"""Triggers in words. Pure."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from muster_cli.table import new_table
from muster_client.event_rules import matches, take_values
from muster_client.schedules import delay, next_times
from muster_protocol.cloud_events import CloudEvent, EventFilter
from muster_protocol.triggers import Schedule, Trigger, TriggerRow
from muster_views.texts import format_time, to_one_line


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


def describe_reason(trigger: Trigger) -> str:
    """Return what starts a trigger's runs, in words. Pure."""
    reasons = [describe_schedule(trigger.schedule)] if trigger.schedule else []
    reasons += [f"on {describe_event(trigger.event)}"] if trigger.event else []
    return " and ".join(reasons)


def describe_event(wanted: EventFilter) -> str:
    """Return the events a trigger waits for, in words. Pure."""
    source = [] if wanted.source == "**" else [f"of {wanted.source}"]
    where = [f"{path} = {value}" for path, value in wanted.where.items()]
    return " ".join([wanted.type, *source, *(["with", ", ".join(where)] if where else [])])


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
    table = new_table("trigger", "next", *counts, "newest", "starts", wrapped="starts", right=counts)
    for row in rows:
        newest = row.fires[-1] if row.fires else None
        numbers = (str(getattr(row, name)) for name in counts)
        told = f"{newest.outcome} {format_time(newest.at)}" if newest else ""
        upcoming = "paused" if row.paused else next_time(row.trigger, now)
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
    lines += [f"  next: {format_time(due)}" for due in ([] if row.paused else upcoming_times(trigger, now, 3))]
    for fire in reversed(row.fires):
        runs = f" {', '.join(fire.runs)}" if fire.runs else ""
        by = ", by hand" if fire.manual else ", by an event" if fire.event else ""
        lines.append(f"  {format_time(fire.due)}: {fire.outcome}{by}{runs}{f' — {fire.why}' if fire.why else ''}")
    return "\n".join(lines)


def next_time(trigger: Trigger, now: float) -> str:
    """Return when a trigger is due next, in words. Pure."""
    if trigger.schedule is None:
        return "on an event"
    (due,) = upcoming_times(trigger, now, 1) or (0.0,)
    return format_time(due) if due else "never"


def upcoming_times(trigger: Trigger, now: float, count: int) -> list[float]:
    """Return the next times with their jitter."""
    schedule = trigger.schedule
    if schedule is None:
        return []
    return [due + delay(schedule, trigger.id, due) for due in next_times(schedule, now, count)]

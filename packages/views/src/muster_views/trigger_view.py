"""A trigger as people see it: in words, with its next times and what became of the last ones. Pure."""

from msgspec import Struct

from muster_client.schedules import delay, due_times, next_times
from muster_protocol.cloud_events import EventFilter
from muster_protocol.triggers import Fire, Overlap, Schedule, Trigger, TriggerRow

NEXT = 10
"""Times that are shown."""


class TriggerView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trigger, without the cases themselves."""

    id: str
    starts: str
    """What starts its runs, in words."""
    description: str = ""
    scheduled: bool = False
    """Whether it has a schedule, whose times can be made up for."""
    paused: bool = False
    overlap: Overlap
    catch_up_seconds: float
    cases: tuple[str, ...]
    """Names of the jobs it runs."""
    next: tuple[float, ...] = ()
    """Its next times (Unix seconds), jitter included; none while it is paused."""
    pending: bool = False
    """Whether an orchestrator is about to start runs of it."""
    fires: tuple[Fire, ...] = ()
    """What became of its newest times, newest first."""
    fired: int
    skipped: int
    missed: int
    refused: int


def view_trigger(row: TriggerRow, now: float) -> TriggerView:
    """Return a trigger as people see it at a time (Unix seconds)."""
    trigger = row.trigger
    return TriggerView(
        id=trigger.id,
        starts=describe_reason(trigger),
        description=trigger.description,
        scheduled=trigger.schedule is not None,
        paused=row.paused,
        overlap=trigger.overlap,
        catch_up_seconds=trigger.catch_up_seconds,
        cases=tuple(run.job.name for run in trigger.runs),
        next=() if row.paused else tuple(upcoming_times(trigger, now, NEXT, row.handled_until)),
        pending=bool(row.pending or row.asked_at or row.waiting or row.backfill),
        fires=tuple(reversed(row.fires)),
        fired=row.fired,
        skipped=row.skipped,
        missed=row.missed,
        refused=row.refused,
    )


def describe_reason(trigger: Trigger) -> str:
    """Return what starts a trigger's runs, in words."""
    reasons = [describe_schedule(trigger.schedule)] if trigger.schedule else []
    reasons += [f"on {describe_event(trigger.event)}"] if trigger.event else []
    return " and ".join(reasons)


def describe_event(wanted: EventFilter) -> str:
    """Return the events a trigger waits for, in words."""
    source = [] if wanted.source == "**" else [f"of {wanted.source}"]
    where = [f"{path} = {value}" for path, value in wanted.where.items()]
    return " ".join([wanted.type, *source, *(["with", ", ".join(where)] if where else [])])


def describe_schedule(schedule: Schedule) -> str:
    """Return a schedule in words."""
    if schedule.every_seconds is not None:
        when = f"every {schedule.every_seconds:g} s"
    else:
        when = f"{schedule.cron} ({schedule.timezone})"
    return f"{when}, up to {schedule.jitter_seconds:g} s later" if schedule.jitter_seconds else when


def upcoming_times(trigger: Trigger, now: float, count: int, handled: float | None = None) -> list[float]:
    """Return the next times with their delays; `handled`: up to when times are decided, else up to now."""
    schedule = trigger.schedule
    if schedule is None:
        return []
    after = now if handled is None else min(now, max(handled, now - schedule.jitter_seconds))
    begun = due_times(schedule, after, now) if after < now else []
    dues = [*begun, *next_times(schedule, now, count)]
    times = [due + delay(schedule, trigger.id, due) for due in dues]
    return [time for time in times if time > now][:count]

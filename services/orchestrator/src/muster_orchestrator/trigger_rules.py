"""Decides the outcome of a trigger's next time, or of an event. Pure: row and time go in, the changed row comes out."""

from itertools import takewhile

from msgspec.structs import replace

from muster_client.event_rules import fill_runs, take_values, tell_event
from muster_client.schedules import delay, due_times, next_times
from muster_client.trigger_chains import CHAIN_LABEL, TRIGGER_LABEL, triggers_behind
from muster_protocol.cloud_events import RUN_ENDED, CloudEvent
from muster_protocol.errors import InvalidRequest
from muster_protocol.requests import RunRequest
from muster_protocol.triggers import MOST_FIRES, Fire, FireOutcome, Trigger, TriggerRow

PUNCTUAL_SECONDS = 3.0
"""A time that is decided so soon is never missed: orchestrators look once a second, and later if they are busy."""
LOOP = "a run of this trigger has led to the event; it would never end"


def next_decision(row: TriggerRow, now: float, *, overlapping: bool) -> TriggerRow | None:
    """Return the row after its next time is decided, or None if none is due.

    A time that is to fire becomes `pending`, with nothing started yet. Call it again until it returns None or a pending
    row: each call decides one thing, so that it can be stored by compare-and-set.
    """
    if row.asked_at:
        asked = Fire(due=row.asked_at, at=now, outcome="fired", manual=True)
        return replace(row, asked_at=0.0, pending=asked)
    trigger, free = row.trigger, not overlapping or row.trigger.overlap == "allow"
    if row.backfill and free:
        missed = Fire(due=row.backfill[0], at=now, outcome="fired", manual=True)
        return replace(row, backfill=row.backfill[1:], pending=missed)
    if row.waiting and free:
        return replace(row, waiting=None, pending=replace(row.waiting, at=now))
    if row.paused or trigger.schedule is None:
        return None
    (due,) = next_times(trigger.schedule, row.handled_until, 1) or (None,)
    if due is None or _lateness(trigger, due, now) < 0:
        return None
    if _is_missed(trigger, due, now):
        return _miss(row, now)
    fire = Fire(due=due, at=now, outcome="fired")
    if why := _find_overlap(row, overlapping=overlapping):
        return record(row, replace(fire, outcome="skipped", runs=row.running, why=why))
    if overlapping and trigger.overlap == "queue":
        return replace(row, waiting=fire, handled_until=due)
    return replace(row, pending=fire)


def decide_event(row: TriggerRow, event: CloudEvent, now: float, *, overlapping: bool) -> TriggerRow | None:
    """Return the row after an event that its trigger waits for is decided; None if it was decided before.

    An event that is to start runs becomes `pending`, as a time does; the row must have none pending yet.
    """
    fire = Fire(due=now, at=now, outcome="fired", event=event.key, chain=triggers_behind(event))
    known = (*row.fires, row.waiting) if row.waiting else row.fires
    if any(it.event == event.key for it in known):
        return None
    if row.trigger.id in fire.chain:
        return record(row, replace(fire, outcome="skipped", why=LOOP))
    if why := _find_rest(row, now, overlapping=overlapping):
        return record(row, replace(fire, outcome="skipped", why=why))
    try:
        about = event.id if event.type == RUN_ENDED else ""
        fire = replace(fire, values=take_values(row.trigger.from_event, event), told=tell_event(event), about=about)
        waits = overlapping and row.trigger.overlap == "queue"
        return replace(row, waiting=fire) if waits else replace(row, pending=fire)
    except InvalidRequest as error:
        return record(row, replace(fire, outcome="refused", why="; ".join(error.reasons)))


def _find_rest(row: TriggerRow, now: float, *, overlapping: bool) -> str:
    """Return why an event starts no runs now, or ""."""
    if row.paused:
        return "the trigger is paused"
    if why := _find_overlap(row, overlapping=overlapping):
        return why
    newest = max((fire.at for fire in row.fires if fire.event and fire.outcome == "fired"), default=None)
    if newest is not None and now - newest < row.trigger.cooldown_seconds:
        return f"less than {row.trigger.cooldown_seconds:g} s after the event before"
    return ""


def _find_overlap(row: TriggerRow, *, overlapping: bool) -> str:
    """Return why a time may not even wait for the runs before it, or ""."""
    if overlapping and row.trigger.overlap == "skip":
        return "runs of the time before are not over"
    if overlapping and row.trigger.overlap == "queue" and row.waiting:
        return "runs of the time before are not over, and another time waits for that already"
    return ""


def finish(row: TriggerRow, runs: tuple[str, ...], refusal: str = "") -> TriggerRow:
    """Return the row after the runs of its pending time were started, or refused."""
    assert row.pending is not None
    outcome: FireOutcome = "refused" if refusal else "fired"
    fire = replace(row.pending, outcome=outcome, runs=runs, why=refusal)
    return replace(record(row, fire), running=runs or row.running)


def give_up(row: TriggerRow, now: float, why: str) -> TriggerRow | None:
    """Return the row after its pending time has passed without room for its runs; None while it may still start."""
    pending = row.pending
    if pending is None or now - pending.at <= row.trigger.catch_up_seconds:
        return None
    return record(row, replace(pending, outcome="missed", why=why))


def record(row: TriggerRow, fire: Fire) -> TriggerRow:
    """Return the row with what became of a time; a person's fire and an event leave the schedule as it is."""
    row = replace(row, pending=None, fires=(*row.fires, replace(fire, told=""))[-MOST_FIRES:])
    if not (fire.manual or fire.event):
        row = replace(row, handled_until=max(row.handled_until, fire.due))
    match fire.outcome:
        case "fired":
            return replace(row, fired=row.fired + 1)
        case "skipped":
            return replace(row, skipped=row.skipped + 1)
        case "missed":
            return replace(row, missed=row.missed + 1)
        case "refused":
            return replace(row, refused=row.refused + 1)


def requests_of(trigger: Trigger, fire: Fire) -> tuple[RunRequest, ...]:
    """Return the runs of a time; each has a key of its own, so that however often it is submitted it is one run."""
    reason = f"event/{fire.event}" if fire.event else f"{fire.due:.3f}"
    key = f"trigger/{trigger.id}/{reason}"
    labels = {TRIGGER_LABEL: trigger.id}
    if fire.chain:
        labels[CHAIN_LABEL] = " ".join((*fire.chain, trigger.id))
    return tuple(
        replace(run, id="", idempotency_key=f"{key}/{number}", labels={**run.labels, **labels})
        for number, run in enumerate(fill_runs(trigger, fire), 1)
    )


def _is_missed(trigger: Trigger, due: float, now: float) -> bool:
    return _lateness(trigger, due, now) > max(trigger.catch_up_seconds, PUNCTUAL_SECONDS)


def _lateness(trigger: Trigger, due: float, now: float) -> float:
    """Return how many seconds ago a scheduled time was due, including its delay; negative if it is still to come."""
    assert trigger.schedule is not None
    return now - due - delay(trigger.schedule, trigger.id, due)


def _miss(row: TriggerRow, now: float) -> TriggerRow:
    """Return the row after all times that are too late were missed; one entry tells them together."""
    assert row.trigger.schedule is not None
    passed = due_times(row.trigger.schedule, row.handled_until, now)
    late = list(takewhile(lambda due: _is_missed(row.trigger, due, now), passed))
    why = (
        f"{len(late)} times passed while no orchestrator was running"
        if len(late) > 1
        else "no orchestrator was running"
    )
    missed = record(row, Fire(due=late[-1], at=now, outcome="missed", why=why))
    return replace(missed, missed=row.missed + len(late))

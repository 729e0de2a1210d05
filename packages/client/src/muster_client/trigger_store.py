"""Triggers as they are stored: put, paused, fired by hand, dropped."""

import math
from collections.abc import Callable

from msgspec.structs import replace

from muster_bus import Bus, Rows
from muster_client.event_rules import find_event_problems
from muster_client.schedules import due_times, find_schedule_problems
from muster_protocol import codec
from muster_protocol.errors import BusError, InvalidRequest
from muster_protocol.ids import is_token
from muster_protocol.triggers import MOST_BACKFILL, Trigger, TriggerRow
from muster_text.request_rules import find_problems
from muster_text.text_match import nearest

MOST_BYTES = 512 * 1024
"""Of a trigger with all its cases; the row also has its newest fires."""
TRIES = 10


def find_trigger_problems(trigger: Trigger) -> list[str]:
    """Return why a trigger cannot be stored; empty if it can."""
    problems = [] if is_token(trigger.id) else [f"id: {trigger.id!r} must be 1 to 64 letters, digits, '-' or '_'"]
    if trigger.schedule:
        problems += [f"schedule: {it}" for it in find_schedule_problems(trigger.schedule)]
    elif trigger.event is None:
        problems.append("it needs `schedule`, `event` or both")
    problems += find_event_problems(trigger)
    problems += [] if trigger.runs else ["it starts no run"]
    problems += [f"{run.job.name}: {why}" for run in trigger.runs for why in find_problems(run)]
    if (size := len(codec.encode(trigger))) > MOST_BYTES:
        problems.append(f"its cases take {size:,} bytes, the limit is {MOST_BYTES:,}; make several triggers of it")
    return problems


async def put_trigger(bus: Bus, trigger: Trigger) -> bool:
    """Store a trigger; return whether it is new. One that was there keeps its history, and times before now are over.

    Raises:
        InvalidRequest: it cannot be stored.
    """
    if problems := find_trigger_problems(trigger):
        raise InvalidRequest(problems)
    rows = Rows(bus, "TRIGGERS", TriggerRow)
    fresh = TriggerRow(trigger=trigger, handled_until=bus.clock.now())
    if await rows.create(trigger.id, fresh):
        return True
    now = bus.clock.now()
    await change_trigger(
        bus, trigger.id, lambda row: replace(row, trigger=trigger, handled_until=max(now, row.handled_until))
    )
    return False


async def change_trigger(bus: Bus, id: str, change: Callable[[TriggerRow], TriggerRow]) -> None:
    """Change a trigger by compare-and-set.

    Raises:
        InvalidRequest: there is no such trigger.
        BusError: others changed it again and again.
    """
    rows = Rows(bus, "TRIGGERS", TriggerRow)
    for _ in range(TRIES):
        row, revision = await _entry(rows, id)
        changed = change(row)
        if await rows.update(id, changed, revision) is not None:
            return
    raise BusError(f"trigger {id!r} keeps being changed by others; try again")


async def pause_trigger(bus: Bus, id: str) -> None:
    """Let a trigger rest; its times pass meanwhile."""
    await change_trigger(bus, id, lambda row: replace(row, paused=True))


async def resume_trigger(bus: Bus, id: str) -> None:
    """Let a trigger go on with its next time; those that passed meanwhile are not made up for."""
    now = bus.clock.now()

    def resumed(row: TriggerRow) -> TriggerRow:
        return replace(row, paused=False, handled_until=max(now, row.handled_until)) if row.paused else row

    await change_trigger(bus, id, resumed)


async def fire_trigger(bus: Bus, id: str) -> None:
    """Ask for a trigger's runs now, whatever its schedule says."""
    now = bus.clock.now()
    await change_trigger(bus, id, lambda row: replace(row, asked_at=row.asked_at or now))


async def backfill_trigger(bus: Bus, id: str, since: float, until: float) -> tuple[float, ...]:
    """Have a trigger's times from one moment to another (Unix seconds) made up for; return them.

    A time whose runs were started before starts none: their ids follow from it.

    Raises:
        InvalidRequest: there is no such trigger, or no time to make up for, or too many.
    """
    schedule = (await get_trigger(bus, id)).trigger.schedule
    if schedule is None:
        raise InvalidRequest([f"trigger {id!r} has no schedule; send its event again with `muster triggers send`"])
    if until > bus.clock.now():
        raise InvalidRequest(["the times must be over; the schedule itself sees to those to come"])
    times = tuple(due_times(schedule, math.nextafter(since, 0.0), until))
    if not 0 < len(times) <= MOST_BACKFILL:
        found = "none" if not times else f"more than {MOST_BACKFILL}"
        raise InvalidRequest([f"{found} of its times are in there; name a span that has some, at most {MOST_BACKFILL}"])

    def wanted(row: TriggerRow) -> TriggerRow:
        return replace(row, backfill=tuple(sorted({*row.backfill, *times}))[:MOST_BACKFILL])

    await change_trigger(bus, id, wanted)
    return times


async def drop_trigger(bus: Bus, id: str) -> None:
    """Remove a trigger; its runs go on."""
    rows = Rows(bus, "TRIGGERS", TriggerRow)
    await _entry(rows, id)
    await rows.delete(id)


async def list_triggers(bus: Bus) -> list[TriggerRow]:
    """Return all triggers, by id."""
    return sorted(await Rows(bus, "TRIGGERS", TriggerRow).all(), key=lambda row: row.trigger.id)


async def get_trigger(bus: Bus, id: str) -> TriggerRow:
    """Return a trigger.

    Raises:
        InvalidRequest: there is none with this id.
    """
    return (await _entry(Rows(bus, "TRIGGERS", TriggerRow), id))[0]


async def _entry(rows: Rows[TriggerRow], id: str) -> tuple[TriggerRow, int]:
    found = await rows.entry(id) if is_token(id) else None
    if found is None:
        close = nearest(id, [row.trigger.id for row in await rows.all()], 1)
        hint = f"did you mean {close[0]!r}?" if close else "`muster triggers list` shows those there are"
        raise InvalidRequest([f"there is no trigger {id!r}; {hint}"])
    return found

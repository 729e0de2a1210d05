"""When a schedule is due. Pure."""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from muster_protocol.triggers import Schedule

MOST_DUE = 1_000
"""Times that are looked at together; a schedule of every second reaches it after a quarter of an hour."""


def find_schedule_problems(schedule: Schedule) -> list[str]:
    """Return why a schedule cannot be used; empty if it can."""
    if bool(schedule.cron) == (schedule.every_seconds is not None):
        return ["a schedule needs either `cron` or `every_seconds`"]
    try:
        zone = _zone(schedule.timezone)
    except (KeyError, ValueError, OSError):
        return [f"timezone: {schedule.timezone!r} is no time zone; write one such as Europe/Berlin"]
    try:
        if schedule.cron:
            next(CronSim(schedule.cron, datetime.now(zone)))
    except CronSimError as error:
        return [f"cron: {schedule.cron!r}: {error}; write five fields such as 0 2 * * MON-FRI"]
    except StopIteration:
        return [f"cron: {schedule.cron!r} never comes"]
    return []


def due_times(schedule: Schedule, after: float, until: float) -> list[float]:
    """Return the times (Unix seconds) after one moment and up to another, oldest first, at most `MOST_DUE`."""
    return list(islice(takewhile(lambda at: at <= until, _times(schedule, after)), MOST_DUE))


def next_times(schedule: Schedule, after: float, count: int) -> list[float]:
    """Return the next times (Unix seconds), oldest first."""
    return list(islice(_times(schedule, after), count))


def delay(schedule: Schedule, trigger: str, due: float) -> float:
    """Return the seconds by which a time is delayed; the same for the same trigger and time everywhere."""
    return zlib.crc32(f"{trigger}/{due:.3f}".encode()) / 2**32 * schedule.jitter_seconds


def _times(schedule: Schedule, after: float) -> Iterator[float]:
    if schedule.every_seconds is not None:
        number = int(after // schedule.every_seconds) + 1
        while True:
            yield number * schedule.every_seconds
            number += 1
    for moment in CronSim(schedule.cron, datetime.fromtimestamp(after, UTC).astimezone(_zone(schedule.timezone))):
        yield moment.timestamp()


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)

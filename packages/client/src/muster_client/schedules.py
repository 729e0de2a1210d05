"""When a schedule is due. Pure.

The library tells which times of a clock on the wall a `cron` means; what these are in a time zone, whose clock may
leave out some and show others twice, is worked out here.
"""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from heapq import heappop, heappush
from itertools import islice, takewhile
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from muster_protocol.triggers import Schedule

MOST_DUE = 1_000
"""Times that are looked at together; a schedule of every second reaches it after a quarter of an hour."""
DAY = 86_400.0
LOCAL = frozenset({"localtime", "posixrules"})
"""Files beside those of the time zones; what they mean is another zone on each machine."""


def find_schedule_problems(schedule: Schedule) -> list[str]:
    """Return why a schedule cannot be used; empty if it can."""
    if bool(schedule.cron) == (schedule.every_seconds is not None):
        return ["a schedule needs either `cron` or `every_seconds`"]
    try:
        zone = _zone(schedule.timezone)
    except (KeyError, ValueError, OSError):
        zone = None
    if zone is None or schedule.timezone in LOCAL:
        return [f"timezone: {schedule.timezone!r} is not a time zone; write one such as Europe/Berlin"]
    try:
        if schedule.cron:
            next(CronSim(schedule.cron, datetime.now(zone).replace(tzinfo=None)))
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
    yield from _on_the_wall(schedule.cron, _zone(schedule.timezone), after)


def _on_the_wall(cron: str, zone: tzinfo, after: float) -> Iterator[float]:
    """Yield the times of a cron expression after a moment, oldest first.

    With `*` for minutes or hours, they are all those at which the clock shows what is written. Other times come once:
    the first of two, and right after the change if the clock leaves them out.
    """
    minutes, hours = cron.split()[-5:-3]
    repeats = minutes.startswith("*") or hours.startswith("*")
    later: list[float] = []
    last = after
    for shown in CronSim(cron, _local(zone, after) - _largest_change(zone, after)):
        first, second = (shown.replace(tzinfo=zone, fold=fold).timestamp() for fold in (0, 1))
        if first > second:  # the clock leaves it out
            first = second = 0.0 if repeats else _change_between(zone, second, first)
        while later and later[0] < first:
            last = heappop(later)
            yield last
        if first > last:
            last = first
            yield first
        if repeats and second > max(first, after):
            heappush(later, second)
    yield from sorted(later)


def _largest_change(zone: tzinfo, at: float) -> timedelta:
    """Return by how much the clock of a zone is changed around a moment."""
    offsets = [_offset(zone, at + days * DAY) for days in (-1, 0, 1)]
    return max(offsets) - min(offsets)


def _change_between(zone: tzinfo, before: float, after: float) -> float:
    """Return when the clock is changed between two moments, in full seconds."""
    old, low, high = _offset(zone, before), int(before), int(after)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _offset(zone, middle) == old else (low, middle)
    return float(high)


def _offset(zone: tzinfo, at: float) -> timedelta:
    return datetime.fromtimestamp(at, zone).utcoffset() or timedelta()


def _local(zone: tzinfo, at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC).astimezone(zone).replace(tzinfo=None)


def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)

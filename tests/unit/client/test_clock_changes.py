"""Schedules around changes of the clock, against an oracle that looks at each minute of some days."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster_client.schedules import MOST_DUE, due_times, next_times
from muster_protocol.triggers import Schedule

DAY = 86_400
CHANGES = (
    ("Australia/Lord_Howe", "2026-10-03T15:30"),  # by half an hour
    ("Australia/Lord_Howe", "2027-04-03T15:00"),
    ("Pacific/Chatham", "2026-09-26T14:00"),  # from 2:45 to 3:45
    ("Pacific/Chatham", "2027-04-03T14:00"),
    ("Pacific/Apia", "2011-12-30T10:00"),  # December 30 never came
    ("Pacific/Kwajalein", "1993-08-21T12:00"),  # neither did August 21
    ("Africa/Cairo", "2027-04-29T22:00"),  # at midnight
    ("Africa/Cairo", "2027-10-28T21:00"),  # back to the day before
    ("America/Santiago", "2027-09-05T04:00"),
    ("Antarctica/Troll", "2027-03-28T01:00"),  # by two hours
    ("America/Nuuk", "2027-03-28T01:00"),
    ("Europe/Berlin", "2027-03-28T01:00"),
    ("Europe/Berlin", "2026-10-25T01:00"),
    ("Asia/Kathmandu", "2028-02-29T00:00"),  # no change; a leap day
    ("UTC", "2028-02-29T00:00"),
)
MINUTES = ("0", "30", "59", "45", "*", "*/7", "*/15", "0,30", "10-20")
HOURS = ("0", "1", "2", "3", "23", "*", "*/2", "1-3", "0,2")
DAYS = ("*", "*", "*", "29", "1", "*/2")
MONTHS = ("*", "*", "*", "2-10")
WEEKDAYS = ("*", "*", "*", "0", "1-5", "6")
crons = st.tuples(*map(st.sampled_from, (MINUTES, HOURS, DAYS, MONTHS, WEEKDAYS))).map(" ".join)
changes = st.sampled_from(CHANGES).map(
    lambda it: (it[0], datetime.fromisoformat(it[1]).replace(tzinfo=UTC).timestamp())
)


def meant(text: str, low: int, high: int) -> set[int]:
    """Return the numbers that a field of a cron expression means."""
    found: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, last = (low, high) if span == "*" else [int(it) for it in (span.split("-") * 2)[:2]]
        found.update(range(first, last + 1, int(step or 1)))
    return found


def is_meant(cron: str, shown: datetime) -> bool:
    minute, hour, day, month, weekday = cron.split()
    by_day, by_weekday = shown.day in meant(day, 1, 31), shown.isoweekday() % 7 in meant(weekday, 0, 6)
    either = by_day or by_weekday if "*" not in (day[0], weekday[0]) else by_day and by_weekday
    return (
        either
        and shown.month in meant(month, 1, 12)
        and shown.hour in meant(hour, 0, 23)
        and shown.minute in meant(minute, 0, 59)
    )


def oracle(cron: str, zone: str, after: float, until: float) -> Iterator[float]:
    """Yield the times of a schedule by looking at a clock each minute."""
    minutes, hours, *_ = cron.split()
    repeats = "*" in (minutes[0], hours[0])
    at = int(after // 60 + 1) * 60
    before = datetime.fromtimestamp(at - 60, ZoneInfo(zone)).replace(tzinfo=None)
    while at <= until:
        clock = datetime.fromtimestamp(at, ZoneInfo(zone))
        shown = clock.replace(tzinfo=None)
        left_out = (before + timedelta(minutes=it) for it in range(1, int((shown - before).total_seconds() // 60)))
        due = is_meant(cron, shown) and (repeats or not clock.fold)
        if due or (not repeats and any(is_meant(cron, it.replace(fold=0)) for it in left_out)):
            yield float(at)
        before, at = shown.replace(fold=0), at + 60


@settings(max_examples=60, deadline=None)
@given(crons, changes)
def test_times_are_those_that_a_clock_on_the_wall_would_show(cron: str, change: tuple[str, float]):
    zone, at = change
    after, until = at - 1.5 * DAY, at + 1.5 * DAY
    wanted = list(oracle(cron, zone, after, until))
    assert due_times(Schedule(cron=cron, timezone=zone), after, until) == wanted[:MOST_DUE]


@settings(max_examples=60, deadline=None)
@given(crons, changes, st.lists(st.floats(-1.5, 1.5), max_size=6), st.floats(0, 1))
def test_whenever_a_clock_is_looked_at_all_of_it_fires_once_and_as_was_told_before(
    cron: str, change: tuple[str, float], looks: list[float], fraction: float
):
    zone, at = change
    schedule = Schedule(cron=cron, timezone=zone)
    after = at - 1.5 * DAY + fraction
    told = next_times(schedule, after, 10)
    moments = [
        after,
        *sorted(at + days * DAY for days in looks if at + days * DAY > after),
        max(told[-1], at + 2 * DAY),
    ]
    fired = [due for one, other in pairwise(moments) for due in every(schedule, one, other)]
    assert fired[:10] == told
    assert fired == sorted(set(fired))


def every(schedule: Schedule, after: float, until: float) -> list[float]:
    """Return all times, also where there are more than are looked at together, as an orchestrator does."""
    found = due_times(schedule, after, until)
    while len(found) % MOST_DUE == 0 and (more := due_times(schedule, found[-1] if found else until, until)):
        found += more
    return found


@pytest.mark.parametrize(
    ("cron", "zone", "after", "times"),
    [
        ("0 2 * * *", "Pacific/Apia", "2011-12-29T00:00", ["12-29 12:00", "12-30 10:00", "12-30 12:00"]),
        ("0 30 2 * * *", "Europe/Berlin", "2027-03-27T12:00", ["03-28 01:00", "03-29 00:30"]),
        ("0 0 29 2 *", "Asia/Kathmandu", "2026-01-01T00:00", ["02-28 18:15", "02-28 18:15"]),
        ("15,45 0 * * *", "Africa/Cairo", "2027-04-29T00:00", ["04-29 22:00", "04-30 21:15"]),
    ],
)
def test_days_that_never_came_leap_days_and_six_fields(cron: str, zone: str, after: str, times: list[str]):
    at = datetime.fromisoformat(after).replace(tzinfo=UTC).timestamp()
    found = next_times(Schedule(cron=cron, timezone=zone), at, len(times))
    assert [datetime.fromtimestamp(it, UTC).strftime("%m-%d %H:%M") for it in found] == times

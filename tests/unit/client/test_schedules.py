"""When a schedule is due."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_client.schedules import delay, due_times, find_schedule_problems, next_times
from muster_protocol.triggers import Schedule


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def shown(times: list[float]) -> list[str]:
    return [datetime.fromtimestamp(it, UTC).strftime("%m-%d %H:%M:%S") for it in times]


def test_a_cron_schedule_follows_the_clock_of_its_time_zone():
    schedule = Schedule(cron="30 2 * * MON-FRI", timezone="Europe/Berlin")
    assert shown(next_times(schedule, at("2026-11-27T12:00"), 2)) == ["11-30 01:30:00", "12-01 01:30:00"]


def test_a_time_that_a_clock_change_leaves_out_still_comes_once():
    schedule = Schedule(cron="30 2 * * *", timezone="Europe/Berlin")
    around = next_times(schedule, at("2026-03-28T12:00"), 3)
    assert shown(around) == ["03-29 01:00:00", "03-30 00:30:00", "03-31 00:30:00"]


def test_a_time_that_a_clock_change_repeats_comes_once():
    schedule = Schedule(cron="30 2 * * *", timezone="Europe/Berlin")
    assert shown(next_times(schedule, at("2026-10-24T12:00"), 2)) == ["10-25 00:30:00", "10-26 01:30:00"]


def test_six_fields_begin_with_seconds():
    assert shown(next_times(Schedule(cron="*/20 0 12 * * *"), at("2026-11-25T11:59"), 3)) == [
        "11-25 12:00:00",
        "11-25 12:00:20",
        "11-25 12:00:40",
    ]


@given(st.integers(1, 100_000), st.floats(1, 1e9))
def test_a_period_is_due_at_its_multiples_whatever_was_looked_at_last(seconds: int, after: float):
    schedule = Schedule(every_seconds=seconds)
    first, second = next_times(schedule, after, 2)
    assert first > after and first - after <= seconds
    assert second - first == seconds and first % seconds == 0
    assert due_times(schedule, after, first) == [first]
    assert due_times(schedule, first, first) == []


@given(st.text(min_size=1, max_size=10), st.floats(0, 1e9))
def test_a_delay_is_within_the_jitter_and_always_the_same(trigger: str, due: float):
    schedule = Schedule(every_seconds=60, jitter_seconds=10)
    assert 0 <= delay(schedule, trigger, due) < 10
    assert delay(schedule, trigger, due) == delay(schedule, trigger, due)


@pytest.mark.parametrize(
    ("schedule", "problem"),
    [
        (Schedule(), "needs either `cron` or `every_seconds`"),
        (Schedule(cron="* * * * *", every_seconds=5), "needs either `cron` or `every_seconds`"),
        (Schedule(cron="every day"), "cron: 'every day': Wrong number of fields; write five fields such as"),
        (Schedule(cron="0 25 * * *"), "cron: '0 25 * * *': Bad hour"),
        (Schedule(cron="0 0 31 2 *"), "cron: '0 0 31 2 *'"),
        (Schedule(every_seconds=5, timezone="Mars/Olympus"), "timezone: 'Mars/Olympus' is not a time zone"),
        (Schedule(every_seconds=5, timezone="../etc/passwd"), "is not a time zone"),
        (Schedule(cron="0 2 * * *", timezone="localtime"), "is not a time zone"),
    ],
)
def test_a_schedule_that_cannot_be_used_says_why(schedule: Schedule, problem: str):
    assert any(problem in found for found in find_schedule_problems(schedule)), find_schedule_problems(schedule)


def test_usual_schedules_are_fine():
    for schedule in (Schedule(cron="0 2 * * *", timezone="America/New_York"), Schedule(every_seconds=1)):
        assert find_schedule_problems(schedule) == []

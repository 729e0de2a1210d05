"""Streams that fill up refuse new runs, by messages or by bytes, and say what to do."""

import pytest

from muster_bus.levels import StreamLevel, fullness
from muster_orchestrator.admission import ADVICE, describe_shortage


def a_level(stream: str, messages: int, most_messages: int, size: int, most_size: int) -> StreamLevel:
    return StreamLevel(stream, messages, size, 0, fullness(messages, most_messages, size, most_size))


@pytest.mark.parametrize(
    ("level", "short"),
    [
        (a_level("RUNS", 10**9, -1, 10**12, -1), False),
        (a_level("RUNS", 10**9, 0, 10**12, 0), False),
        (a_level("RUNS", 1, -1, 899, 1000), False),
        (a_level("RUNS", 1, -1, 900, 1000), True),
        (a_level("TASKS", 900, 1000, 1, 10**9), True),
        (a_level("TASKS", 899, 1000, 1, 10**9), False),
    ],
)
def test_from_nine_tenths_of_a_limit_on_there_is_no_room(level: StreamLevel, short: bool):
    assert bool(describe_shortage(level)) == short


def test_a_shortage_names_the_stream_how_full_it_is_and_what_to_do():
    assert describe_shortage(a_level("RUNS", 1, -1, 94, 100)) == (
        "stream RUNS is 94% full, so no new run is taken now: remove old runs or raise its limit, then try again"
    )


@pytest.mark.parametrize("stream", ADVICE)
def test_each_stream_that_is_watched_has_advice(stream: str):
    assert ADVICE[stream] in describe_shortage(a_level(stream, 1, 1, 1, 1))

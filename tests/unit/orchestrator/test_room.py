"""Streams that fill up refuse new runs, by messages or by bytes, and say what to do."""

import pytest

from muster_orchestrator.admission import ADVICE, Level, describe_shortage


@pytest.mark.parametrize(
    ("level", "short"),
    [
        (Level("RUNS", 10**9, 10**12, -1, -1), False),
        (Level("RUNS", 10**9, 10**12, 0, 0), False),
        (Level("RUNS", 1, 899, -1, 1000), False),
        (Level("RUNS", 1, 900, -1, 1000), True),
        (Level("TASKS", 900, 1, 1000, 10**9), True),
        (Level("TASKS", 899, 1, 1000, 10**9), False),
    ],
)
def test_from_nine_tenths_of_a_limit_on_there_is_no_room(level: Level, short: bool):
    assert bool(describe_shortage(level)) == short


def test_a_shortage_names_the_stream_how_full_it_is_and_what_to_do():
    assert describe_shortage(Level("RUNS", 1, 94, -1, 100)) == (
        "stream RUNS is 94% full, so no new run is taken now: remove old runs or raise its limit, then try again"
    )


@pytest.mark.parametrize("stream", ADVICE)
def test_each_stream_that_is_watched_has_advice(stream: str):
    assert ADVICE[stream] in describe_shortage(Level(stream, 1, 1, 1, 1))

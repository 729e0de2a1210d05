"""What is in the way is named once, with what it is about, until it is over or nobody has met it for a while."""

import asyncio
import time
from contextlib import suppress

from counted import counted
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from muster_bus.nats_client import Denied
from muster_bus.readiness import (
    NEEDED_PAYLOAD,
    Problems,
    check_payload,
    describe_denial,
    describe_note,
    describe_problem,
)
from muster_bus.store_answers import ApiError, is_full
from muster_service.telemetry import LoopLag


def metric(what: str) -> float | None:
    return REGISTRY.get_sample_value("muster_bus_problem", {"what": what})


def test_problems_are_told_with_what_they_are_about_and_counted_until_they_are_over():
    problems = Problems()
    problems.report("stream RUNS", "it is full")
    problems.report("consumer TASKS/x", "it is gone")
    assert str(problems) == "consumer TASKS/x: it is gone; stream RUNS: it is full"
    assert (metric("stream RUNS"), metric("consumer TASKS/x")) == (1.0, 1.0)

    problems.resolve("stream RUNS")
    assert str(problems) == "consumer TASKS/x: it is gone"
    assert metric("stream RUNS") == 0.0


def test_a_problem_is_logged_when_it_comes_and_when_it_is_over_and_not_in_between():
    problems = Problems()
    with capture_logs() as logged:
        problems.resolve("stream A")
        for _ in range(3):
            problems.report("stream A", "it is full")
        for _ in range(2):
            problems.resolve("stream A")
    assert [(line["log_level"], line["event"]) for line in logged] == [
        ("error", "it is full"),
        ("info", "problem resolved"),
    ]


def test_problems_in_the_same_words_are_told_once():
    problems = Problems()
    for name in ("b", "a"):
        problems.report(f"consumer {name}", "it is gone")
    problems.report("stream c", "it is full")
    assert str(problems) == "consumer a, consumer b: it is gone; stream c: it is full"


def test_a_problem_that_nobody_has_met_for_a_while_counts_as_over():
    problems = Problems(lasts=0.0)
    problems.report("stream B", "it is full")
    assert (str(problems), metric("stream B")) == ("", 0.0)


def test_a_server_that_takes_too_little_in_one_message_is_a_problem_until_it_takes_enough():
    problems = Problems()
    check_payload(problems, 65_536)
    assert str(problems).startswith("server: takes messages of 65536 bytes, and Muster needs 1048576: set `max_payload")
    check_payload(problems, NEEDED_PAYLOAD)
    assert not problems


def test_a_denied_permission_is_why_a_start_waits_and_no_reason_to_do_nothing_else():
    denial = describe_denial(Denied("_INBOX_gateway.x.*", "gateway", "subscribe to"))
    assert "no permission to subscribe to '_INBOX_gateway.x.*'" in denial
    assert "the nats.conf of this version" in denial, "what to do is told, too"
    assert describe_problem("", "the service is starting", denial) == f"the service is starting; {denial}"
    assert describe_problem("", "", denial) == "", "what needs no such permission works"
    assert describe_note(" for web", denial) == f" for web; {denial}"
    assert (describe_denial(None), describe_problem("", "starting", ""), describe_note("", "")) == ("", "starting", "")


def test_a_stream_is_full_when_the_server_has_no_room_and_not_when_one_subject_is_taken():
    assert is_full(ApiError(code=503, err_code=10077, description="maximum messages exceeded"))
    assert is_full(ApiError(code=503, err_code=10077, description="maximum bytes exceeded"))
    assert not is_full(ApiError(code=503, err_code=10077, description="maximum messages per subject exceeded"))
    assert not is_full(ApiError(code=400, err_code=10071, description="wrong last sequence: 3"))


async def test_the_lag_of_a_blocked_loop_is_known_before_the_watch_itself_runs_again():
    lag = LoopLag()
    lag.PERIOD = 0.05
    assert lag.seconds == 0.0
    watching = asyncio.ensure_future(lag.watch())
    await asyncio.sleep(0)
    time.sleep(0.3)
    assert 0.2 < lag.seconds < 2.0
    times, late = counted("muster_event_loop_lag_seconds_count"), counted("muster_event_loop_lag_seconds_sum")
    while counted("muster_event_loop_lag_seconds_count") == times:
        await asyncio.sleep(0.01)
    assert counted("muster_event_loop_lag_seconds_sum") - late > 0.2
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    assert lag.seconds == 0.0

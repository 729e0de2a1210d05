"""The fleet's time is the server's, whatever a machine's own clock says."""

import time

import pytest

from muster_bus.server_clock import ServerClock


@pytest.fixture
def jump(monkeypatch: pytest.MonkeyPatch) -> float:
    """Set this machine's clock a quarter of an hour ahead, and return the right time."""
    right = time.time()
    monkeypatch.setattr(time, "time", lambda: right + 900)
    return right


def test_until_the_server_has_told_its_time_that_of_the_machine_counts(jump: float) -> None:
    assert ServerClock().now() == jump + 900


def test_the_servers_time_goes_on_by_the_monotonic_clock(jump: float) -> None:
    clock, now = ServerClock(), time.monotonic()
    clock.learn(told=jump, asked=now - 0.2, answered=now)
    assert jump <= clock.now() < jump + 5


def test_a_slow_answer_counts_only_where_nothing_better_is_known() -> None:
    clock, now = ServerClock(), time.monotonic()
    clock.learn(told=5000.0, asked=now - 1.8, answered=now)
    assert 5000 <= clock.now() < 5005
    clock.learn(told=6000.0, asked=now - 0.1, answered=now)
    clock.learn(told=7000.0, asked=now - 1.8, answered=now)
    assert 6000 <= clock.now() < 6005

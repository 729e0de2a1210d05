"""What a process repeats goes on after any error: the bus's are told once, others each time, and counted."""

import pytest
from nats.errors import NoRespondersError
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from muster_bus.faults import Rounds


def count(where: str) -> float | None:
    return REGISTRY.get_sample_value("muster_faults_total", {"where": where})


def test_an_error_of_the_bus_is_told_once_until_a_round_succeeds():
    rounds = Rounds("bus away")
    with capture_logs() as logged:
        for fails in (True, True, True, False, True):
            with rounds.outlast():
                if fails:
                    raise NoRespondersError
    assert [(line["log_level"], "`muster provision`" in line["error"]) for line in logged] == [("warning", True)] * 2
    assert count("bus away") == 0


def test_an_error_that_nobody_foresaw_is_counted_and_told_each_time():
    rounds = Rounds("broken")
    assert count("broken") == 0
    with capture_logs() as logged:
        for _ in range(2):
            with rounds.outlast():
                raise ValueError("nobody thought of this")
    assert [line["log_level"] for line in logged] == ["error"] * 2
    assert count("broken") == 2


def test_what_ends_the_process_is_not_outlasted():
    with pytest.raises(KeyboardInterrupt), Rounds("ending").outlast():
        raise KeyboardInterrupt

"""The order of what is heard: a machine's clock may be set back meanwhile."""

import time

import pytest

from muster_devices.record_times import moment


def test_a_clock_that_is_set_back_turns_no_order_round(monkeypatch: pytest.MonkeyPatch):
    before, real = moment(), time.time()
    monkeypatch.setattr(time, "time", lambda: real - 86_400.0)
    assert before <= moment() < before + 60.0

"""Which signals end a process."""

import signal

import pytest

from muster_service.ending_signals import list_ending_signals


@pytest.mark.parametrize(
    ("inherited", "ends"), [(signal.SIG_DFL, True), (signal.SIG_IGN, False)], ids=["in a terminal", "under nohup"]
)
def test_the_end_of_the_terminal_ends_a_process_unless_it_was_started_to_outlive_it(
    inherited: signal.Handlers, ends: bool
):
    before = signal.signal(signal.SIGHUP, inherited)
    try:
        assert (signal.SIGHUP in list_ending_signals()) is ends
    finally:
        signal.signal(signal.SIGHUP, before)

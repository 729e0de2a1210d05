"""Which signals ask a process to end."""

import signal


def list_ending_signals() -> tuple[signal.Signals, ...]:
    """Return SIGINT, SIGTERM, and SIGHUP unless it is ignored: under `nohup` a handler would undo that."""
    hang_up = () if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (signal.SIGHUP,)
    return (signal.SIGINT, signal.SIGTERM, *hang_up)

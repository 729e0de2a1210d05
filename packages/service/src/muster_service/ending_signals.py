"""Which signals ask a process to end."""

import signal


def list_ending_signals() -> tuple[signal.Signals, ...]:
    """Return Ctrl-C, termination, and the end of the terminal, unless the process was started to outlive that: `nohup`
    has it ignored, and a handler would undo this."""
    hang_up = () if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (signal.SIGHUP,)
    return (signal.SIGINT, signal.SIGTERM, *hang_up)

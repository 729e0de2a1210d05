"""The muster command."""

INTERRUPTED = 130
"""The exit code after Ctrl-C."""

"""The audit log of changes and refusals: JSON lines on stdout and, optionally, in a file."""

import os
import sys
from contextlib import suppress
from typing import NamedTuple

import structlog

from muster_protocol.errors import MusterError

log = structlog.get_logger("muster.gateway")

MAX_CHARACTERS = 200
"""Maximum length of values that a client chose: addresses and ids."""


class AuditFileUnusable(MusterError):
    """AUDIT_FILE is not writable."""


class AuditEntry(NamedTuple):
    """One request in the audit log, without key, query or body."""

    who: str
    """Name of the key; empty: unknown, or no key needed."""
    via: str
    """How the caller was identified: `key`, `cookie`, `open` (no key needed), `chat` (the agent of a
    conversation), or empty."""
    peer: str
    method: str
    route: str
    """Template of the route; the path if there is no such route."""
    run: str
    status: int
    reason: str = ""
    refused: int = 0
    """Number of refusals in a row, where not each is logged."""
    trace_id: str = ""
    """Id of the request's trace; empty: none."""

    @property
    def outcome(self) -> str:
        """`done`, `refused` or `failed`, by status."""
        return "done" if self.status < 400 else "refused" if self.status < 500 else "failed"


class AuditLog:
    """The audit log."""

    def __init__(self, file: str) -> None:
        """Open the log.

        Raises:
            AuditFileUnusable: the file is not writable.
        """
        self._lines = _Lines(file)
        try:
            self._lines.append("")
        except OSError as error:
            raise AuditFileUnusable(f"AUDIT_FILE: {file} cannot be written: {error.strerror}") from error
        stamped = structlog.processors.TimeStamper(fmt="iso", utc=True)
        processors = [stamped, structlog.processors.JSONRenderer()]
        self._log = structlog.wrap_logger(self._lines, processors=processors, wrapper_class=structlog.BoundLogger)

    def record(self, entry: AuditEntry) -> None:
        """Write an entry; a failure is only logged."""
        fields = {
            name: value[:MAX_CHARACTERS] if isinstance(value, str) else value for name, value in entry._asdict().items()
        }
        self._log.info("audit", outcome=entry.outcome, **{name: value for name, value in fields.items() if value})


class _Lines:
    """Writes lines to stdout and a file, which is opened for each line so that it can be rotated and shared."""

    def __init__(self, file: str) -> None:
        self._file = file

    def info(self, line: str) -> None:
        """Write a line."""
        with suppress(OSError, ValueError):  # stdout is closed
            print(line, file=sys.stdout, flush=True)
        try:
            self.append(f"{line}\n")
        except OSError as error:
            log.error("cannot write the audit file", file=self._file, error=error.strerror)

    def append(self, text: str) -> None:
        """Append to the file; a new file gets mode 0600."""
        if not self._file:
            return
        descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)

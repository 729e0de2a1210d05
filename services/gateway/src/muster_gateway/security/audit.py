"""Who changed what, and who was refused: one JSON line each, on stdout and, if wanted, in a file."""

import os
import sys
from contextlib import suppress
from typing import NamedTuple

import structlog

from muster_protocol.errors import MusterError

log = structlog.get_logger("muster.gateway")

MAX_CHARACTERS = 200
"""Characters of what a client chose: addresses and ids."""


class AuditFileUnusable(MusterError):
    """AUDIT_FILE cannot be written."""


class AuditEntry(NamedTuple):
    """One request in the audit log. It holds no key, no query and no body."""

    who: str
    """Name of the key; empty: nobody we know, or anybody where no keys are needed."""
    via: str
    """How they showed it: `key`, `cookie`, `open` where no keys are needed, or nothing."""
    peer: str
    method: str
    route: str
    """Template of the address; the address itself where there is no such route."""
    run: str
    status: int
    reason: str = ""
    refused: int = 0
    """How many were refused in a row, where not each is told."""
    trace_id: str = ""
    """The trace that it belongs to; empty: none that we know of."""

    @property
    def outcome(self) -> str:
        """How it went."""
        return "done" if self.status < 400 else "refused" if self.status < 500 else "failed"


class AuditLog:
    """The audit log."""

    def __init__(self, file: str = "") -> None:
        """Open the log.

        Raises:
            AuditFileUnusable: it cannot.
        """
        self._lines = _Lines(file)
        try:
            self._lines.keep("")
        except OSError as error:
            raise AuditFileUnusable(f"AUDIT_FILE: {file} cannot be written: {error.strerror}") from error
        stamped = structlog.processors.TimeStamper(fmt="iso", utc=True)
        processors = [stamped, structlog.processors.JSONRenderer()]
        self._log = structlog.wrap_logger(self._lines, processors=processors, wrapper_class=structlog.BoundLogger)

    def record(self, deed: AuditEntry) -> None:
        """Write an entry; if that fails, it is logged and nothing else happens."""
        told = {
            name: value[:MAX_CHARACTERS] if isinstance(value, str) else value for name, value in deed._asdict().items()
        }
        self._log.info("audit", outcome=deed.outcome, **{name: value for name, value in told.items() if value})


class _Lines:
    """Lines on stdout and in a file that is opened for each, so that it can be rotated and shared."""

    def __init__(self, file: str) -> None:
        self._file = file

    def info(self, line: str) -> None:
        """Write a line."""
        with suppress(OSError, ValueError):  # nobody reads our output any longer
            print(line, file=sys.stdout, flush=True)
        try:
            self.keep(f"{line}\n")
        except OSError as error:
            log.error("cannot write the audit file", file=self._file, error=error.strerror)

    def keep(self, text: str) -> None:
        """Append to the file, which is the owner's alone."""
        if not self._file:
            return
        descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, text.encode())
        finally:
            os.close(descriptor)

"""Errors shared by all services.

MusterError
  x InvalidRequest      the request cannot be run; the sender must change it
    + TooLarge          it does not fit into one message
    + Conflict          its id belongs to another request
  x WrongState          the run's state does not allow the control; look at the run first
  x BusError            an operation on the bus failed
    + Fenced            another holder has written since; stop, send nothing more
    + ClaimLost         the message may have another holder by now; stop, send nothing more
    + OutcomeUnknown    a write may or may not be stored; read it back before deciding anything
    + ConfigDrift       a stream or consumer on the server differs from what this version needs
    + NewerVersion      a newer version wrote it; leave it to a process that can read it
    + Refused           the server or a peer refused, with a reason
      + Busy            there is no room now; try again later
"""

from collections.abc import Sequence


class MusterError(Exception):
    """Root of all errors raised on purpose by Muster."""


class InvalidRequest(MusterError):
    """The request cannot be run; `reasons` says why, one sentence each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("; ".join(self.reasons))


class TooLarge(InvalidRequest):
    """A request has more bytes than fit into one message; split the case."""


class Conflict(InvalidRequest):
    """The request's id belongs to another request."""


class WrongState(MusterError):
    """The run's state does not allow what was asked; the message names the state."""


class BusError(MusterError):
    """An operation on the bus failed; `remedy` says what an operator does about it, as far as that is known."""

    def __init__(self, *words: object, remedy: str = "") -> None:
        super().__init__(*words)
        self.remedy = remedy


class RunGone(BusError):
    """A run is stored nowhere any more: its queue message and its log were deleted, or have expired."""

    def __init__(self, run: str) -> None:
        super().__init__(
            f"run {run!r} is not stored any more: the streams REQUESTS and RUNS hold neither its request nor its log",
            remedy="submit it again; if streams were deleted by mistake, `muster restore` brings a backup back",
        )


class Fenced(BusError):
    """Another holder has written since; stop, and send nothing more."""

    def __init__(self, subject: str, expected: int, found: int) -> None:
        self.subject, self.expected, self.found = subject, expected, found
        super().__init__(f"{subject!r}: expected last sequence {expected}, found {found}")


class ClaimLost(BusError):
    """The message may have another holder by now; stop, and send nothing more."""


class OutcomeUnknown(BusError):
    """A write may or may not be stored; read it back before deciding anything."""


class ConfigDrift(BusError):
    """A stream or consumer on the server differs from what this version needs."""


class NewerVersion(BusError):
    """A newer version of Muster wrote it; leave it to a process that can read it."""


class Refused(BusError):
    """The server or a peer refused; the message is its reason."""


class Busy(Refused):
    """There is no room now; try again later."""

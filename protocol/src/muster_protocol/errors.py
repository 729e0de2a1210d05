"""Errors that services tell each other and their callers.

MusterError
  x InvalidRequest      what was handed in cannot be run; the sender must change it
    + Conflict          its id belongs to another request
  x WrongState          what is asked of a run does not fit where it stands; look at it first
  x BusError            the bus could not do what was asked
    + Fenced            another holder has written since; stop, send nothing more
    + ClaimLost         possession of a message can no longer be assumed; stop, send nothing more
    + OutcomeUnknown    a write may or may not be stored; read before deciding anything
    + ConfigDrift       a stream or consumer on the server differs from what this version wants
    + NewerVersion      it was written by a newer version; leave it alone, to those who can read it
    + Refused           the server or a peer said no, with a reason
      + Busy            no more is taken now; the same later may be
"""

from collections.abc import Sequence


class MusterError(Exception):
    """Root of all errors raised on purpose by Muster."""


class InvalidRequest(MusterError):
    """What was handed in cannot be run; `reasons` says why, one sentence each."""

    def __init__(self, reasons: Sequence[str]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("; ".join(self.reasons))


class TooLarge(InvalidRequest):
    """A request has more bytes than the bus keeps in one message; split the case."""


class Conflict(InvalidRequest):
    """The id of what was handed in belongs to another request."""


class WrongState(MusterError):
    """The run's state does not allow what was asked; the message names the state."""


class BusError(MusterError):
    """A request to the bus failed."""


class Fenced(BusError):
    """Another holder has written since; stop, and send nothing more."""

    def __init__(self, subject: str, expected: int, found: int) -> None:
        self.subject, self.expected, self.found = subject, expected, found
        super().__init__(f"{subject!r}: expected last sequence {expected}, found {found}")


class ClaimLost(BusError):
    """Possession of a message can no longer be assumed; stop, and send nothing more."""


class OutcomeUnknown(BusError):
    """A write may or may not have been stored; read before deciding anything."""


class ConfigDrift(BusError):
    """A stream or consumer on the server differs from what this version wants."""


class NewerVersion(BusError):
    """It was written by a newer version of Muster; leave it alone, to those who can read it."""


class Refused(BusError):
    """The server or a peer said no; the message is its reason."""


class Busy(Refused):
    """No more is taken now; the same later may be."""

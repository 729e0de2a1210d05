"""JetStream's replies to publishes, and the meaning of its errors."""

from typing import NamedTuple

from msgspec import Struct
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError
from nats.js.errors import APIError, BucketNotFoundError, NoStreamResponseError, ServiceUnavailableError

from muster_protocol.errors import BusError

BUS_ERRORS = (BusError, NatsError, TimeoutError)
"""What a call that needs NATS may raise."""
MISSING = "it is missing, or JetStream is not ready; if it was deleted, `muster provision` creates it again"

_UNANSWERED = "NATS does not answer in time: it is away, too slow, or its disk is full; its log says which"
_MAKE_ROOM = "After `no space left on device`, make room and restart NATS"
SILENT = f"{_UNANSWERED}. {_MAKE_ROOM}"
"""After one failed write, a server stores nothing more in that stream, and does not answer, until it is restarted."""

FULL = "raise its limit (`nats stream edit`), or that of the server (`max_file_store`), or make room on its disk"
PROVISION = "`muster provision` creates what is missing"
NO_JETSTREAM = (
    "turn JetStream on (`nats-server -c deploy/nats.conf`, or `-js`), and use a user of an account that has it"
)

NO_SUCH_STREAM, NO_SUCH_CONSUMER = 10059, 10014
NO_JETSTREAM_CODES = (10035, 10039, 10076)
"""Not ready, not enabled for the account, not enabled on the server."""
NO_ROOM_CODES = (10023, 10028, 10047, 10049)
"""The reservations of all streams, the data itself, or a new stream's files do not fit into what the server has."""


class PubAck(Struct, frozen=True):
    """JetStream's reply to a publish."""

    seq: int = 0
    duplicate: bool = False
    error: "ApiError | None" = None


class ApiError(Struct, frozen=True):
    """An error in a reply of JetStream."""

    code: int = 0
    err_code: int = 0
    description: str = ""


def is_full(error: ApiError) -> bool:
    """Return whether the stream or the server's storage is full. Pure."""
    return error.code >= 500 and "per subject" not in error.description


class StoreRefused(BusError):
    """JetStream answered a publish with an error."""

    def __init__(self, error: ApiError) -> None:
        self.code, self.err_code = error.code, error.err_code
        super().__init__(f"{error.description} (error {error.err_code})")


class NotStored(BusError):
    """JetStream is not ready, or no stream takes the subject: certainly nothing was stored; trying again is safe."""


class NotAvailable(BusError):
    """No server answers for a stream: it is missing, or JetStream is not ready; trying again is safe."""


def describe_bucket_problem(error: Exception) -> str:
    """Return the problem of a bucket that an error of a call on it reveals; empty if none. Pure."""
    if isinstance(error, NoRespondersError | NoStreamResponseError | BucketNotFoundError | NotAvailable):
        return MISSING
    if isinstance(error, TimeoutError):
        return SILENT
    if not isinstance(error, APIError):
        return ""
    code, number, description = _answer_of(error)
    if number == NO_SUCH_STREAM or (isinstance(error, ServiceUnavailableError) and not number):
        return MISSING
    return f"takes nothing more: {description}" if is_full(ApiError(code, number, description)) else ""


class Explained(NamedTuple):
    """An error of the bus for an operator."""

    words: str
    remedy: str = ""
    """What to do about it; empty: not known."""


def explain(error: Exception) -> Explained:
    """Return what went wrong on the bus, and what an operator does about it. Pure."""
    if isinstance(error, BusError):
        return Explained(str(error), error.remedy)
    if isinstance(error, TimeoutError):
        return Explained(_UNANSWERED, _MAKE_ROOM)
    if isinstance(error, NoRespondersError | NoStreamResponseError | BucketNotFoundError):
        return Explained("a stream does not answer: it is missing, or JetStream is not ready", PROVISION)
    if not isinstance(error, APIError):
        return Explained(str(error) or type(error).__name__)
    _, number, description = _answer_of(error)
    if isinstance(error, ServiceUnavailableError) and (not number or number in NO_JETSTREAM_CODES):
        return Explained("this NATS server has no JetStream, or it is not ready", NO_JETSTREAM)
    if number == NO_SUCH_STREAM:
        return Explained("a stream is missing on the NATS server", PROVISION)
    if number == NO_SUCH_CONSUMER:
        return Explained("a consumer is missing on the NATS server", PROVISION)
    return Explained(f"NATS refuses: {description} (error {number})", FULL if number in NO_ROOM_CODES else "")


def describe_error(error: Exception) -> str:
    """Return what `explain` does as one text. Pure."""
    return ": ".join(filter(None, explain(error)))


def _answer_of(error: NatsError) -> tuple[int, int, str]:
    """Return code, number and description of an error of JetStream; some errors have none of them. Pure."""
    code, number = getattr(error, "code", None) or 0, getattr(error, "err_code", None) or 0
    return code, number, getattr(error, "description", None) or ""

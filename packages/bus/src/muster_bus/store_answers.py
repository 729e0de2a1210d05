"""JetStream's replies to publishes, and the meaning of its errors."""

from msgspec import Struct
from nats.errors import NoRespondersError
from nats.js.errors import APIError, BucketNotFoundError, NoStreamResponseError, ServiceUnavailableError

from muster_protocol.errors import BusError

MISSING = "it is missing, or JetStream is not ready; if it was deleted, `muster provision` makes it again"

NO_SUCH_STREAM = 10059


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
    if not isinstance(error, APIError):
        return ""
    code, number = getattr(error, "code", None) or 0, getattr(error, "err_code", None) or 0  # some errors have neither
    if number == NO_SUCH_STREAM or (isinstance(error, ServiceUnavailableError) and not number):
        return MISSING
    description: str = getattr(error, "description", None) or ""
    return f"takes nothing more: {description}" if is_full(ApiError(code, number, description)) else ""

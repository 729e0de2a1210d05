"""JetStream as nats-py offers it, except that a stream that is missing is not taken for one without the message."""

from collections.abc import Callable
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import RawStreamMsg
from nats.js.errors import NotFoundError

from muster_bus.store_answers import MISSING, NO_SUCH_STREAM, NotAvailable


class StreamMissing(NotAvailable, NatsError):
    """A message was looked for in a stream that is not there; a NatsError, so callers retry it like any other."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"stream {stream} does not answer: {MISSING}")


class JetStream(JetStreamContext):
    """Calls of JetStream. Whoever finds no message may act on that, so a missing stream is another error, and named."""

    def __init__(self, connection: Client, missing: Callable[[str], None]) -> None:
        super().__init__(connection)
        self._report_missing = missing

    async def get_msg(self, stream_name: str, *arguments: Any, **options: Any) -> RawStreamMsg:  # noqa: ANN401
        """Return a stored message.

        Raises:
            NotFoundError: the stream has no such message.
            StreamMissing: there is no such stream.
        """
        try:
            return await super().get_msg(stream_name, *arguments, **options)
        except NotFoundError as error:
            if error.err_code != NO_SUCH_STREAM:
                raise
            self._report_missing(stream_name)
            raise StreamMissing(stream_name) from error

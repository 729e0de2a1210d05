"""One process's use of NATS: the calls that the rest of this package is built on."""

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import TypeVar

import structlog
from msgspec import Struct
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from muster_bus.jet_stream import JetStream
from muster_bus.nats_client import Client, Denied
from muster_bus.readiness import Problems, describe_denial
from muster_bus.server_clock import ServerClock
from muster_bus.store_answers import (
    MISSING,
    SILENT,
    NotAvailable,
    NotStored,
    PubAck,
    StoreRefused,
    describe_bucket_problem,
    describe_error,
    is_full,
)
from muster_bus.stream_states import StreamStates
from muster_protocol import codec
from muster_protocol.errors import Refused
from muster_protocol.subjects import Names
from muster_service import tracing
from muster_service.settings import BusSettings
from muster_service.telemetry import LoopLag

T = TypeVar("T")
log = structlog.get_logger("muster.bus")

HEADERS = {"v": str(codec.VERSION)}
"""Headers of every message; copied for each, because nats-py may change them."""


def header_size(headers: Mapping[str, str]) -> int:
    """Return how many bytes headers take in a message. Pure."""
    lines = sum(len(name.encode()) + len(value.encode()) + 4 for name, value in headers.items())
    return len("NATS/1.0\r\n\r\n") + lines


class Bus:
    """One process's connection to NATS, with its names, problems and callbacks."""

    def __init__(self, nc: Client, settings: BusSettings) -> None:
        self.nc = nc
        self.js = JetStream(nc, self._report_missing)
        self.settings = settings
        self.names = Names.under(settings.muster_prefix)
        self.closing = False
        self.problems, self.lag, self.clock = Problems(), LoopLag(), ServerClock()
        self.streams = StreamStates(self.js, self.problems)
        self.denied: Denied | None = None
        """The last permission that NATS denied to this process since it connected."""
        self._on_reconnect: list[Callable[[], None]] = []
        self._on_denied: list[Callable[[], None]] = []

    def on_reconnect(self, callback: Callable[[], None]) -> None:
        """Register a function to call after each reconnection; it must not block."""
        self._on_reconnect.append(callback)

    def off_reconnect(self, callback: Callable[[], None]) -> None:
        """Remove a function registered with `on_reconnect`."""
        self._on_reconnect.remove(callback)

    @contextmanager
    def heeding_denials(self, callback: Callable[[], None]) -> Generator[None]:
        """Call a function, which must not block, whenever NATS denies a permission inside the block; see `denied`."""
        self._on_denied.append(callback)
        try:
            yield
        finally:
            self._on_denied.remove(callback)

    def notify_denied(self, error: Denied) -> None:
        """Store a denial and call the registered functions."""
        self.denied = error
        for callback in list(self._on_denied):
            callback()

    async def flush_subscriptions(self) -> None:
        """Return once the server has every subscription made so far; wait while it is unavailable."""
        while True:
            try:
                await self.nc.flush(timeout=2)
            except (TimeoutError, NatsError) as error:
                log.warning("subscription not confirmed by NATS; trying again", error=describe_error(error))
                await asyncio.sleep(0.2)
            else:
                return

    def notify_reconnected(self) -> None:
        """Forget the last denial, which may no longer hold, and call the `on_reconnect` callbacks."""
        self.denied = None
        for callback in list(self._on_reconnect):
            callback()

    @property
    def denial(self) -> str:
        """The last permission that NATS denied to this process since it connected, with the remedy; empty if none."""
        return describe_denial(self.denied)

    @property
    def trouble(self) -> str:
        """What keeps this process from working, in words; empty if nothing does."""
        if self.nc.is_connected:
            return str(self.problems)
        return "no connection to NATS" + (f" ({self.problems})" if self.problems.has("login") else "")

    async def store(
        self, subject: str, data: bytes, headers: dict[str, str] | None = None, timeout: float = 5.0
    ) -> PubAck:
        """Publish to a stream and return its acknowledgement.

        Raises:
            StoreRefused: the stream said no.
            Refused: the message is larger than the server takes.
            NotStored: no stream took it; certainly nothing was stored.
            TimeoutError: no answer came; it may or may not be stored.
        """
        sent = HEADERS | tracing.current_headers() | (headers or {})
        size, limit = len(data) + header_size(sent), self.nc.max_payload
        if size > limit:  # the server would close the connection, and the client does not count headers
            raise Refused(f"{size} bytes for {subject!r}: the server takes {limit} in one message")
        try:
            reply = await self.nc.request(subject, data, timeout=timeout, headers=sent)
        except NoRespondersError as error:
            self.problems.report(self._stream_of(subject), MISSING)
            raise NotStored(f"no stream takes {subject!r}, or JetStream is not ready") from error
        except TimeoutError:
            if self.nc.is_connected:
                self.problems.report(self._stream_of(subject), SILENT)
            raise
        ack = codec.decode(reply.data, PubAck)
        if ack.error is None:
            if self.problems:
                self.problems.resolve(self._stream_of(subject))
            return ack
        if is_full(ack.error):
            self.problems.report(self._stream_of(subject), f"takes nothing more: {ack.error.description}")
        raise StoreRefused(ack.error)

    @contextmanager
    def track_bucket(self, bucket: str) -> Generator[None]:
        """Report or resolve a bucket's problem by the outcome of the calls in the block; errors are raised on."""
        what = f"bucket {bucket}"
        try:
            yield
        except (NatsError, NotAvailable) as error:
            if self.nc.is_connected and (wrong := describe_bucket_problem(error)):
                self.problems.report(what, wrong)
            raise
        self.problems.resolve(what)

    def _report_missing(self, stream: str) -> None:
        """Report that a stream is missing; `stream` is its name on the server."""
        bucket = stream.removeprefix("KV_").removeprefix("OBJ_")
        self.problems.report(f"bucket {bucket}" if bucket != stream else f"stream {stream}", MISSING)

    def _stream_of(self, subject: str) -> str:
        """Return the name, in problems, of the stream that takes a subject."""
        return f"stream {self.names.stream(subject.partition('.')[2].partition('.')[0].upper())}"

    async def request(self, subject: str, message: Struct, kind: type[T], timeout: float = 5.0) -> T:
        """Send a request and return the decoded reply.

        Raises:
            Refused: there is no subscriber on the subject.
            TimeoutError: no reply in time.
        """
        try:
            headers = HEADERS | tracing.current_headers()
            reply = await self.nc.request(subject, codec.encode(message), timeout=timeout, headers=headers)
        except NoRespondersError as error:
            raise Refused(f"nobody answers on {subject!r}") from error
        return codec.decode(reply.data, kind)

    async def respond(self, request: Msg, reply: Struct) -> None:
        """Answer a request."""
        if request.reply:
            await self.nc.publish(request.reply, codec.encode(reply), headers=dict(HEADERS))

    async def publish(self, subject: str, message: Struct, headers: Mapping[str, str] | None = None) -> None:
        """Publish without waiting for an acknowledgement."""
        await self.nc.publish(
            subject, codec.encode(message), headers=HEADERS | tracing.current_headers() | dict(headers or {})
        )

    async def close(self, timeout: float = 5.0) -> None:
        """Flush buffered messages and close the connection."""
        self.closing = True
        if self.nc.is_closed:
            return
        try:
            await asyncio.wait_for(self.nc.flush(), timeout)
        except (TimeoutError, NatsError):
            log.warning("closing without a flush: NATS does not answer")
            # otherwise nats-py tries to send the rest, fails, and leaves its tasks and socket open
            self.nc._pending, self.nc._pending_data_size = [], 0  # pyright: ignore[reportPrivateUsage]
        with suppress(OSError):
            await self.nc.close()

"""The connection to NATS, and the calls that the rest of the bus is built on."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import structlog
from msgspec import Struct
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError, NoServersError
from prometheus_client import Counter, Gauge

from muster_bus.credentials import credentials_option
from muster_bus.jet_stream import JetStream
from muster_bus.nats_client import PING_SECONDS, UNANSWERED_PINGS, Client, Denied
from muster_bus.readiness import Problems, describe_denial
from muster_bus.server_clock import ServerClock, set_clock
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
from muster_bus.tls import Tls, describe_refusal
from muster_protocol import codec
from muster_protocol.errors import BusError, Refused
from muster_protocol.subjects import Names
from muster_service import tracing
from muster_service.settings import BusSettings
from muster_service.telemetry import LoopLag

T = TypeVar("T")
log = structlog.get_logger("muster.bus")

CONNECTED = Gauge("muster_nats_connected", "Whether the connection to NATS is up (1) or not (0)")
RECONNECTS = Counter("muster_nats_reconnects", "Times the connection to NATS came back")
ERRORS = Counter("muster_nats_errors", "Errors that NATS reported to this client", ["kind"])
ERRORS.labels("permission")  # create it at 0, so that the first count shows as an increase

LOGIN = "set NATS_USER and NATS_PASSWORD to a user of the server's nats.conf and its password, or NATS_CREDENTIALS"
CERTIFICATES = (
    "docs/operations.md has a section on TLS; NATS_URL, NATS_TLS_CA, NATS_TLS_CERT and NATS_TLS_KEY belong to it"
)
ABSENT = "start it, or set NATS_URL to where it is (nats://HOST:PORT); `muster up` starts a private one with a fleet"

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
        """Report a stream, by its name on the server, that is not there."""
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


class _Events:
    """Turns nats-py's connection callbacks into log lines, metrics and problems."""

    def __init__(self, bus: Bus, url: str) -> None:
        self.refused: asyncio.Future[BusError] = asyncio.get_running_loop().create_future()
        """Done when NATS refuses this process; holds why, and what to do about it."""
        self._bus, self._url = bus, url
        self.last_error = ""
        """The last error, such as a certificate that is not trusted; empty once connected again."""

    async def lost(self) -> None:
        CONNECTED.set(0)
        if not self._bus.closing:
            log.warning("connection to NATS lost; trying again", url=self._url)

    async def reconnected(self) -> None:
        CONNECTED.set(1)
        RECONNECTS.inc()
        self.last_error = ""
        self._bus.problems.resolve("login")
        log.info("connection to NATS is back")
        self._bus.notify_reconnected()

    async def failed(self, error: Exception) -> None:
        text = str(error)
        kind = "permission" if isinstance(error, Denied) else type(error).__name__
        ERRORS.labels(kind).inc()
        if "authorization violation" in text.lower():
            self._refuse("refuses the credentials (authorization violation)", LOGIN)
        elif words := describe_refusal(error, self._bus.settings):
            self._refuse(words, CERTIFICATES)
        elif isinstance(error, Denied):
            log.error("NATS denied permission to this service's user", error=text, remedy=error.remedy)
            self._bus.notify_denied(error)
        elif not isinstance(error, (ConnectionError, NoServersError)) and text != self.last_error:
            self.last_error = text  # the same error repeats several times a second during reconnection
            log.warning("NATS error", error=text or describe_error(error))

    def _refuse(self, words: str, remedy: str) -> None:
        self._bus.problems.report("login", f"NATS {words}; trying again")
        if not self.refused.done():
            self.refused.set_result(BusError(f"NATS at {self._url} {words}", remedy=remedy))


def unconnected(settings: BusSettings) -> Bus:
    """Return a bus to connect with `dial`; until then its `trouble` says that there is no connection.

    Raises:
        SettingsError: a certificate or key file cannot be used.
    """
    return Bus(Client(Tls(settings), settings.nats_user), settings)


async def dial(bus: Bus, name: str, patience: float | None = None) -> None:
    """Connect a bus to NATS; wait up to `patience` seconds for the server, without it for ever.

    Raises:
        BusError: the server did not answer within `patience`, or refuses the credentials or the certificate.
        SettingsError: the file of credentials holds none.
    """
    url = without_password(bus.settings.nats_url)
    events = _Events(bus, url)
    await _dial(bus.nc.connect(**_options(bus.settings, name, events)), events, url, patience)
    CONNECTED.set(1)


async def connect(settings: BusSettings, name: str, patience: float | None = None) -> Bus:
    """Return a connected bus that knows the server's time; raises the errors of `unconnected` and `dial`."""
    bus = unconnected(settings)
    await dial(bus, name, patience)
    await set_clock(bus)
    return bus


def _options(settings: BusSettings, name: str, events: _Events) -> dict[str, Any]:
    """Return the arguments of nats-py's `connect`."""
    return {
        "servers": [server.strip() for server in settings.nats_url.split(",")],
        "name": name,
        "user": settings.nats_user or None,
        "password": settings.nats_password or None,
        **credentials_option(settings.nats_credentials),
        "disconnected_cb": events.lost,
        "reconnected_cb": events.reconnected,
        "error_cb": events.failed,
        "max_reconnect_attempts": -1,
        "reconnect_time_wait": 0.25,
        "connect_timeout": 2,
        "ping_interval": PING_SECONDS,
        "max_outstanding_pings": UNANSWERED_PINGS,
        "inbox_prefix": f"_INBOX_{settings.nats_user}" if settings.nats_user else "_INBOX",
    }


def without_password(url: str) -> str:
    """Return an address, or several separated by commas, without user and password."""
    return re.sub(r"//[^/@,]*@", "//", url)


async def _dial(connecting: Coroutine[None, None, None], events: _Events, url: str, patience: float | None) -> None:
    dialing, refused = asyncio.ensure_future(connecting), events.refused
    waited = 0.0
    while True:
        step = 5.0 if patience is None else max(0.0, min(5.0, patience - waited))
        await asyncio.wait({dialing, refused}, timeout=step, return_when=asyncio.FIRST_COMPLETED)
        if dialing.done():
            break
        waited += step
        if refused.done() or (patience is not None and waited >= patience):
            dialing.cancel()
            await asyncio.wait({dialing})
            if refused.done():
                raise refused.result()
            why = f"; last: {events.last_error}" if events.last_error else ""
            raise BusError(f"no NATS server answers at {url} (waited {patience:g} s{why})", remedy=ABSENT)
        log.warning("waiting for NATS", url=url, seconds=waited)
    try:
        dialing.result()
    except (NatsError, OSError) as error:
        words = f"cannot connect to NATS at {url}: {error or type(error).__name__}"
        raise BusError(words, remedy=ABSENT) from error


__all__ = ["Bus", "NotStored", "PubAck", "StoreRefused", "connect", "dial", "unconnected"]

"""The NATS client: nats-py with fixes for errors that would close it for good or stop it from reading.

It overrides private methods of nats-py; tests/integration/bus/faults/test_client.py shows each case on a real server.
"""

import asyncio
import re
import ssl
import time
from collections import OrderedDict
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from nats.aio import client as nats_py
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.errors import UnexpectedEOF
from prometheus_client import Histogram

from muster_bus.tls import Tls
from muster_protocol.errors import BusError
from muster_service.settings import BusSettings

DENIED = re.compile(r'permissions violation for (publish|subscription) to "([^"]*)"', re.IGNORECASE)
MAX_SUBJECTS = 500
"""Most subjects remembered with their case: the server's errors have them in lower case."""
ROUND_TRIP = Histogram(
    "muster_nats_round_trip_seconds",
    "Round trip of a ping to the server, at least every five seconds",
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5),
)
PING_SECONDS = 5.0
UNANSWERED_PINGS = 2
"""A connection without any answer is given up after three times PING_SECONDS."""


@lru_cache(maxsize=1024)
def _header_name(name: bytes) -> str | None:
    """Return the name of a header; None for one that nats-py would skip."""
    stripped = name.strip()
    if not stripped.isascii():
        return None
    text = stripped.decode()
    return text if not text or text.split() == [text] else None


def parse_headers(raw: bytes) -> dict[str, str]:
    """Parse a block of `Name: Value` lines as nats-py does, several times as fast. Pure."""
    found: dict[str, str] = {}
    for line in raw.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if colon and (key := _header_name(name)) is not None:
            found[key] = value.strip().decode("utf-8", "replace")
    return found


class Client(nats_py.Client):
    """A connection that ends only when the process closes it."""

    _parse_header_lines = staticmethod(parse_headers)

    def __init__(self, tls: Tls | None = None, user: str = "") -> None:
        super().__init__()
        self._tls, self._user = tls or Tls(BusSettings()), user
        self._requests: WeakKeyDictionary[asyncio.Future[Msg], str] = WeakKeyDictionary()
        """The subjects of unanswered requests."""
        self._subjects: OrderedDict[str, str] = OrderedDict()
        """The subjects requested or subscribed to last, by their lower case."""

    @property
    def ssl_context(self) -> ssl.SSLContext:
        """The context of the next handshake: nats-py would keep the first one, even after its certificates expire."""
        return self._tls.context(certificate_wanted=bool(self._server_info.get("tls_verify")))

    def _connect_command(self) -> bytes:
        """Return the login command, if TLS is on or not required: nats-py would send the password without TLS."""
        assert self._current_server is not None
        self._tls.require_tls(self._current_server.uri.scheme, bool(self._server_info.get("tls_required")))
        writer: Any = getattr(self._transport, "_io_writer", None)
        if writer is not None and writer.get_extra_info("sslcontext"):
            protocol = writer.transport.get_protocol()
            if protocol is not None:  # the connection is still open
                protocol._over_ssl = True  # otherwise asyncio warns when it closes
        return super()._connect_command()

    async def publish(
        self, subject: str, payload: bytes = b"", reply: str = "", headers: dict[str, Any] | None = None
    ) -> None:
        """Publish, and remember the subjects of requests, so that a denied one can be found."""
        if reply and (token := reply[len(self._resp_sub_prefix or b"") :]) in self._resp_map:
            self._requests[self._resp_map[token]] = subject
        if reply:
            self._remember(subject)
        await super().publish(subject, payload, reply, headers)

    async def subscribe(self, subject: str, *arguments: Any, **options: Any) -> Subscription:  # noqa: ANN401
        """Subscribe, and remember the subject."""
        self._remember(subject)
        return await super().subscribe(subject, *arguments, **options)

    def _remember(self, subject: str) -> None:
        self._subjects[subject.lower()] = subject
        self._subjects.move_to_end(subject.lower())
        if len(self._subjects) > MAX_SUBJECTS:
            self._subjects.popitem(last=False)

    def _deny(self, error: "Denied") -> None:
        """Fail the open requests on a denied subject at once."""
        for waiting, subject in list(self._requests.items()):
            if subject == error.subject and not waiting.done():
                waiting.set_exception(error)

    async def _process_err(self, err_msg: str) -> None:
        """Reconnect after any error of the server: nats-py would close for good, say, after a revoked login."""
        if found := DENIED.search(err_msg):
            verb = "publish on" if found[1].lower() == "publish" else "subscribe to"
            error = Denied(self._subjects.get(found[2].lower(), found[2]), self._user, verb)
            self._deny(error)
            await self._error_cb(error)
            return
        if "permissions violation" in err_msg.lower() or "stale connection" in err_msg.lower():
            await super()._process_err(err_msg)
            return
        error = NatsError(f"nats: {err_msg}")
        await self._error_cb(error)
        await self._process_op_err(error)

    async def _send_ping(self, future: "asyncio.Future[bool] | None" = None) -> None:
        """Send a ping and measure the time to its answer, if one comes."""
        answer: asyncio.Future[bool] = future or asyncio.get_running_loop().create_future()
        sent = time.monotonic()
        answer.add_done_callback(lambda it: it.cancelled() or ROUND_TRIP.observe(time.monotonic() - sent))
        await super()._send_ping(answer)

    async def _process_pong(self) -> None:
        """Accept the answer to an abandoned ping: nats-py would raise and stop reading."""
        if self._pongs and self._pongs[0].done():
            self._pongs[0] = asyncio.get_running_loop().create_future()
        await super()._process_pong()

    async def _read_loop(self) -> None:
        """Reconnect if reading ends on an open connection: nats-py would receive nothing more."""
        await super()._read_loop()
        if self.is_connected and asyncio.current_task() is self._reading_task:
            await self._process_op_err(UnexpectedEOF())

    async def _attempt_reconnect(self) -> None:
        """Drop the old socket with its unsent data: nats-py would wait for a peer that reads nothing more."""
        self._drop_socket()
        await super()._attempt_reconnect()

    async def _connect_to_server(self, s: nats_py.Srv) -> None:
        """Drop the socket of a failed attempt: nats-py would leave it open."""
        self._drop_socket()
        await super()._connect_to_server(s)

    def _drop_socket(self) -> None:
        writer: Any = getattr(self._transport, "_bare_io_writer", None)
        if writer is not None:  # the socket below TLS: a closed TLS transport of Python 3.11.2 raises
            writer.transport.abort()

    async def _process_connect_init(self) -> None:
        """Cancel the tasks of a failed attempt: nats-py would have two readers on one socket."""
        for name in ("_reading_task", "_ping_interval_task", "_flusher_task"):
            task: asyncio.Task[None] | None = getattr(self, name)
            if task is not None and not task.done():
                task.cancel()
        await super()._process_connect_init()


class Denied(BusError, NatsError):
    """The user of this process has no permission for a subject; a NatsError, so callers retry it like any other."""

    def __init__(self, subject: str, user: str = "", verb: str = "publish on") -> None:
        self.subject = subject
        who = f"user {user!r}" if user else "this user"
        super().__init__(f"NATS refuses: {who} has no permission to {verb} {subject!r}")

    def __str__(self) -> str:
        return str(self.args[0])

"""The NATS client: nats-py with fixes for errors that would close it for good or stop it from reading, and less work a
message (docs/decisions/0037-fast-client.md).

It overrides private methods of nats-py; tests/integration/bus/faults/test_client.py shows each case on a real server.
"""

import asyncio
import re
import secrets
import ssl
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from nats.aio import client as nats_py
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import BadHeaderError, BadSubjectError, UnexpectedEOF
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeout
from prometheus_client import Histogram

from muster_bus.tls import Tls
from muster_protocol.errors import BusError
from muster_service.settings import BusSettings

DENIED = re.compile(r'permissions violation for (publish|subscription) to "([^"]*)"', re.IGNORECASE)
_HEADER_KEY = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
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


@lru_cache(maxsize=1024)
def _header_start(name: str) -> str:
    """Return what a header's line begins with; empty for an empty name, which nats-py leaves out."""
    key = name.strip()
    if key and not _HEADER_KEY.fullmatch(key):
        raise BadHeaderError(key)
    return f"{key}: " if key else ""


def format_publish(subject: str, reply: str, payload: bytes, headers: Mapping[str, str] | None) -> bytes:
    """Return the command that publishes a message, as nats-py writes it. Pure.

    Raises:
        BadHeaderError: a header's name has characters that names cannot have.
        BadSubjectError: there is no subject.
    """
    if not subject:
        raise BadSubjectError
    if headers is None:
        return b"PUB %b %b %d\r\n%b\r\n" % (subject.encode(), reply.encode(), len(payload), payload)
    lines = "".join(
        [
            f"{start}{value.strip().replace(chr(13), ' ').replace(chr(10), ' ')}\r\n"
            for name, value in headers.items()
            if (start := _header_start(name))
        ]
    )
    block = f"NATS/1.0\r\n{lines}\r\n".encode()
    size = len(block)
    return b"HPUB %b %b %d %d\r\n%b%b\r\n" % (
        subject.encode(),
        reply.encode(),
        size,
        size + len(payload),
        block,
        payload,
    )


class _Request(NamedTuple):
    """A request that waits for its reply."""

    subject: str
    answer: "asyncio.Future[Msg | NatsError]"


class Client(nats_py.Client):
    """A connection that ends only when the process closes it."""

    _parse_header_lines = staticmethod(parse_headers)

    def __init__(self, tls: Tls | None = None, user: str = "") -> None:
        super().__init__()
        self._tls, self._user = tls or Tls(BusSettings()), user
        self._requests: dict[str, _Request] = {}
        """Unanswered requests by the subject of their reply."""
        self._replies_to = ""
        """What the subjects of replies begin with; empty before the first request."""
        self._handlers: dict[int, Callable[[Msg], None]] = {}
        """Of subscriptions made with `listen`, by id."""
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

    async def connect(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        """Connect, and drop the socket if that fails or is cancelled: nats-py would leave it open."""
        try:
            await super().connect(*arguments, **options)
        except BaseException:
            self._drop_socket()
            raise

    async def publish(
        self, subject: str, payload: bytes = b"", reply: str = "", headers: dict[str, Any] | None = None
    ) -> None:
        """Publish, and remember the subjects of requests, so that a denied one can be found."""
        if reply:
            self._remember(subject)
        await super().publish(subject, payload, reply, headers)

    async def flush(self, timeout: int = 10) -> None:
        """Return once the server has all that was sent before: nats-py's ping overtakes what waits to be written."""
        await self._flush_pending(force_flush=True)
        await super().flush(timeout)

    async def _send_publish(
        self, subject: str, reply: str, payload: bytes, payload_size: int, headers: dict[str, Any] | None
    ) -> None:
        command = format_publish(subject, reply, payload, headers)
        self.stats["out_msgs"] += 1
        self.stats["out_bytes"] += payload_size
        await self._send_command(command)
        if self._flush_queue is not None and self._flush_queue.empty():
            await self._flush_pending()

    async def _request_new_style(
        self, subject: str, payload: bytes, timeout: float = 1, headers: dict[str, Any] | None = None
    ) -> Msg:
        """Send a request and return the reply: one future and one timer, where nats-py has a queue and a task, too."""
        if not self._replies_to:
            self._replies_to = self.new_inbox() + "."
            await self.listen(self._replies_to + "*", self._on_reply)
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Msg | NatsError] = loop.create_future()
        reply_to = self._replies_to + secrets.token_hex(8)
        self._requests[reply_to] = _Request(subject, answer)
        timer = loop.call_later(timeout, _resolve, answer, NatsTimeout())
        try:
            await self.publish(subject, payload, reply_to, headers)
            found = await answer
        finally:
            timer.cancel()
            del self._requests[reply_to]
        if isinstance(found, Exception):
            raise found
        return found

    def _on_reply(self, message: Msg) -> None:
        if request := self._requests.get(message.subject):
            _resolve(request.answer, message)

    async def listen(self, subject: str, handler: Callable[[Msg], None]) -> Subscription:
        """Subscribe with a function that is called as soon as a message is read, without a queue; it must not block."""
        self._handlers[self._sid + 1] = handler
        return await self.subscribe(subject)

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        handler = self._handlers.get(sid)
        if handler is None:
            await super()._process_msg(sid, subject, reply, data, headers)
            return
        self.stats["in_msgs"] += 1
        self.stats["in_bytes"] += len(data)
        parsed = await self._process_headers(headers)
        try:
            handler(self._build_message(sid, subject, reply, data, parsed))
        except Exception as error:  # nats-py would stop reading
            await self._error_cb(error)

    def _remove_sub(self, sid: int, max_msgs: int = 0) -> None:
        self._handlers.pop(sid, None)
        super()._remove_sub(sid, max_msgs)

    async def subscribe(self, subject: str, *arguments: Any, **options: Any) -> Subscription:  # noqa: ANN401
        """Subscribe, and remember the subject."""
        self._remember(subject)
        return await super().subscribe(subject, *arguments, **options)

    def _remember(self, subject: str) -> None:
        lower = subject.lower()
        if lower == subject:
            return
        self._subjects[lower] = subject
        self._subjects.move_to_end(lower)
        if len(self._subjects) > MAX_SUBJECTS:
            self._subjects.popitem(last=False)

    def _deny(self, error: "Denied") -> None:
        """Fail the open requests on a denied subject at once."""
        for request in self._requests.values():
            if request.subject == error.subject:
                _resolve(request.answer, error)

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


def _resolve(answer: "asyncio.Future[Msg | NatsError]", result: Msg | NatsError) -> None:
    if not answer.done():
        answer.set_result(result)


class Denied(BusError, NatsError):
    """The user of this process has no permission for a subject; a NatsError, so callers retry it like any other."""

    def __init__(self, subject: str, user: str = "", verb: str = "publish on") -> None:
        self.subject = subject
        who = f"user {user!r}" if user else "this user"
        super().__init__(
            f"NATS refuses: {who} has no permission to {verb} {subject!r}",
            remedy="use a user that may (`admin` of deploy/nats.conf), or the nats.conf of this version",
        )

    def __str__(self) -> str:
        return str(self.args[0])

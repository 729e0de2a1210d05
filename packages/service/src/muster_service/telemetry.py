"""Telemetry of every service: structured logs on stderr, and an HTTP port with metrics and health."""

import asyncio
import logging
import math
import os
import platform
import re
import sys
import time
import traceback
from collections.abc import Callable
from typing import TextIO

import structlog
from opentelemetry import trace
from prometheus_client import CONTENT_TYPE_LATEST, Gauge, Histogram, generate_latest
from structlog.typing import EventDict, ExcInfo

from muster_service.log_secrets import mask_event, mask_text

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

LOOP_LAG = Histogram(
    "muster_event_loop_lag_seconds",
    "Delay of the event loop: how late it runs scheduled work",
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10),
)
INFO = Gauge("muster_service_info", "The service this process is, always 1", ["service", "version"])


class Identity:
    """The process that writes log lines: its service, and its id (host and pid until it has one in the fleet)."""

    def __init__(self, service: str = "") -> None:
        self.service, self.id = service, f"{platform.node()}:{os.getpid()}"

    def add(self, _logger: object, _method: str, event: EventDict) -> EventDict:
        """Add service and id to a log line; a structlog processor."""
        return {"service": self.service, "id": self.id, **event} if self.service else event


def configure_logging(level: str, form: str, identity: Identity | None = None) -> None:
    """Write log lines with the process's identity to stderr.

    `form`: `console`, `json`, or `auto`: text on a terminal, else JSON.
    """
    console = form == "console" or (form == "auto" and sys.stderr.isatty())
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            (identity or Identity()).add,
            _add_trace,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.StackInfoRenderer(),
            *(() if console else (structlog.processors.format_exc_info,)),
            mask_event,
            structlog.dev.ConsoleRenderer(exception_formatter=_write_traceback)
            if console
            else structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    for earlier in [handler for handler in root.handlers if isinstance(handler, _LibraryHandler)]:
        root.removeHandler(earlier)
    root.addHandler(_LibraryHandler(logging.WARNING))


class _LibraryHandler(logging.Handler):
    """Writes what libraries log with Python's logging as lines of Muster's log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record and its traceback, if any."""
        log = structlog.get_logger(record.name)
        log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)


def _write_traceback(out: TextIO, error: ExcInfo) -> None:
    """Write a traceback with secrets masked, control characters escaped, and no values of variables."""
    text = "".join(traceback.format_exception(*error)).rstrip()
    text = mask_text(text)
    out.write("\n" + _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text))


def _add_trace(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Add the ids of the current trace and span to a log line."""
    at = trace.get_current_span().get_span_context()
    return {**event, "trace_id": f"{at.trace_id:032x}", "span_id": f"{at.span_id:016x}"} if at.is_valid else event


class LoopLag:
    """How late the event loop runs callbacks; 0 while `watch` is not running."""

    PERIOD = 0.5
    """Seconds between measurements."""

    def __init__(self) -> None:
        self._due, self._last = math.inf, 0.0

    @property
    def seconds(self) -> float:
        """Seconds by which the last wake-up of `watch` was late, or the next one already is."""
        return max(self._last, time.monotonic() - self._due)

    async def watch(self) -> None:
        """Measure until cancelled."""
        try:
            while True:
                self._due = time.monotonic() + self.PERIOD
                await asyncio.sleep(self.PERIOD)
                self._last = max(0.0, time.monotonic() - self._due)
                LOOP_LAG.observe(self._last)
        finally:
            self._due, self._last = math.inf, 0.0


async def serve_health(
    host: str, port: int, problem: Callable[[], str], note: Callable[[], str] = lambda: ""
) -> asyncio.Server:
    """Serve /metrics, /healthz (200 while the process answers) and /readyz (503 while `problem()` returns a reason).

    `note()` is appended to the reply "ready". Port 0 means any free port.

    Raises:
        OSError: the port cannot be opened.
    """

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(5):
                target = (await reader.readline()).split(b" ")[1:2]
                while (await reader.readline()).strip():
                    continue
                writer.write(_response(target[0].decode() if target else "", problem(), note()))
                await writer.drain()
        except (OSError, TimeoutError, ValueError):
            pass  # the client disconnected, was too slow, or did not send HTTP
        finally:
            writer.close()

    return await asyncio.start_server(answer, host, port)


def _response(path: str, problem: str, note: str) -> bytes:
    match path.partition("?")[0]:
        case "/metrics":
            return _http("200 OK", CONTENT_TYPE_LATEST, generate_latest())
        case "/healthz":
            return _http("200 OK", "text/plain", b"ok\n")
        case "/readyz" if problem:
            return _http("503 Service Unavailable", "text/plain", f"not ready: {problem}\n".encode())
        case "/readyz":
            return _http("200 OK", "text/plain", f"ready{note}\n".encode())
        case _:
            return _http("404 Not Found", "text/plain", b"this port serves /metrics, /healthz and /readyz\n")


def _http(status: str, content_type: str, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body

"""A receiver of OpenTelemetry traces over HTTP, as a collector is one; it keeps what it gets."""

import gzip
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from serving import serving


class Received(NamedTuple):
    """One span as it came in; ids in hex, times in seconds."""

    service: str
    name: str
    trace: str
    id: str
    parent: str
    began: float
    ended: float
    attributes: dict[str, str | int | float]
    error: str


class Receiver:
    """Where to send traces, and what has come."""

    def __init__(self) -> None:
        self.url = ""
        self.spans: list[Received] = []
        self.bodies: list[bytes] = []

    def take(self, body: bytes) -> None:
        """Keep what one request holds."""
        self.bodies.append(body)
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            service = str(_values(resource.resource.attributes)["service.name"])
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                self.spans.append(
                    Received(
                        service=service,
                        name=span.name,
                        trace=span.trace_id.hex(),
                        id=span.span_id.hex(),
                        parent=span.parent_span_id.hex(),
                        began=span.start_time_unix_nano / 1e9,
                        ended=span.end_time_unix_nano / 1e9,
                        attributes=_values(span.attributes),
                        error=span.status.message if span.status.code == 2 else "",
                    )
                )


def _values(attributes: Iterable[KeyValue]) -> dict[str, str | int | float]:
    found: dict[str, str | int | float] = {}
    for one in attributes:
        kind = one.value.WhichOneof("value")
        found[one.key] = getattr(one.value, kind) if kind else ""
    return found


@contextmanager
def otlp_receiver() -> Generator[Receiver]:
    """Receive traces until left."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            receiver.take(gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body)
            self.send_response(200 if self.path == "/v1/traces" else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    receiver = Receiver()
    with serving(Handler) as receiver.url:
        yield receiver

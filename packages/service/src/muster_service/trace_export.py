"""Exports traces by OTLP over HTTP, with preset span ids where given, and logs when the export fails."""

import asyncio
import logging
import os
import platform
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import unquote

import structlog
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from muster_protocol import __version__
from muster_service.settings import BusSettings
from muster_service.tracing import preset_ids

log = structlog.get_logger("muster.tracing")

EXPORT_SECONDS = 3.0
"""Timeout of one export; spans that the receiver does not accept are dropped, and no work waits for it."""
CLOSE_SECONDS = 8.0


def _parse_headers(text: str) -> dict[str, str]:
    """Return the headers in `name=value,...`, values percent-encoded. Pure; the library's parser logs invalid ones."""
    pairs = (part.partition("=") for part in text.split(",") if "=" in part)
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}


@asynccontextmanager
async def exporting(settings: BusSettings, service: str) -> AsyncGenerator[None]:
    """Export traces inside the block to the endpoint in the settings."""
    handler = _LibraryLog()
    library = logging.getLogger("opentelemetry")
    library.addHandler(handler)
    library.propagate = False
    provider = _make_provider(settings, service, handler)
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        try:
            await asyncio.wait_for(asyncio.to_thread(provider.shutdown), CLOSE_SECONDS)
        except TimeoutError:
            log.warning("last traces not exported in time", endpoint=settings.otel_exporter_otlp_endpoint)


def _make_provider(settings: BusSettings, service: str, handler: "_LibraryLog") -> TracerProvider:
    attributes = {
        "service.name": f"muster-{service}",
        "service.namespace": settings.muster_prefix,
        "service.version": __version__,
        "service.instance.id": f"{platform.node()}:{os.getpid()}",
    }
    headers = _parse_headers(settings.otel_exporter_otlp_headers)
    endpoint = f"{settings.otel_exporter_otlp_endpoint.rstrip('/')}/v1/traces"
    exporter = _Exporter(endpoint=endpoint, headers=headers, timeout=EXPORT_SECONDS)
    exporter.library_log = handler
    provider = TracerProvider(resource=Resource(attributes), id_generator=_Ids(), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=1000))
    return provider


class _LibraryLog(logging.Handler):
    """Writes the library's warnings into Muster's log, each once until a batch is exported again."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._logged: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a warning that was not logged since the last successful export."""
        if record.msg not in self._logged:
            self._logged.add(record.msg)
            log.warning("traces: " + record.getMessage())

    def note_success(self) -> None:
        """Log that exports succeed again, if a warning was logged before."""
        if self._logged:
            self._logged.clear()
            log.info("traces: the receiver accepts them again")


class _Exporter(OTLPSpanExporter):
    """Exports spans, and logs when exports succeed again."""

    library_log: _LibraryLog

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Export a batch."""
        result = super().export(spans)
        if result is SpanExportResult.SUCCESS:
            self.library_log.note_success()
        return result


class _Ids(RandomIdGenerator):
    """Preset ids for spans that have them, random ids for all others."""

    def generate_trace_id(self) -> int:
        preset = preset_ids.get()
        return preset[0] if preset else super().generate_trace_id()

    def generate_span_id(self) -> int:
        preset = preset_ids.get()
        return preset[1] if preset else super().generate_span_id()

"""Exports traces by OTLP over HTTP, with ids that are known beforehand where they are, and says when it cannot."""

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
"""How long the receiver of traces may take; what it does not take is dropped, and nothing waits for it."""
CLOSE_SECONDS = 8.0


def _parse_headers(text: str) -> dict[str, str]:
    """Return the headers in `name=value,...`, values percent-encoded. Pure; the library's own reader logs bad ones."""
    pairs = (part.partition("=") for part in text.split(",") if "=" in part)
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}


@asynccontextmanager
async def exporting(settings: BusSettings, service: str) -> AsyncGenerator[None]:
    """Export traces in the block to the endpoint of the settings."""
    heard = _LibraryLog()
    library = logging.getLogger("opentelemetry")
    library.addHandler(heard)
    library.propagate = False
    provider = _provider(settings, service, heard)
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        try:
            await asyncio.wait_for(asyncio.to_thread(provider.shutdown), CLOSE_SECONDS)
        except TimeoutError:
            log.warning("last traces not exported", endpoint=settings.otel_exporter_otlp_endpoint)


def _provider(settings: BusSettings, service: str, heard: "_LibraryLog") -> TracerProvider:
    named = {
        "service.name": f"muster-{service}",
        "service.namespace": settings.muster_prefix,
        "service.version": __version__,
        "service.instance.id": f"{platform.node()}:{os.getpid()}",
    }
    headers = _parse_headers(settings.otel_exporter_otlp_headers)
    endpoint = f"{settings.otel_exporter_otlp_endpoint.rstrip('/')}/v1/traces"
    exporter = _Exporter(endpoint=endpoint, headers=headers, timeout=EXPORT_SECONDS)
    exporter.heard = heard
    provider = TracerProvider(resource=Resource(named), id_generator=_Ids(), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=1000))
    return provider


class _LibraryLog(logging.Handler):
    """What the library says of itself, as lines of our own log: each only once until a batch is taken again."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Tell what was not said since things last went well."""
        if record.msg not in self._said:
            self._said.add(record.msg)
            log.warning("traces: " + record.getMessage())

    def well(self) -> None:
        """Tell that things go well again."""
        if self._said:
            self._said.clear()
            log.info("traces: the receiver accepts them again")


class _Exporter(OTLPSpanExporter):
    """Exports spans, and logs when exporting works again."""

    heard: _LibraryLog

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Hand a batch over."""
        result = super().export(spans)
        if result is SpanExportResult.SUCCESS:
            self.heard.well()
        return result


class _Ids(RandomIdGenerator):
    """Random ids, but for spans whose ids are known beforehand."""

    def generate_trace_id(self) -> int:
        given = preset_ids.get()
        return given[0] if given else super().generate_trace_id()

    def generate_span_id(self) -> int:
        given = preset_ids.get()
        return given[1] if given else super().generate_span_id()

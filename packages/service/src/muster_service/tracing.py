"""Traces after OpenTelemetry: one a run, across all services; the context travels in the header `traceparent`.

A run outlives its owners, so its own span and those of its sub-tasks have ids that follow from the run's and the
sub-tasks' ids: whoever hands out a sub-task knows the span it belongs to, and whoever sees the run end records it.
Formats: https://www.w3.org/TR/trace-context/ and https://opentelemetry.io/docs/specs/semconv/gen-ai/.
"""

import asyncio
import hashlib
import logging
import os
import platform
from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from urllib.parse import unquote

import structlog
from msgspec import Struct
from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, SpanKind, Status, StatusCode, TraceFlags
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from muster_protocol import __version__
from muster_service.settings import BusSettings

log = structlog.get_logger("muster.tracing")

TRACEPARENT = "traceparent"
EXPORT_SECONDS = 3.0
"""How long the receiver of traces may take; what it does not take is dropped, and nothing waits for it."""
CLOSE_SECONDS = 8.0
Attributes = Mapping[str, str | int | float | bool]
SERVER, CLIENT, CONSUMER, INTERNAL = SpanKind.SERVER, SpanKind.CLIENT, SpanKind.CONSUMER, SpanKind.INTERNAL

_format = TraceContextTextMapPropagator()
_tracer = trace.get_tracer("muster", __version__)
_preset_ids: ContextVar[tuple[int, int] | None] = ContextVar("ids of the span that is begun", default=None)


class EndedSpan(Struct, frozen=True, kw_only=True):
    """A span that has ended, recorded by a process that need not have run it; times are Unix seconds."""

    name: str
    place: str
    """Its own `traceparent`."""
    parent: str
    """That of the span around it; empty: none."""
    began: float
    ended: float
    attributes: dict[str, str | int | float | bool] = {}
    error: str = ""


def enabled() -> bool:
    """Return whether this process exports traces."""
    return isinstance(trace.get_tracer_provider(), TracerProvider)


def is_traceparent(text: str) -> bool:
    """Return whether a text is a `traceparent`. Pure."""
    return _parse_traceparent(text) is not None


def run_traceparent(run: str, traceparent: str = "") -> str:
    """Return the `traceparent` of a run's own span, in the trace that its request came with, else in its own. Pure.

    A caller that does not sample its trace has none of the run's spans recorded either.
    """
    given = _parse_traceparent(traceparent)
    trace_id = f"{given.trace_id:032x}" if given else _digest(f"run {run}")[:32]
    flags = given.trace_flags if given else TraceFlags.SAMPLED
    return f"00-{trace_id}-{_digest(f'span of run {run}')[:16]}-{flags:02x}"


def task_traceparent(run_place: str, task: str) -> str:
    """Return the `traceparent` of the span of one attempt of a sub-task. Pure."""
    return f"{run_place[:36]}{_digest(f'span of sub-task {task}')[:16]}{run_place[52:]}"


def trace_id_of(place: str) -> str:
    """Return the id of the trace that a `traceparent` names; empty if it is none. Pure."""
    found = _parse_traceparent(place)
    return f"{found.trace_id:032x}" if found else ""


def current_headers() -> dict[str, str]:
    """Return the header that hands the present span on; empty if there is none."""
    headers: dict[str, str] = {}
    _format.inject(headers)
    return headers


@contextmanager
def use_span(place: str) -> Generator[None]:
    """Have what happens in the block belong to a span that is recorded elsewhere."""
    if not enabled():
        yield
        return
    token = contexts.attach(_parent_context(place) or contexts.get_current())
    try:
        yield
    finally:
        contexts.detach(token)


@contextmanager
def span(
    name: str, attributes: Attributes, *, kind: SpanKind = INTERNAL, headers: Mapping[str, str] | None = None
) -> Generator[Span]:
    """Record the block as a span, below the one the headers name, else the present one.

    Of an exception only its type is told: what drivers and models say may quote what was typed, or secrets.
    """
    parent = _parent_context((headers or {}).get(TRACEPARENT, ""))
    with _tracer.start_as_current_span(
        name,
        context=parent,
        kind=kind,
        attributes=dict(attributes),
        record_exception=False,
        set_status_on_exception=False,
    ) as begun:
        try:
            yield begun
        except Exception as error:
            mark_failed(begun, type(error).__name__, type(error).__name__)
            raise


def mark_failed(span: Span, reason: str, kind: str = "") -> None:
    """Mark a span as failed; `kind` is one of few words for what went wrong."""
    span.set_status(Status(StatusCode.ERROR, reason))
    if kind:
        span.set_attribute("error.type", kind)


def record(over: EndedSpan) -> None:
    """Export a span that is over."""
    own, around = _parse_traceparent(over.place), _parse_traceparent(over.parent)
    if own is None or not enabled():
        return
    parent = _parent_context(over.parent) if around and around.trace_id == own.trace_id else Context()
    token = _preset_ids.set((own.trace_id, own.span_id))
    try:
        begun = _tracer.start_span(
            over.name, context=parent, attributes=over.attributes, start_time=int(over.began * 1e9)
        )
    finally:
        _preset_ids.reset(token)
    if over.error:
        mark_failed(begun, over.error)
    begun.end(int(over.ended * 1e9))


def parse_headers(text: str) -> dict[str, str]:
    """Return the headers in `name=value,...`, values percent-encoded. Pure; the library's own reader logs bad ones."""
    pairs = (part.partition("=") for part in text.split(",") if "=" in part)
    return {name.strip(): unquote(value.strip()) for name, _, value in pairs}


@asynccontextmanager
async def export_traces(settings: BusSettings, service: str) -> AsyncGenerator[None]:
    """Export traces in the block, if the settings say where to."""
    if not settings.otel_exporter_otlp_endpoint:
        yield
        return
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
    headers = parse_headers(settings.otel_exporter_otlp_headers)
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
        given = _preset_ids.get()
        return given[0] if given else super().generate_trace_id()

    def generate_span_id(self) -> int:
        given = _preset_ids.get()
        return given[1] if given else super().generate_span_id()


def _parent_context(place: str) -> Context | None:
    """Return the context of a span that is recorded elsewhere; None: the present one."""
    found = _parse_traceparent(place) if place else None
    return trace.set_span_in_context(NonRecordingSpan(found)) if found else None


def _parse_traceparent(place: str) -> SpanContext | None:
    found = trace.get_current_span(_format.extract({TRACEPARENT: place}, Context())).get_span_context()
    return found if found.is_valid else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

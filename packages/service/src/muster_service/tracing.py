"""OpenTelemetry traces: one per run, across all services; the header `traceparent` carries the context.

A run outlives its owners, so the ids of its span and of its sub-tasks' spans are derived from the ids of the run and
the sub-tasks. Any owner can name the span of a sub-task that it dispatches, and the last owner records them all.
Formats: https://www.w3.org/TR/trace-context/ and https://opentelemetry.io/docs/specs/semconv/gen-ai/.
"""

import hashlib
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

from msgspec import Struct
from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, SpanKind, Status, StatusCode, TraceFlags
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from muster_protocol import __version__
from muster_service.settings import BusSettings

TRACEPARENT = "traceparent"
Attributes = Mapping[str, str | int | float | bool]
SERVER, CLIENT, CONSUMER, INTERNAL = SpanKind.SERVER, SpanKind.CLIENT, SpanKind.CONSUMER, SpanKind.INTERNAL

_format = TraceContextTextMapPropagator()
_receivers: list[str] = []
"""Endpoints that this process exports traces to; the library would look into the environment at every question."""
_tracer = trace.get_tracer("muster", __version__)
preset_ids: ContextVar[tuple[int, int] | None] = ContextVar("preset ids", default=None)
"""Trace id and span id for the next span that starts; None: random ids."""


class EndedSpan(Struct, frozen=True, kw_only=True):
    """A span that has ended, perhaps in another process; times in Unix seconds."""

    name: str
    traceparent: str
    """`traceparent` of this span."""
    parent: str
    """`traceparent` of the parent span; empty: none."""
    began: float
    ended: float
    attributes: dict[str, str | int | float | bool] = {}
    error: str = ""


def enabled() -> bool:
    """Return whether this process exports traces."""
    return bool(_receivers)


def is_traceparent(text: str) -> bool:
    """Return whether a text is a `traceparent`. Pure."""
    return _parse_traceparent(text) is not None


def run_traceparent(run: str, traceparent: str = "") -> str:
    """Return the `traceparent` of a run's span: in the request's trace if it has one, else in a trace of its own. Pure.

    If the caller does not sample its trace, no span of the run is recorded either.
    """
    given = _parse_traceparent(traceparent)
    trace_id = f"{given.trace_id:032x}" if given else _digest(f"run {run}")[:32]
    flags = given.trace_flags if given else TraceFlags.SAMPLED
    return f"00-{trace_id}-{_digest(f'span of run {run}')[:16]}-{flags:02x}"


def task_traceparent(run: str, task: str) -> str:
    """Return the `traceparent` of the span of one attempt of a sub-task, given the run's `traceparent`. Pure."""
    return f"{run[:36]}{_digest(f'span of sub-task {task}')[:16]}{run[52:]}"


def trace_id_of(traceparent: str) -> str:
    """Return the trace id in a `traceparent`; empty if the text is not valid. Pure."""
    found = _parse_traceparent(traceparent)
    return f"{found.trace_id:032x}" if found else ""


def current_headers() -> dict[str, str]:
    """Return the headers that propagate the current span; empty if there is none."""
    headers: dict[str, str] = {}
    if trace.get_current_span() is not trace.INVALID_SPAN:
        _format.inject(headers)
    return headers


@contextmanager
def use_span(traceparent: str) -> Generator[None]:
    """Make a span that is recorded elsewhere the current one inside the block."""
    if not enabled():
        yield
        return
    token = contexts.attach(_parent_context(traceparent) or contexts.get_current())
    try:
        yield
    finally:
        contexts.detach(token)


@contextmanager
def span(
    name: str, attributes: Attributes, *, kind: SpanKind = INTERNAL, headers: Mapping[str, str] | None = None
) -> Generator[Span]:
    """Record the block as a span; its parent is the span in the headers, else the current one.

    Of an exception, only the type is recorded: messages of drivers and models may quote typed text or secrets.
    """
    if not enabled():
        yield trace.INVALID_SPAN
        return
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
    """Mark a span as failed; `kind` becomes its `error.type` and must come from a small set."""
    span.set_status(Status(StatusCode.ERROR, reason))
    if kind:
        span.set_attribute("error.type", kind)


def record(span: EndedSpan) -> None:
    """Export a span that has ended."""
    own, around = _parse_traceparent(span.traceparent), _parse_traceparent(span.parent)
    if own is None or not enabled():
        return
    parent = _parent_context(span.parent) if around and around.trace_id == own.trace_id else Context()
    token = preset_ids.set((own.trace_id, own.span_id))
    try:
        started = _tracer.start_span(
            span.name, context=parent, attributes=span.attributes, start_time=int(span.began * 1e9)
        )
    finally:
        preset_ids.reset(token)
    if span.error:
        mark_failed(started, span.error)
    started.end(int(span.ended * 1e9))


@asynccontextmanager
async def export_traces(settings: BusSettings, service: str) -> AsyncGenerator[None]:
    """Export traces inside the block, if the settings name a receiver."""
    if not settings.otel_exporter_otlp_endpoint:
        yield
        return
    # The exporter takes 0.2 s to load; a process without a receiver does not need it.
    from muster_service.trace_export import exporting  # noqa: PLC0415

    _receivers.append(settings.otel_exporter_otlp_endpoint)
    try:
        async with exporting(settings, service):
            yield
    finally:
        _receivers.remove(settings.otel_exporter_otlp_endpoint)


def _parent_context(traceparent: str) -> Context | None:
    """Return the context with the span as parent; None, which means the current context, if the text is not valid."""
    found = _parse_traceparent(traceparent) if traceparent else None
    return trace.set_span_in_context(NonRecordingSpan(found)) if found else None


def _parse_traceparent(text: str) -> SpanContext | None:
    found = trace.get_current_span(_format.extract({TRACEPARENT: text}, Context())).get_span_context()
    return found if found.is_valid else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

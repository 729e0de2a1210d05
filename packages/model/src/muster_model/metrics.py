"""Metrics of requests to models, named by OpenTelemetry's conventions for generative AI."""

from functools import cache, partial

from prometheus_client import Counter, Histogram

from muster_protocol.tool_calls import Usage

MODEL_CALLS = Counter("muster_model_calls", "Requests to models", ["gen_ai_request_model", "result"])
MODEL_SECONDS = Histogram(
    "gen_ai_client_operation_duration_seconds",
    "Time until a model answered, including retries, or until the request failed",
    ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "error_type"],
    buckets=(0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84),
)
MODEL_TOKENS = Histogram(
    "gen_ai_client_token_usage",
    "Tokens of a request or an answer, as reported by the model's server",
    ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "gen_ai_token_type"],
    buckets=(1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576),
)
CACHED_TOKENS = Counter(
    "muster_model_cached_tokens",
    "Tokens of requests that the model's server reports as cached",
    ["gen_ai_request_model"],
)
MODEL_COST = Counter(
    "muster_model_cost_usd", "Cost of models according to MODEL_PRICES, in US dollars", ["gen_ai_request_model"]
)
OPERATION = {"gen_ai_operation_name": "chat", "gen_ai_provider_name": "openai"}
"""The chat API through which all models are called, whatever server runs them."""
FAULTS = frozenset({"ModelError", "ModelUnusable", "ContextFull"})
_calls = cache(MODEL_CALLS.labels)
_seconds = cache(partial(MODEL_SECONDS.labels, **OPERATION))
_tokens = cache(partial(MODEL_TOKENS.labels, **OPERATION))
_cost = cache(MODEL_COST.labels)
_cached = cache(CACHED_TOKENS.labels)


def begin_model(model: str) -> None:
    """Create a model's time series, with the value 0."""
    _cost(model)
    _cached(model)
    for result in ("ok", "error"):
        _calls(model, result)


def count_model_call(model: str, seconds: float, usage: Usage) -> None:
    """Count an answered request, with its tokens and cost."""
    _calls(model, "ok").inc()
    _seconds(gen_ai_request_model=model, error_type="").observe(seconds)
    _tokens(gen_ai_request_model=model, gen_ai_token_type="input").observe(usage.input_tokens)
    _tokens(gen_ai_request_model=model, gen_ai_token_type="output").observe(usage.output_tokens)
    _cached(model).inc(usage.cached_tokens)
    _cost(model).inc(usage.cost)


def count_model_fault(model: str, seconds: float, error: Exception) -> None:
    """Count a request without a usable answer."""
    kind = type(error).__name__
    _calls(model, "error").inc()
    _seconds(gen_ai_request_model=model, error_type=kind if kind in FAULTS else "_OTHER").observe(seconds)

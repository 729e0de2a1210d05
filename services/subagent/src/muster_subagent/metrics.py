"""What a sub-agent worker counts. Names of what concerns models are those of OpenTelemetry's GenAI conventions."""

from collections.abc import Iterable
from functools import cache, partial
from itertools import product
from typing import get_args, get_type_hints

from prometheus_client import Counter, Histogram

from muster_protocol.tasks import ResultStatus, SubTaskResult
from muster_protocol.tools import Usage

SUBTASKS = Counter("muster_subtasks", "Sub-tasks finished here", ["kind", "status", "source"])
SUBTASK_SECONDS = Histogram(
    "muster_subtask_duration_seconds",
    "From taking a sub-task to its result",
    ["kind"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600),
)
WAIT_SECONDS = Histogram(
    "muster_subtask_schedule_to_start_seconds",
    "From a sub-task's arrival in the queue to a worker taking it",
    ["pool"],
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300),
)
TAKEOVERS = Counter("muster_subtask_takeovers", "Sub-tasks taken over from another worker", ["kind"])
FENCED = Counter("muster_subtasks_fenced", "Sub-tasks given up because another worker holds them", ["kind"])
TOOL_CALLS = Counter("muster_tool_calls", "Tool calls", ["tool", "status"])
TOOL_SECONDS = Histogram(
    "muster_tool_call_duration_seconds",
    "Time a tool call took",
    ["tool"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
MODEL_CALLS = Counter("muster_model_calls", "Questions to models", ["gen_ai_request_model", "result"])
MODEL_SECONDS = Histogram(
    "gen_ai_client_operation_duration_seconds",
    "Time until a model had answered, repeated requests included, or until the worker gave up",
    ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "error_type"],
    buckets=(0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84),
)
MODEL_TOKENS = Histogram(
    "gen_ai_client_token_usage",
    "Tokens of a question or an answer, as the model's server tells; the sum is what was used",
    ["gen_ai_operation_name", "gen_ai_provider_name", "gen_ai_request_model", "gen_ai_token_type"],
    buckets=(1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576),
)
MODEL_COST = Counter(
    "muster_model_cost_usd", "Money spent on models by MODEL_PRICES, in US dollars", ["gen_ai_request_model"]
)

OPERATION = {"gen_ai_operation_name": "chat", "gen_ai_provider_name": "openai"}
"""All models are asked over the chat API of this provider, whoever serves it."""
STATUSES, SOURCES = get_args(ResultStatus), get_args(get_type_hints(SubTaskResult)["source"])
FAULTS = frozenset({"ModelError", "ModelUnusable", "ContextFull"})

_calls = cache(MODEL_CALLS.labels)
_seconds = cache(partial(MODEL_SECONDS.labels, **OPERATION))
_tokens = cache(partial(MODEL_TOKENS.labels, **OPERATION))
_cost = cache(MODEL_COST.labels)


def begin(kinds: Iterable[str]) -> None:
    """Count from 0 on what has a known set of labels, so that the first of a kind shows as an increase."""
    for kind in kinds:
        TAKEOVERS.labels(kind)
        FENCED.labels(kind)
        for status, source in product(STATUSES, SOURCES):
            SUBTASKS.labels(kind, status, source)


def begin_model(model: str) -> None:
    """Have a model counted from 0 on."""
    _cost(model)
    for result in ("ok", "error"):
        _calls(model, result)


def count_model_call(model: str, seconds: float, usage: Usage) -> None:
    """Count a question that was answered, with the tokens and the money it took."""
    _calls(model, "ok").inc()
    _seconds(gen_ai_request_model=model, error_type="").observe(seconds)
    _tokens(gen_ai_request_model=model, gen_ai_token_type="input").observe(usage.input_tokens)
    _tokens(gen_ai_request_model=model, gen_ai_token_type="output").observe(usage.output_tokens)
    _cost(model).inc(usage.cost)


def count_model_fault(model: str, seconds: float, error: Exception) -> None:
    """Count a question without an answer that can be used."""
    kind = type(error).__name__
    _calls(model, "error").inc()
    _seconds(gen_ai_request_model=model, error_type=kind if kind in FAULTS else "_OTHER").observe(seconds)

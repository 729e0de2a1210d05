"""What a sub-agent worker counts."""

from prometheus_client import Counter, Histogram

SUBTASKS = Counter("muster_subtasks", "Sub-tasks finished here", ["role", "status", "source"])
SUBTASK_SECONDS = Histogram(
    "muster_subtask_duration_seconds",
    "From taking a sub-task to its result",
    ["role"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600),
)
WAIT_SECONDS = Histogram(
    "muster_subtask_schedule_to_start_seconds",
    "From a sub-task's arrival in the queue to a worker taking it",
    ["pool"],
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300),
)
TAKEOVERS = Counter("muster_subtask_takeovers", "Sub-tasks taken over from another worker", ["role"])
FENCED = Counter("muster_subtasks_fenced", "Sub-tasks given up because another worker holds them", ["role"])
TOOL_CALLS = Counter("muster_tool_calls", "Tool calls", ["tool", "status"])
TOOL_SECONDS = Histogram(
    "muster_tool_call_duration_seconds",
    "Time a tool call took",
    ["tool"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
MODEL_CALLS = Counter("muster_model_calls", "Requests to models", ["model", "result"])
MODEL_SECONDS = Histogram(
    "muster_model_call_duration_seconds",
    "Time a model took to answer, repeated requests included",
    ["model"],
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160),
)
MODEL_TOKENS = Counter("muster_model_tokens", "Tokens of requests and answers", ["model", "direction"])
MODEL_COST = Counter("muster_model_cost", "Money spent on models, in the currency of the price table", ["model"])

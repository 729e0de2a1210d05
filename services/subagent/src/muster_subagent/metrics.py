"""A worker's metrics. Those about models are named as in OpenTelemetry's GenAI conventions."""

from collections.abc import Iterable
from itertools import product
from typing import get_args, get_type_hints

from prometheus_client import Counter, Gauge, Histogram

from muster_model.minute_budgets import LimitedBy
from muster_protocol.step_recordings import MissReason
from muster_protocol.tasks import ResultStatus, SubTaskResult

SUBTASKS = Counter("muster_subtasks", "Sub-tasks finished here", ["kind", "status", "source"])
AGENT_SUBTASKS = Counter("muster_agent_subtasks", "Sub-tasks finished here by an agent", ["agent", "status"])
AGENT_TOKENS = Counter("muster_agent_tokens", "Tokens of questions and answers of an agent's sub-tasks", ["agent"])
AGENT_CALLS = Counter("muster_agent_tool_calls", "Tool calls of an agent's sub-tasks", ["agent"])
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
TOOL_REFUSALS = Counter(
    "muster_tool_refusals", "Tool calls that the step or the agent does not allow, by reason", ["reason"]
)
SKILL_LOADS = Counter("muster_skill_loads", "Skills loaded by agents, or refused", ["skill", "outcome"])
TOOL_SECONDS = Histogram(
    "muster_tool_call_duration_seconds",
    "Time a tool call took",
    ["tool"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)

MODEL_WAIT = Histogram(
    "muster_model_budget_wait_seconds",
    "Time that requests to models waited for the fleet's budget per minute",
    ["limit"],
    buckets=(0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600),
)
MODEL_WAITING = Gauge("muster_model_budget_waiting", "Requests to models that wait for the fleet's budget per minute")
RECORDINGS = Counter(
    "muster_recording_replays", "Lookups of recordings before a model was asked, by outcome", ["outcome"]
)
RECORDING_TOKENS_SAVED = Counter(
    "muster_recording_tokens_saved", "Tokens saved by replays: what the steps and plans cost when they were recorded"
)

REPLAYS = ("hit", "absent", *get_args(MissReason))
"""What came of it: replayed as a whole, no recording, or why it missed."""
REFUSALS = ("channel", "host", "secret", "tool", "effect", "device", "path", "domain", "skill", "approval")
"""A tool that the step's words do not open; an address of another host; a secret that may not go there. And what the
agent may not: use a tool, have an effect, use a device, read or write a path, reach a host, go on with a skill whose
time is over, do what a person did not allow."""
STATUSES, SOURCES = get_args(ResultStatus), get_args(get_type_hints(SubTaskResult)["source"])


def count_agent(agent: str, result: SubTaskResult) -> None:
    """Count a sub-task that an agent has finished, with what it has used itself."""
    AGENT_SUBTASKS.labels(agent, result.status).inc()
    AGENT_TOKENS.labels(agent).inc(result.usage.tokens)
    AGENT_CALLS.labels(agent).inc(result.usage.calls)


def begin(kinds: Iterable[str], skills: Iterable[str] = (), agents: Iterable[str] = ()) -> None:
    """Count from 0 on what has a known set of labels, so that the first of a kind shows as an increase."""
    for limit in get_args(LimitedBy):
        MODEL_WAIT.labels(limit)
    for outcome in REPLAYS:
        RECORDINGS.labels(outcome)
    for reason in REFUSALS:
        TOOL_REFUSALS.labels(reason)
    for skill, outcome in product(skills, ("loaded", "refused")):
        SKILL_LOADS.labels(skill, outcome)
    for agent in agents:
        AGENT_TOKENS.labels(agent)
        AGENT_CALLS.labels(agent)
        for status in STATUSES:
            AGENT_SUBTASKS.labels(agent, status)
    for kind in kinds:
        TAKEOVERS.labels(kind)
        FENCED.labels(kind)
        for status, source in product(STATUSES, SOURCES):
            SUBTASKS.labels(kind, status, source)

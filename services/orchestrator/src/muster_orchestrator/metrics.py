"""What the orchestrator counts."""

from prometheus_client import Counter, Gauge, Histogram

from muster_orchestrator.machine import POOL, SESSION_HOST
from muster_protocol.causes import Cause
from muster_protocol.kinds import KINDS, POOLS

RUNS_ACTIVE = Gauge("muster_runs_active", "Runs this process drives")
RUNS = Counter("muster_runs", "Runs that reached a verdict here", ["status", "cause"])
RUN_SECONDS = Histogram(
    "muster_run_duration_seconds",
    "From a run's first event to its verdict",
    buckets=(0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600),
)
WAIT_SECONDS = Histogram(
    "muster_run_schedule_to_start_seconds",
    "From a run's arrival in the queue to an orchestrator taking it",
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800),
)
REQUESTS = Counter("muster_run_requests", "Requests to run something", ["result"])
DISPATCHED = Counter("muster_subtasks_dispatched", "Sub-tasks handed to the queue", ["kind"])
TAKEOVERS = Counter("muster_run_takeovers", "Runs taken over from another owner")
UNSERVED = Gauge("muster_runs_unserved", "Runs of this process that wait for what no live process can do", ["what"])
NEWER = Counter("muster_newer_messages", "Requests and runs left alone as a newer version wrote them")
FENCED = Counter("muster_runs_fenced", "Runs given up because another owner had written")

PENDING = Gauge("muster_queue_pending", "Messages that nobody has taken yet", ["queue", "priority"])
ACK_PENDING = Gauge("muster_queue_ack_pending", "Messages taken and not done with yet", ["queue", "priority"])
REDELIVERED = Gauge("muster_queue_redelivered", "Messages at work that were handed out before", ["queue", "priority"])
PULLS = Gauge("muster_queue_waiting_pulls", "Requests for work that wait for a message", ["queue", "priority"])
OLDEST = Gauge(
    "muster_queue_oldest_waiting_seconds",
    "Age of the oldest message that nobody has taken yet; 0 without one",
    ["queue", "priority"],
)
STREAM_MESSAGES = Gauge("muster_stream_messages", "Messages a stream holds", ["stream"])
STREAM_BYTES = Gauge("muster_stream_bytes", "Bytes a stream holds", ["stream"])
STREAM_FULL = Gauge(
    "muster_stream_full_ratio",
    "How full a stream is, by messages or bytes, whichever is more; 0 without a limit",
    ["stream"],
)
STREAM_CONSUMERS = Gauge("muster_stream_consumers", "Consumers a stream has", ["stream"])
SAMPLED = (
    *(PENDING, ACK_PENDING, REDELIVERED, PULLS, OLDEST),
    *(STREAM_MESSAGES, STREAM_BYTES, STREAM_FULL, STREAM_CONSUMERS),
)
"""What each orchestrator reads from the server now and then. All tell the same: take the `max`, never the sum."""


def begin() -> None:
    """Count from 0 on what has a known set of labels, so that the first of a kind shows as an increase."""
    RUNS.labels("pass", "")
    for cause in Cause:
        RUNS.labels("fail", str(cause))
    for result in ("accepted", "rejected"):
        REQUESTS.labels(result)
    for kind in KINDS:
        DISPATCHED.labels(kind.name)
    for what in (*(f"{POOL}{pool}" for pool in POOLS), SESSION_HOST):
        UNSERVED.labels(what)

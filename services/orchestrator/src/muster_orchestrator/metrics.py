"""What the orchestrator counts."""

from prometheus_client import Counter, Gauge, Histogram

RUNS_ACTIVE = Gauge("muster_runs_active", "Runs this process drives")
RUNS = Counter("muster_runs", "Runs that reached a verdict here", ["status", "cause"])
RUN_SECONDS = Histogram(
    "muster_run_duration_seconds",
    "From a run's first event to its verdict",
    buckets=(0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600),
)
REQUESTS = Counter("muster_run_requests", "Requests to run something", ["result"])
DISPATCHED = Counter("muster_subtasks_dispatched", "Sub-tasks handed to the queue", ["role"])
TAKEOVERS = Counter("muster_run_takeovers", "Runs taken over from another owner")
UNSERVED = Gauge("muster_unserved", "Runs of this process that wait for what no live process can do", ["what"])
NEWER = Counter("muster_newer_messages", "Requests and runs left alone as a newer version wrote them")
FENCED = Counter("muster_runs_fenced", "Runs given up because another owner had written")

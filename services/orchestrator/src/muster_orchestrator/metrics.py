"""Metrics of the orchestrator."""

from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from muster_orchestrator.machine import POOL, Run, describe_host
from muster_protocol.causes import Cause
from muster_protocol.events import Event, SessionOpened, SubTaskDispatched
from muster_protocol.kinds import KINDS, POOLS
from muster_protocol.requests import DEVICE_KINDS
from muster_protocol.triggers import FireOutcome

RUNS_ACTIVE = Gauge("muster_runs_active", "Runs this process drives")
RUNS = Counter("muster_runs", "Runs that reached a verdict here", ["status", "cause"])
RUN_SECONDS = Histogram(
    "muster_run_duration_seconds",
    "From a run's first event to its verdict",
    buckets=(0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600),
)
WAIT_BUCKETS = (0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1800, 7200)
WAIT_SECONDS = Histogram(
    "muster_run_schedule_to_start_seconds",
    "From a run's arrival in the queue to an orchestrator taking it",
    buckets=WAIT_BUCKETS,
)
SESSION_WAIT = Histogram(
    "muster_session_wait_seconds",
    "From a run's first event until a session that it requested is open, including the time in line",
    buckets=WAIT_BUCKETS,
)
FIRST_STEP = Histogram(
    "muster_run_accepted_to_first_step_seconds",
    "From accepting a request to dispatching the run's first step",
    buckets=WAIT_BUCKETS,
)
REQUESTS = Counter("muster_run_requests", "Run requests, by result", ["result"])
EVENTS = Counter("muster_events", "Events offered to triggers, by result", ["result"])
TRIGGER_FIRES = Counter("muster_trigger_fires", "Due times and events of triggers, by outcome", ["outcome"])
DISPATCHED = Counter("muster_subtasks_dispatched", "Sub-tasks put into the queue", ["kind"])
TAKEOVERS = Counter("muster_run_takeovers", "Runs taken over from another owner")
UNSERVED = Gauge(
    "muster_runs_unserved",
    "Runs of this process that wait for a worker pool or session host of which none is running",
    ["what"],
)
NEWER = Counter("muster_newer_messages", "Times that a run was skipped because a newer version wrote its log")
FENCED = Counter("muster_runs_fenced", "Runs that this process stopped driving because another owner had written")
RECORDINGS_KEPT = Counter(
    "muster_recordings_kept", "Recordings of steps that were kept after a pass, proposed, or forgotten", ["what"]
)

PENDING = Gauge("muster_queue_pending", "Messages not delivered yet", ["queue", "priority"])
ACK_PENDING = Gauge("muster_queue_ack_pending", "Messages delivered and not acknowledged yet", ["queue", "priority"])
REDELIVERED = Gauge("muster_queue_redelivered", "Unacknowledged messages delivered repeatedly", ["queue", "priority"])
PULLS = Gauge("muster_queue_waiting_pulls", "Pull requests that wait for a message", ["queue", "priority"])
OLDEST = Gauge(
    "muster_queue_oldest_waiting_seconds",
    "Age of the oldest message not delivered yet; 0 without one",
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
"""Values that every orchestrator samples from the server. All report the same: use `max`, never the sum."""


def begin() -> None:
    """Create the series with known labels at 0, so that the first count shows as an increase."""
    RUNS.labels("pass", "")
    for cause in Cause:
        RUNS.labels("fail", str(cause))
    for what in ("kept", "proposed", "forgotten"):
        RECORDINGS_KEPT.labels(what)
    for result in ("accepted", "rejected"):
        REQUESTS.labels(result)
    for result in ("taken", "delayed", "refused"):
        EVENTS.labels(result)
    for outcome in get_args(FireOutcome):
        TRIGGER_FIRES.labels(outcome)
    for kind in KINDS:
        DISPATCHED.labels(kind.name)
    for what in (*(f"{POOL}{pool}" for pool in POOLS), *map(describe_host, DEVICE_KINDS)):
        UNSERVED.labels(what)


def observe(run: Run, event: Event) -> None:
    """Observe the times that an event reveals, given the run after it."""
    match event:
        case SessionOpened(restored="no") if not run.sessions.losses:
            SESSION_WAIT.observe(max(0.0, run.now - run.clock.started_at))
        case SubTaskDispatched(sub_task=task) if task.position == 1 and task.attempt == 1 and not task.about:
            accepted = run.request.requested_at if run.request else 0.0
            FIRST_STEP.observe(max(0.0, run.now - (accepted or run.clock.started_at)))
        case _:
            pass

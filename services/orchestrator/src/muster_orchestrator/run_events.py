"""Events that the fleet sends itself. Pure."""

from datetime import UTC, datetime
from typing import Any

from muster_client.trigger_chains import chain_of
from muster_protocol.cloud_events import RUN_ENDED, CloudEvent
from muster_protocol.verdicts import Verdict

SOURCE = "muster"
LONGEST_LABEL, MOST_LABELS, LONGEST_SUMMARY = 200, 50, 1_000
"""Labels in an event, and characters of one and of the summary, so that each verdict fits into an event."""


def run_ended(verdict: Verdict) -> CloudEvent:
    """Return the event that tells of a run's end; it is the same however often it is made."""
    labels = {name: it for name, it in verdict.labels.items() if len(name) <= LONGEST_LABEL >= len(it)}
    data: dict[str, Any] = {
        "run": verdict.run,
        "name": verdict.name,
        "status": verdict.status,
        "cause": str(verdict.cause or ""),
        "summary": verdict.summary[:LONGEST_SUMMARY],
        "suite": verdict.suite[:LONGEST_LABEL],
        "labels": dict(list(labels.items())[:MOST_LABELS]),
        "triggers": list(chain_of(verdict.labels)),
        "seconds": verdict.duration,
    }
    ended = datetime.fromtimestamp(verdict.ended_at, UTC).isoformat() if verdict.ended_at else ""
    return CloudEvent(
        specversion="1.0", id=verdict.run, source=SOURCE, type=RUN_ENDED, subject=verdict.run, time=ended, data=data
    )

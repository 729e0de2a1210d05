"""Events that the fleet sends itself, and how a chain of triggers ends. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from muster_protocol.cloud_events import RUN_ENDED, CloudEvent
from muster_protocol.verdicts import Verdict

TRIGGER_LABEL = "trigger"
"""Label of the runs that a trigger has started: its id."""
CHAIN_LABEL = "trigger_chain"
"""Label of runs that the end of another triggered run has started: the ids of all triggers that led to them."""
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


def chain_of(labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return the triggers that have led to a run, first one first."""
    chain = tuple(labels.get(CHAIN_LABEL, "").split())
    last = labels.get(TRIGGER_LABEL, "")
    return chain if not last or last in chain else (*chain, last)


def triggers_behind(event: CloudEvent) -> tuple[str, ...]:
    """Return the triggers that have led to an event of the fleet; none for any other event."""
    if event.type != RUN_ENDED or not isinstance(event.data, dict):
        return ()
    listed = cast("dict[str, Any]", event.data).get("triggers")
    return tuple(str(one) for one in cast("list[Any]", listed)) if isinstance(listed, list) else ()

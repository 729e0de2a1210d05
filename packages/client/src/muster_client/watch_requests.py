"""Builds the assignment of an agent that examines an event or works at a scheduled time. Pure."""

from typing import Any

from muster_protocol.cloud_events import EventFilter
from muster_protocol.requests import Assignment, RunRequest

CLASSIFICATIONS = ("incident", "flaky", "noise", "recovered", "unclear")
SEVERITIES = ("critical", "high", "low", "none")
FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "classification": {"enum": list(CLASSIFICATIONS)},
        "severity": {"enum": list(SEVERITIES)},
        "affected": {"type": "string", "maxLength": 500},
    },
    "required": ["classification", "severity"],
    "additionalProperties": False,
}
"""Form of what the agent hands in."""


def build_watch(
    id: str, agent: str, event: EventFilter | None, *, goal: str = "", may_start: tuple[str, ...] = ()
) -> RunRequest:
    """Return the request that a trigger stores; what has happened is added when it fires."""
    said = f"An event has arrived: {event.type}. Examine it and classify it." if event else "Run a health check."
    job = Assignment(
        name=f"{agent}: {id}",
        agent=agent,
        goal=goal or said,
        output_schema=FORM,
        role="runner",
        may_start=may_start,
    )
    return RunRequest(job=job)

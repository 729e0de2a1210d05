"""The triggers that have led to a run, so that no chain of them is endless, and what they vouch for. Pure."""

from collections.abc import Mapping
from typing import Any, cast

from msgspec.structs import replace

from muster_protocol.cloud_events import RUN_ENDED, CloudEvent
from muster_protocol.requests import Assignment
from muster_protocol.triggers import Trigger

TRIGGER_LABEL = "trigger"
"""Label of the runs that a trigger has started: its id."""
CHAIN_LABEL = "trigger_chain"
"""Label of runs that another triggered run has led to: the ids of all triggers before."""


def chain_of(labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return the triggers that have led to a run, first one first."""
    chain = tuple(labels.get(CHAIN_LABEL, "").split())
    last = labels.get(TRIGGER_LABEL, "")
    return chain if not last or last in chain else (*chain, last)


def chain_labels(before: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of a run that the agent of another run starts, by the labels of that one."""
    chain = chain_of(before)
    return {CHAIN_LABEL: " ".join(chain)} if chain else {}


def triggers_behind(event: CloudEvent) -> tuple[str, ...]:
    """Return the triggers that have led to an event of the fleet; none for any other event."""
    if event.type != RUN_ENDED or not isinstance(event.data, dict):
        return ()
    listed = cast("dict[str, Any]", event.data).get("triggers")
    return tuple(str(one) for one in cast("list[Any]", listed)) if isinstance(listed, list) else ()


def vouches_for(trigger: Trigger, job: Assignment) -> bool:
    """Return whether a trigger has an agent do just this, whatever the event. Requests can be published by anyone."""

    def without_event(work: Assignment) -> Assignment:
        return replace(work, event="", notes_on="")

    given = (run.job for run in trigger.runs)
    return any(isinstance(work, Assignment) and without_event(work) == without_event(job) for work in given)

"""Which triggers have led to a run, so that no chain of them goes on for ever. Pure."""

from collections.abc import Mapping
from typing import Any, cast

from muster_protocol.cloud_events import RUN_ENDED, CloudEvent

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

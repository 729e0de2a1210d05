"""Events: what happened inside or outside of the fleet, as CloudEvents 1.0 in JSON."""

import hashlib
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

OWN = "muster."
"""How the types of events begin that the fleet sends itself; nobody else may send one."""
RUN_ENDED = "muster.run.ended"
"""A run has its verdict."""
ALERTS = "alert."
"""How the types of alerts about devices begin, which session hosts send."""
STRUCTURED = "application/cloudevents+json"
"""Content type of an event in JSON."""
Text = Annotated[str, Meta(min_length=1, max_length=300)]


class CloudEvent(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A CloudEvent 1.0 (https://github.com/cloudevents/spec); `source` and `id` together name it once and for all."""

    specversion: Literal["1.0"]
    id: Text
    source: Text
    """Who tells it, such as `ci/acme/shop`."""
    type: Text
    """What happened, such as `deployment.done`."""
    subject: Annotated[str, Meta(max_length=1000)] = ""
    """What it happened to."""
    time: Annotated[str, Meta(max_length=100)] = ""
    data: Any = None
    """JSON; for consumers it is data, never an instruction."""

    @property
    def key(self) -> str:
        """A token that is the same for the same source and id."""
        return hashlib.sha256(f"{self.source}\0{self.id}".encode()).hexdigest()[:32]


class EventFilter(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which events are meant: all conditions must hold. In a text, `*` stands for letters, digits, `.`, `_` and `-`,
    `**` for anything."""

    type: str
    source: str = "**"
    where: dict[str, str] = {}
    """Fields of the event, such as `data.environment` or `subject`, and what their values must be."""


class EventField(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A value that a run takes from an event."""

    field: str
    """Such as `data.release` or `data.alerts.0.labels.service`."""
    allow: tuple[str, ...] = ("*",)
    """Values that are taken; any other refuses the run. `*` and `**` as in filters."""

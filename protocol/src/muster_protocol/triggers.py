"""Triggers: runs that a schedule or an event starts, and the outcome of each time."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from muster_protocol.cloud_events import EventField, EventFilter
from muster_protocol.requests import RunRequest

Overlap = Literal["skip", "queue", "allow", "cancel"]
"""What happens when it is time, or an event comes, and runs of the time before are not over: nothing, one time waits
until they are, the runs start all the same, or the runs from before are cancelled first."""
FireOutcome = Literal["fired", "skipped", "missed", "refused"]
"""`skipped`: earlier runs were not over, it was paused, or an event came too soon after another; `missed`: too late to
make up for; `refused`: the fleet refuses the runs."""
MOST_FIRES = 20
"""Times that a trigger remembers."""
MOST_BACKFILL = 100
"""Times that may be made up for at once."""


class Schedule(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """When a trigger is due: by `cron` or by `every_seconds`."""

    cron: str = ""
    """Five fields as in crontab, or six with seconds first."""
    every_seconds: Annotated[float, Meta(ge=1)] | None = None
    timezone: str = "UTC"
    """IANA name; `cron` follows its clock."""
    jitter_seconds: Annotated[float, Meta(ge=0, le=86_400)] = 0.0
    """Each time is delayed by up to so many seconds, always the same for the same time."""


class Trigger(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Runs, and what starts them: a schedule, an event, or both."""

    id: str
    """One subject token."""
    schedule: Schedule | None = None
    event: EventFilter | None = None
    from_event: dict[str, EventField] = {}
    """Variables of the runs that an event gives; runs without an event have those of the case."""
    cooldown_seconds: Annotated[float, Meta(ge=0)] = 0.0
    """Events that come so soon after one that started runs are skipped."""
    runs: tuple[RunRequest, ...]
    """What each time starts; ids and idempotency keys are set when it does."""
    description: str = ""
    overlap: Overlap = "skip"
    catch_up_seconds: Annotated[float, Meta(ge=0)] = 600.0
    """A time that is past by more, because no orchestrator was running, is missed."""


class Fire(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one time."""

    due: float
    """Unix seconds, without jitter; when it was decided, if an event is the reason."""
    at: float
    """Unix seconds at which it was decided."""
    outcome: FireOutcome
    runs: tuple[str, ...] = ()
    why: str = ""
    manual: bool = False
    """Whether a person fired it."""
    event: str = ""
    """Key of the event that is the reason."""
    values: dict[str, str] = {}
    """Variables that the runs take from the event."""
    chain: tuple[str, ...] = ()
    """Triggers that have led to the event, if it is the end of a run."""
    told: str = ""
    """The event as an agent is told of it, until its runs are started."""
    about: str = ""
    """The run whose end the event is."""


class TriggerRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A trigger with its state; the key in the bucket TRIGGERS is its id."""

    trigger: Trigger
    paused: bool = False
    handled_until: float
    """Unix seconds; times up to here are decided."""
    pending: Fire | None = None
    """A time that was decided to fire and whose runs may not be started yet."""
    running: tuple[str, ...] = ()
    """The runs started last."""
    asked_at: float = 0.0
    """When a person asked to fire it now, until that is done; 0: nobody did."""
    waiting: Fire | None = None
    """A time that starts its runs once those before are over; see `queue` of `Overlap`."""
    backfill: tuple[float, ...] = ()
    """Past times (Unix seconds) that a person wants to be made up for, one after the other."""
    fires: tuple[Fire, ...] = ()
    """The newest, oldest first."""
    fired: int = 0
    skipped: int = 0
    missed: int = 0
    refused: int = 0

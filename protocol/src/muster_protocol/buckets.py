"""The key-value buckets of a fleet, and what each holds."""

from typing import NamedTuple

from msgspec import Struct

from muster_protocol.analyses import TestHistory
from muster_protocol.definitions import DefinitionFile, NewestRelease, Release
from muster_protocol.device_control import PhoneLease
from muster_protocol.estimates import PastCosts
from muster_protocol.graphs import GraphRow
from muster_protocol.logs import RunRow, WorkerRow
from muster_protocol.model_pace import PaceRow
from muster_protocol.notes import Note
from muster_protocol.sealed_secrets import PublicHalf, SealedSecret
from muster_protocol.sessions import SessionRow
from muster_protocol.step_recordings import RecordingRow
from muster_protocol.stored_cases import CaseFile, StoredCase
from muster_protocol.triggers import TriggerRow

DAY = 86_400.0


class Bucket(NamedTuple):
    """A key-value bucket: its name, the lifetime of a row (seconds; None: unlimited), and the types of its rows."""

    name: str
    ttl: float | None = None
    rows: tuple[type[Struct], ...] = ()
    """Empty: orchestrators alone read and write it, in types of their own."""


BUCKETS = (
    Bucket("SNAPSHOTS", 30 * DAY),
    Bucket("RUN_LIST", 30 * DAY, (RunRow,)),
    Bucket("SESSIONS", rows=(SessionRow,)),
    Bucket("FLEET"),
    Bucket("TRIGGERS", rows=(TriggerRow,)),
    Bucket("DEFINITIONS", rows=(NewestRelease, Release, DefinitionFile)),
    Bucket("CASES", rows=(StoredCase, CaseFile)),
    Bucket("SECRETS", rows=(PublicHalf, SealedSecret)),
    Bucket("RECORDINGS", 90 * DAY, (RecordingRow,)),
    Bucket("COSTS", 90 * DAY, (PastCosts,)),
    Bucket("NOTES", 30 * DAY, (Note,)),
    Bucket("HISTORIES", 90 * DAY, (TestHistory,)),
    Bucket("GRAPHS", 30 * DAY, (GraphRow,)),
    Bucket("LEASES", DAY, (PhoneLease,)),
    Bucket("PACE", 3600.0, (PaceRow,)),
    Bucket("WORKERS", 30.0, (WorkerRow,)),
)

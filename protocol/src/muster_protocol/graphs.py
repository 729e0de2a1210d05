"""Maps that explorations have made: a row of each in the bucket `GRAPHS`; the map itself is an artefact of its run."""

from urllib.parse import urlsplit

from msgspec import Struct

from muster_protocol.requests import Exploration


class GraphRow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One version of the map of an app. Its key is the run that made it."""

    run: str
    app: str
    """Host of the explored address, or the file of a simulated app, or the name of a phone."""
    name: str = ""
    """Of the exploration."""
    at: float = 0.0
    """When the exploration ended, in Unix seconds."""
    states: int = 0
    edges: int = 0
    """Moves that were tried."""
    open: int = 0
    """Moves that were not tried."""
    findings: int = 0
    over: str = ""
    """Why the exploration ended."""


def explored_app(job: Exploration) -> str:
    """Return the name by which all maps of one app go."""
    device = job.device
    named = (device.name or device.source.replace("\\", "/").rpartition("/")[2]) if device else ""
    return urlsplit(job.url).netloc or named or (device.kind if device else "") or job.name

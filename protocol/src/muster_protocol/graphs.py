"""Maps that explorations have made: a row of each in the bucket `GRAPHS`; the map itself is an artifact of its run."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from muster_protocol.requests import Exploration


class NewNode(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="node"
):
    """A state that somebody adds to a map."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    title: Annotated[str, Meta(min_length=1, max_length=200)]
    address: Annotated[str, Meta(max_length=2000)] = ""
    by: Annotated[str, Meta(max_length=64)] = ""
    """Name of the key of whoever adds it; the fleet fills it in."""


class NewEdge(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="type", tag="edge"
):
    """A way from one state of a map to another that somebody adds: something that is tapped."""

    source: Annotated[str, Meta(max_length=64)]
    """Id of a state."""
    target: Annotated[str, Meta(max_length=64)]
    role: Literal["button", "link", "tab", "menuitem"] = "button"
    name: Annotated[str, Meta(min_length=1, max_length=300)]
    """Of what is tapped."""
    by: Annotated[str, Meta(max_length=64)] = ""


MapEdit = NewNode | NewEdge
MOST_EDITS = 200
"""Additions to one map; a row has to fit into one message."""


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
    edits: tuple[MapEdit, ...] = ()
    """What was added to the map since, oldest first; the artifact stays as the exploration has left it."""


def explored_app(job: Exploration) -> str:
    """Return the name by which all maps of one app go."""
    device = job.device
    named = (device.name or device.source.replace("\\", "/").rpartition("/")[2]) if device else ""
    return urlsplit(job.url).netloc or named or (device.kind if device else "") or job.name

"""Notes: what was found out about a run after its end, kept beside it in the bucket `NOTES`; no log changes by one."""

from typing import Literal

from msgspec import Struct

from muster_protocol.assignments import Found


class Note(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one agent has found out about a run that was over, or about an event: then the run is its own."""

    run: str
    """The run that it is about."""
    source: str
    """The run in which it was found out, with all that was asked and read."""
    agent: str
    at: float
    """Unix seconds."""
    status: Literal["done", "failed"]
    summary: str
    findings: tuple[Found, ...] = ()
    """Each quote stands word for word in what the agent was given or has read."""
    left_out: int = 0
    """Findings that are left out because their quotes do not."""
    cost: float = 0.0
    classification: str = ""
    """What an event was found to be, such as `incident` or `noise`."""
    severity: str = ""

    @property
    def key(self) -> str:
        """Its key in the bucket: an investigation writes one note, however often it is kept."""
        return f"{self.run}.{self.source}"

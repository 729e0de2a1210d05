"""The state of an analysis."""

from msgspec import Struct


class AnalysisState(Struct, frozen=True, kw_only=True, tag_field="type", tag="analysis"):
    """Whether its one node is there."""

    planned: bool = False

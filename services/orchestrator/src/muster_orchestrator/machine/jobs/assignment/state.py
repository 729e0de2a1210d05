"""The state of an assignment."""

from msgspec import Struct


class AssignmentState(Struct, frozen=True, kw_only=True, tag_field="type", tag="assignment"):
    """Whether its one node is there; all others are asked for by agents."""

    planned: bool = False

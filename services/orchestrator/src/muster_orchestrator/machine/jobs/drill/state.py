"""The state of a drill."""

from msgspec import Struct


class DrillState(Struct, frozen=True, kw_only=True, tag_field="type", tag="drill"):
    """Whether its plan is made."""

    planned: bool = False

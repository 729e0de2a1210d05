"""What a drill keeps of its run for itself."""

from msgspec import Struct


class DrillState(Struct, frozen=True, kw_only=True, tag_field="type", tag="drill"):
    """Whether its plan is made."""

    planned: bool = False

"""The state of an exploration."""

from msgspec import Struct

from muster_exploration.tour_rounds import Progress


class ExplorationState(Struct, frozen=True, kw_only=True, tag_field="type", tag="exploration"):
    """The map so far, and the tours under way."""

    progress: Progress = Progress()

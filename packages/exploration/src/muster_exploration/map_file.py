"""The map of an app as a file, with its job, so that it can be reproduced and compared."""

from msgspec import Struct

from muster_exploration.app_map import AppMap
from muster_protocol.explorations import ExplorationSpent
from muster_protocol.requests import Exploration

MAP_FILE = "map/map.json"
"""Name of the map among the artifacts of its run."""


class MapFile(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A map, and the exploration that made it."""

    job: Exploration
    map: AppMap
    spent: ExplorationSpent = ExplorationSpent()
    over: str = ""
    """Why the exploration ended."""

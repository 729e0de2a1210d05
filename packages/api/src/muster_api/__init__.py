"""The HTTP API of a fleet as assistants use it."""

from muster_api.fleet_api import FleetApi, FleetRefusal

__all__ = ["FleetApi", "FleetRefusal"]

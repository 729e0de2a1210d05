"""Tools for assistants in editors, over the HTTP API of a fleet."""

from muster_api import FleetApi, FleetRefusal
from muster_mcp.mcp_server import build_http_app, build_server

__all__ = ["FleetApi", "FleetRefusal", "build_http_app", "build_server"]

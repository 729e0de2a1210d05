"""What attacks by way of inputs share: a fleet of real processes on a private nats-server."""

from fleet_fixtures import bus, team

__all__ = ["bus", "team"]

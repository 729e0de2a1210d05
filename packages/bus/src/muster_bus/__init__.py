"""NATS JetStream for Muster: connection, provisioning, logs by compare-and-set, queues, rows, artifacts."""

from muster_bus.bus import Bus
from muster_bus.connection import connect, dial, unconnected
from muster_bus.log import Log
from muster_bus.log_lines import LogLines, RunLogLines
from muster_bus.provisioning import provision
from muster_bus.queue import Claim, Intake
from muster_bus.rows import Rows
from muster_bus.store_answers import NotStored, StoreRefused
from muster_bus.stored_messages import Stored, newest, replay, tail
from muster_protocol.logs import LogLine

__all__ = [
    "Bus",
    "Claim",
    "Intake",
    "Log",
    "LogLine",
    "LogLines",
    "NotStored",
    "Rows",
    "RunLogLines",
    "StoreRefused",
    "Stored",
    "connect",
    "dial",
    "newest",
    "provision",
    "replay",
    "tail",
    "unconnected",
]

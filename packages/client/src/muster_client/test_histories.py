"""Reads what the fleet keeps of the newest runs of each test."""

import hashlib

from muster_bus import Bus, Rows
from muster_bus.store_answers import NotAvailable
from muster_protocol.analyses import TestHistory
from muster_protocol.logs import RunRow


def history_key(suite: str, name: str) -> str:
    """Return the key of a test's row in the bucket `HISTORIES`."""
    return hashlib.sha256(f"{suite}\0{name}".encode(errors="surrogatepass")).hexdigest()[:32]


async def read_history(bus: Bus, suite: str, name: str) -> tuple[RunRow, ...]:
    """Return the newest ended runs of a test, oldest first; none in a fleet that an earlier version has provisioned.

    Raises:
        BusError, NatsError, TimeoutError: they cannot be read now.
    """
    try:
        found = await Rows(bus, "HISTORIES", TestHistory).get(history_key(suite, name))
    except NotAvailable:
        return ()
    return found.rows if found else ()

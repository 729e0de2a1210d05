"""Looks up runs of a running fleet."""

from collections.abc import Iterable

import msgspec

from muster_bus import Bus, Rows, replay
from muster_bus.run_store import find_request
from muster_protocol import codec
from muster_protocol.errors import InvalidRequest
from muster_protocol.events import Entry
from muster_protocol.logs import RunRow, queued_row
from muster_protocol.requests import RunRequest
from muster_views.history import History, events_in, fold_events


async def run_rows(bus: Bus) -> list[RunRow]:
    """Return a row for each run, newest request first, including queued runs without a row yet."""
    rows = {row.run: row for row in await Rows(bus, "RUN_LIST", RunRow).all()}
    async for message in replay(bus, "REQUESTS", bus.names.request("*")):
        try:
            request = codec.decode(message.data, RunRequest)
        except msgspec.DecodeError:
            continue
        run = message.subject.rpartition(".")[2]
        rows.setdefault(run, queued_row(run, request))
    return sorted(rows.values(), key=lambda row: row.requested_at, reverse=True)


async def require_request(bus: Bus, run: str) -> RunRequest:
    """Return the request of a run.

    Raises:
        InvalidRequest: there is no such run.
    """
    request = await find_request(bus, run)
    if request is None:
        raise InvalidRequest([f"there is no run {run!r} here; `muster list` shows all runs"])
    return request


def build_history(run: str, request: RunRequest, entries: Iterable[Entry]) -> History:
    """Return a run's history from its log. Pure."""
    history = fold_events(events_in(entries), run)
    history.request = history.request or request
    return history

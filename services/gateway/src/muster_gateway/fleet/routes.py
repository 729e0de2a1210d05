"""HTTP routes for the fleet: processes, queues and sessions."""

import asyncio
from collections.abc import Iterable

from litestar import get
from litestar.di import NamedDependency
from msgspec.structs import asdict
from nats.js.api import ConsumerConfig
from nats.js.errors import NotFoundError

from muster_bus import Bus, Rows
from muster_bus.levels import queue_level
from muster_bus.process_row import SILENCE
from muster_bus.streams import OBJECTS, consumer_configs, stream_configs
from muster_gateway.context import Gateway
from muster_gateway.description import fleet_examples as documented
from muster_gateway.description.operation_docs import failures, success
from muster_gateway.fleet.views import (
    QueueList,
    QueueView,
    SessionList,
    SessionView,
    StreamView,
    WorkerList,
    WorkerView,
)
from muster_gateway.security.access_roles import VIEWER
from muster_protocol.logs import WorkerRow
from muster_protocol.sessions import SessionRow

SESSION_SILENCE = 15.0
MISSING = "it does not exist; `muster provision` creates it"


@get(
    "/workers",
    opt=VIEWER,
    operation_id="listWorkers",
    summary="List the processes of the fleet",
    description="Each with its slots and busy slots by pool.",
    responses=success(WorkerList, 200, "The processes", documented.WORKERS) | failures(503),
)
async def workers(gateway: NamedDependency[Gateway]) -> WorkerList:
    """Return the processes with a recent heartbeat."""
    gateway.require_bus()
    rows = await Rows(gateway.bus, "WORKERS", WorkerRow).all()
    return WorkerList(workers=_view_workers(rows, gateway.bus.clock.now()))


def _view_workers(rows: Iterable[WorkerRow], now: float) -> tuple[WorkerView, ...]:
    """Return processes sorted by service, host and id, marking those that stopped reporting. Pure."""
    shown = [WorkerView(**asdict(row), stale=now - row.seen_at > SILENCE) for row in rows]
    return tuple(sorted(shown, key=lambda row: (row.service, row.host, row.id)))


@get(
    "/sessions",
    opt=VIEWER,
    operation_id="listSessions",
    summary="List sessions",
    description="The browsers, shells and files that session hosts hold for runs.",
    responses=success(SessionList, 200, "The sessions", documented.SESSIONS) | failures(503),
)
async def sessions(gateway: NamedDependency[Gateway]) -> SessionList:
    """Return the open sessions."""
    gateway.require_bus()
    rows = await Rows(gateway.bus, "SESSIONS", SessionRow).all()
    return SessionList(sessions=_view_sessions(rows, gateway.bus.clock.now()))


def _view_sessions(rows: Iterable[SessionRow], now: float) -> tuple[SessionView, ...]:
    """Return sessions, newest first. Pure."""
    shown = [
        SessionView(
            run=row.run,
            name=row.name,
            kind=row.kind,
            host=row.host,
            capabilities=row.capabilities,
            opened_at=row.opened_at,
            seen_at=row.seen_at,
            restored=row.restored,
            stale=now - row.seen_at > SESSION_SILENCE,
        )
        for row in rows
    ]
    return tuple(sorted(shown, key=lambda row: (-row.opened_at, row.run, row.name)))


@get(
    "/queues",
    opt=VIEWER,
    operation_id="listQueues",
    summary="List queues and streams",
    description="Messages that wait in each queue and for how long, and how full the streams are.",
    responses=success(QueueList, 200, "The queues and streams", documented.QUEUES) | failures(503),
)
async def queues(gateway: NamedDependency[Gateway]) -> QueueList:
    """Return the levels of queues and streams."""
    gateway.require_bus()
    bus = gateway.bus
    wanted = consumer_configs(bus.names, bus.settings)
    names = [config.name or "" for config in stream_configs(bus.names)]
    names.append(f"OBJ_{bus.names.bucket(OBJECTS)}")
    found = await asyncio.gather(*(_view_queue(bus, *one) for one in wanted))
    return QueueList(
        queues=tuple(found), streams=tuple(await asyncio.gather(*(_view_stream(bus, name) for name in names)))
    )


async def _view_queue(bus: Bus, stream: str, config: ConsumerConfig) -> QueueView:
    name, level = config.name or "", await queue_level(bus, stream, config)
    if level is None:
        return QueueView(name=name, stream=stream, problem=MISSING)
    return QueueView(
        name=name,
        stream=stream,
        pending=level.pending,
        ack_pending=level.ack_pending,
        redelivered=level.redelivered,
        oldest_seconds=round(level.oldest_seconds, 3),
        waiting=level.waiting_pulls,
    )


async def _view_stream(bus: Bus, name: str) -> StreamView:
    try:
        info = await bus.js.stream_info(name)
    except NotFoundError:
        return StreamView(name=name, problem=MISSING)
    return StreamView(
        name=name,
        messages=info.state.messages,
        bytes=info.state.bytes,
        max_bytes=max(0, info.config.max_bytes or 0),
        max_messages=max(0, info.config.max_msgs or 0),
    )


HANDLERS = (workers, sessions, queues)

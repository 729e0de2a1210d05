"""The row of a service process in WORKERS: that it lives, what it offers and how busy it is."""

import asyncio
import os
import platform
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

import structlog
from nats.errors import Error as NatsError

from muster_bus import Bus, Rows
from muster_bus.readiness import check_payload
from muster_bus.server_clock import set_clock
from muster_protocol import __version__
from muster_protocol.logs import PhoneRow, ServiceName, Talker, WorkerRow
from muster_protocol.requests import DeviceKind
from muster_service.settings import SettingsError
from muster_service.task_cleanup import stop

log = structlog.get_logger("muster.service")

PRESENCE_SECONDS = 3.0
SILENCE = 2.5 * PRESENCE_SECONDS
"""Seconds without a heartbeat after which a process counts as gone; the row of a killed one expires later."""


class Load(NamedTuple):
    """A service's slots and busy slots, by pool."""

    slots: dict[str, int]
    busy: dict[str, int]


class Running(NamedTuple):
    """A started service, as it appears in the fleet."""

    id: str
    load: Callable[[], Load] = lambda: Load({}, {})
    warnings: tuple[str, ...] = ()
    """Shown to operators beside the process."""
    devices: tuple[DeviceKind, ...] = ()
    """The kinds of device that a session host offers."""
    workspaces: tuple[str, ...] = ()
    """The names of the workspaces that a session host serves."""
    phones: Callable[[], tuple[PhoneRow, ...]] = tuple
    """Returns the phones that a session host has now."""
    chosen: bool = False
    """Whether the id comes from a setting, so that another process may have the same one."""
    talkers: Callable[[], tuple[Talker, ...]] = tuple
    """Returns the agents of a worker that answer in conversations now."""


@asynccontextmanager
async def keep_presence(bus: Bus, name: ServiceName, running: Running) -> AsyncGenerator["asyncio.Task[None]"]:
    """Keep this process's row in WORKERS inside the block; if the process dies, the row expires.

    Yields a task that ends only with SettingsError, when another process had the same id first.
    """
    rows, started = Rows(bus, "WORKERS", WorkerRow), bus.clock.now()
    revision: int | None = None

    async def beat() -> None:
        nonlocal revision
        while True:
            check_payload(bus.problems, bus.nc.max_payload)
            row = _build_row(name, running, started, bus)
            with suppress(TimeoutError, NatsError):
                if revision is None or not running.chosen:
                    revision = await rows.put(running.id, row)
                elif (revision := await rows.update(running.id, row, revision)) is None:
                    _check_twin(await rows.get(running.id), row)
                    continue
            await asyncio.sleep(PRESENCE_SECONDS)
            await set_clock(bus)

    task = asyncio.create_task(beat())
    try:
        yield task
    finally:
        await stop({task})
        with suppress(TimeoutError, NatsError):
            await asyncio.wait_for(rows.delete(running.id), 2.0)


def _build_row(name: ServiceName, running: Running, started: float, bus: Bus) -> WorkerRow:
    load = running.load()
    return WorkerRow(
        id=running.id,
        service=name,
        host=platform.node(),
        pid=os.getpid(),
        version=__version__,
        slots=load.slots,
        busy=load.busy,
        warnings=tuple(filter(None, (*running.warnings, bus.clock.warning, str(bus.problems), bus.denial))),
        devices=running.devices,
        workspaces=running.workspaces,
        talkers=running.talkers(),
        phones=running.phones(),
        started_at=started,
        seen_at=bus.clock.now(),
    )


def _check_twin(found: WorkerRow | None, own: WorkerRow) -> None:
    """Compare this process with the stored row of its id; of two processes, the one that started later must end.

    Raises:
        SettingsError: this process started later.
    """
    if found is None or (found.started_at, found.host, found.pid) == (own.started_at, own.host, own.pid):
        return
    log.error("another process has the same id", id=own.id, host=found.host, pid=found.pid)
    if (found.started_at, found.host, found.pid) < (own.started_at, own.host, own.pid):
        raise SettingsError(describe_twin(own.id, f"process {found.pid} on {found.host}"))


def describe_twin(id: str, other: str) -> str:
    """Return the error for a HOST_ID that another process uses. Pure."""
    return (
        f"environment variable HOST_ID is {id!r}, which {other} already uses: give each session host its own, or none"
    )

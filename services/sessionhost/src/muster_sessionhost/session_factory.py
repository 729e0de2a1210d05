"""Makes sessions: shell, device and pictures, anew or from the checkpoint of one that was lost."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import structlog

from muster_bus import Bus
from muster_bus.artifact_store import get_artifact, put_artifact, remove_artifact
from muster_devices.device_host import Limits, Saved, Spec
from muster_devices.domains import own_addresses
from muster_devices.errors import DeviceRefused
from muster_protocol import codec
from muster_protocol.causes import Failure
from muster_protocol.logs import Level
from muster_protocol.requests import DeviceKind, DeviceSpec
from muster_protocol.session_requests import OpenSession
from muster_protocol.sessions import SANDBOX, SessionRef
from muster_sessionhost import metrics
from muster_sessionhost.artifact_export import MB, Names
from muster_sessionhost.checkpoint import Reopened, SavedSession, artifact_name, reopened
from muster_sessionhost.host_devices import HostDevices, SessionDevice
from muster_sessionhost.process_reaper import MARK
from muster_sessionhost.reachable_addresses import Reach
from muster_sessionhost.recording_plan import pictured, planned
from muster_sessionhost.sandbox import Folders, Sandbox
from muster_sessionhost.screenshots import Keeping, LastPicture
from muster_sessionhost.session import LiveSession, Parts
from muster_sessionhost.session_network import SessionNetwork
from muster_sessionhost.settings import SessionHostSettings
from muster_sessionhost.shell_process import CommandLimits, Shell

log = structlog.get_logger("muster.sessions")

TellRun = Callable[[str, str, tuple[str, ...], Level], Awaitable[None]]
"""Write a line into the log of a run: its id, the text, the artefacts it is about, its level."""


class Room(NamedTuple):
    """What the sessions of a host share."""

    root: Path
    """The folder of their folders."""
    sandbox: Sandbox
    devices: HostDevices


class SessionFactory:
    """Makes the sessions of one host."""

    def __init__(self, host: str, bus: Bus, settings: SessionHostSettings, room: Room, tell: TellRun) -> None:
        self._host, self._bus, self._settings, self._room, self._tell = host, bus, settings, room, tell
        self._limits = Limits(int(settings.artifact_max_mb * MB), int(settings.run_artifacts_max_mb * MB))

    async def build(self, key: str, request: OpenSession, instance: str, on_gone: Callable[[str], None]) -> LiveSession:
        """Return a session that nobody holds yet; `on_gone` is called when its device ends by itself.

        Raises:
            DeviceRefused: the definition of its device cannot be used.
            NatsError, BusError, TimeoutError: its checkpoint cannot be read now.
        """
        saved = await self._checkpoint(request) if request.checkpoint else None
        folders = Folders(self._room.root / f"{key}-{instance}")
        await asyncio.to_thread(folders.make)
        environment = self._room.sandbox.environment(folders, os.environ.get("PATH", ""))
        bounds = CommandLimits(
            self._settings.exec_memory_mb, self._settings.exec_file_mb, self._settings.exec_processes
        )
        shell = Shell(folders, self._room.sandbox, environment, bounds, self._network(request, folders))
        device = self._device(request, folders)
        became = await self._begin(request, device, saved)
        kind = device.spec.kind
        ref = SessionRef(
            run=request.run,
            name=request.name,
            kind=kind,
            host=self._host,
            capabilities=self._capabilities(kind),
            instance=instance,
        )
        generation, chosen = (saved.generation, saved.chosen) if saved else (int(request.checkpoint), "")
        name = Names(request.run, request.name, generation).of("last.jpg")
        tell = partial(self._tell, request.run)
        keeping = Keeping(
            name, partial(put_artifact, self._bus), partial(remove_artifact, self._bus), tell, self._limits.artifact
        )
        picture = LastPicture(keeping, pictured(self._settings, request.record))
        refusal = partial(self._room.sandbox.refusal, model_commands=self._settings.unsandboxed_model_commands)
        parts = Parts(folders, shell, refusal, device, picture, generation, became, chosen)
        publish = partial(self._bus.publish, self._bus.names.session_events(request.run, request.name))
        session = LiveSession(ref, parts, publish, partial(put_artifact, self._bus), self._settings.exec_output_limit)
        session.watch(on_gone)
        metrics.OPENED.labels("checkpoint" if saved else "fresh").inc()
        log.info("session opened", session=key, device=kind, restored=became.restored)
        return session

    def _network(self, request: OpenSession, folders: Folders) -> SessionNetwork | None:
        """Return the network of a session whose commands are kept to its domains."""
        if not request.domains or not self._room.sandbox.keeps_domains:
            return None
        servers = ",".join(server.geturl() for server in self._bus.nc.servers)  # those it was told of included
        return SessionNetwork(Reach(request.domains, own_addresses(servers)), folders.root.name)

    def _device(self, request: OpenSession, folders: Folders) -> SessionDevice:
        """Return the device of a session: a browser unless the case names another."""
        wanted = request.device or DeviceSpec(kind="web")
        spec = Spec(
            kind=wanted.kind,
            definition=wanted.definition,
            source=wanted.source,
            faults=wanted.faults,
            domains=request.domains,
            folder=folders.records,
            environment={MARK: folders.root.name},
            plan=planned(self._settings, request.record),
            limits=self._limits,
        )
        return SessionDevice(partial(self._room.devices.new, wanted.kind), spec)

    async def _begin(self, request: OpenSession, device: SessionDevice, saved: SavedSession | None) -> Reopened:
        """Start the device if it is named, or was there when the session was lost; return what became of that.

        Raises:
            DeviceRefused: its definition cannot be used.
        """
        state = Saved(state=saved.device) if saved and saved.device else None
        named = request.device is not None and request.device.kind != "none"
        try:
            if named or state:
                await device.started(state)
        except DeviceRefused as refused:
            if refused.failure == Failure.INVALID_CALL:
                raise
            log.error("a session was opened without its device", problem=refused.text)
        same = saved is not None and (state is None or (device.running is not None and device.same))
        return reopened(saved, same=same) if request.checkpoint else Reopened()

    def _capabilities(self, kind: DeviceKind) -> tuple[str, ...]:
        device = (kind,) if not self._room.devices.missing(kind) else ()
        return ("shell", "files", *device, *((SANDBOX,) if self._room.sandbox.confines else ()))

    async def _checkpoint(self, request: OpenSession) -> SavedSession | None:
        data = await get_artifact(self._bus, artifact_name(request.run, request.name))
        try:
            saved = codec.decode(data, SavedSession) if data else None
        except msgspec.DecodeError as error:
            log.warning("a checkpoint cannot be read", run=request.run, error=str(error))
            return None
        return msgspec.structs.replace(saved, generation=saved.generation + 1) if saved else None

"""Builds sessions: shell, device and pictures, fresh or from the checkpoint of a lost session."""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable, Mapping
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
from muster_protocol.requests import DeviceKind, DeviceSpec
from muster_protocol.session_requests import OpenSession
from muster_protocol.sessions import SANDBOX, SHELL, WORKSPACE, SessionRef
from muster_protocol.tool_calls import ArtifactRef
from muster_sessionhost import metrics
from muster_sessionhost.artifact_export import MB, Names
from muster_sessionhost.checkpoint import Reopened, SavedSession, artifact_name, describe_reopening
from muster_sessionhost.device_alerts import DeviceAlerts
from muster_sessionhost.host_devices import HostDevices, SessionDevice
from muster_sessionhost.process_reaper import MARK
from muster_sessionhost.reachable_addresses import Reach
from muster_sessionhost.recording_plan import picture_mode, plan_recordings
from muster_sessionhost.sandbox import Folders, Sandbox
from muster_sessionhost.screenshots import LastPicture, PictureStore
from muster_sessionhost.served_workspaces import Served
from muster_sessionhost.session import LiveSession
from muster_sessionhost.session_network import SessionNetwork
from muster_sessionhost.session_parts import Parts
from muster_sessionhost.session_workspace import SessionWorkspace
from muster_sessionhost.settings import SessionHostSettings
from muster_sessionhost.shell_process import CommandLimits, Shell
from muster_sessionhost.workspace_program import WorkspaceProgram

log = structlog.get_logger("muster.sessions")

ALERTING: tuple[DeviceKind, ...] = ("appium", "screens")
"""Devices that are watched by themselves; what is wrong with a page is told by its steps."""
Announce = Callable[[str, str, ArtifactRef], Awaitable[None]]
"""Tells in a run's log of a picture that is stored: id of the run, text, picture."""


class HostResources(NamedTuple):
    """What all sessions of a host share."""

    root: Path
    """The folder that holds the sessions' folders."""
    sandbox: Sandbox
    devices: HostDevices
    workspaces: Mapping[str, Served] = {}
    """What the host serves by name."""


class SessionFactory:
    """Builds the sessions of one host."""

    def __init__(
        self, host: str, bus: Bus, settings: SessionHostSettings, resources: HostResources, announce: Announce
    ) -> None:
        self._host, self._bus, self._settings = host, bus, settings
        self._resources, self._announce = resources, announce
        self._limits = Limits(int(settings.artifact_max_mb * MB), int(settings.run_artifacts_max_mb * MB))

    async def build(self, key: str, request: OpenSession, instance: str, on_gone: Callable[[str], None]) -> LiveSession:
        """Return a new session without a holder; `on_gone` is called with the reason if its device ends by itself.

        Raises:
            DeviceRefused: the definition of its device is invalid.
            CheckoutFailed: its workspace cannot be made.
            NatsError, BusError, TimeoutError: NATS did not return its checkpoint; the call can be repeated.
        """
        saved = await self._load_checkpoint(request) if request.checkpoint else None
        folders = Folders(self._resources.root / f"{key}-{instance}")
        await asyncio.to_thread(folders.make)
        shell, program = self._programs(request, folders)
        workspace = await self._workspace(request, program)
        device = self._device(key, request, folders)
        reopened = await self._start_device(request, device, saved, workspace.state if workspace else "")
        ref = self._ref(request, device.spec.kind, workspace, instance)
        generation, chosen = (saved.generation, saved.chosen) if saved else (int(request.checkpoint), "")
        picture = self._last_picture(request, generation)
        refusal = partial(
            self._resources.sandbox.refusal,
            model_commands=self._settings.unsandboxed_model_commands,
            workspace=workspace is not None,
        )
        parts = Parts(folders, shell, refusal, device, picture, generation, reopened, chosen, workspace)
        publish = partial(self._bus.publish, self._bus.names.session_events(request.run, request.name))
        session = LiveSession(ref, parts, publish, partial(put_artifact, self._bus), self._settings.exec_output_limit)
        session.watch(on_gone)
        metrics.OPENED.labels("checkpoint" if saved else "fresh").inc()
        log.info("session opened", session=key, device=ref.kind, restored=reopened.restored)
        return session

    def _ref(
        self, request: OpenSession, kind: DeviceKind, workspace: SessionWorkspace | None, instance: str
    ) -> SessionRef:
        return SessionRef(
            run=request.run,
            name=request.name,
            kind=kind,
            host=self._host,
            capabilities=self._capabilities(kind, workspace),
            instance=instance,
        )

    def _programs(self, request: OpenSession, folders: Folders) -> tuple[Shell, WorkspaceProgram]:
        """Return what runs a session's commands, and the tools of its workspace."""
        sandbox, settings = self._resources.sandbox, self._settings
        environment = sandbox.environment(folders, os.environ.get("PATH", ""))
        bounds = CommandLimits(settings.exec_memory_mb, settings.exec_file_mb, settings.exec_processes)
        shell = Shell(folders, sandbox, environment, bounds, self._network(request, folders))
        return shell, WorkspaceProgram(folders, sandbox, bounds, environment["PATH"])

    def _last_picture(self, request: OpenSession, generation: int) -> LastPicture:
        """Return the store of the last picture of a session's device."""
        name = Names(request.run, request.name, generation).of("last.jpg")
        announce = partial(self._announce, request.run)
        put, remove = partial(put_artifact, self._bus), partial(remove_artifact, self._bus)
        pictures = PictureStore(name, put, remove, announce, self._limits.artifact)
        return LastPicture(pictures, picture_mode(self._settings, request.record))

    def _network(self, request: OpenSession, folders: Folders) -> SessionNetwork | None:
        """Return the network that keeps a session's commands to its domains; None: they use the host's network."""
        if not request.domains or not self._resources.sandbox.keeps_domains:
            return None
        servers = ",".join(server.geturl() for server in self._bus.nc.servers)  # configured and discovered ones
        return SessionNetwork(Reach(request.domains, own_addresses(servers)), folders.root.name)

    async def _workspace(self, request: OpenSession, program: WorkspaceProgram) -> SessionWorkspace | None:
        """Return the session's copy of the workspace that it names; None if it names none.

        Raises:
            CheckoutFailed: it cannot be made; what was made of it is gone.
        """
        if not request.workspace:
            return None
        served = self._resources.workspaces[request.workspace]
        try:
            return await SessionWorkspace.make(served, program, self._settings.workspace_max_mb * MB)
        except BaseException:
            await asyncio.to_thread(shutil.rmtree, program.folders.root, ignore_errors=True)
            raise

    def _device(self, key: str, request: OpenSession, folders: Folders) -> SessionDevice:
        """Return the device of a session, not started yet: a browser unless the case names another."""
        wanted = request.device or DeviceSpec(kind="web")
        spec = Spec(
            kind=wanted.kind,
            name=self._resources.devices.loans.lent_to(key),
            definition=wanted.definition,
            source=wanted.source,
            faults=wanted.faults,
            domains=request.domains,
            folder=folders.records,
            environment={MARK: folders.root.name},
            plan=plan_recordings(self._settings, request.record),
            limits=self._limits,
        )
        named = (request.run, request.name, wanted.kind, spec.name)
        alerts = DeviceAlerts(self._bus, *named) if wanted.kind in ALERTING else None
        return SessionDevice(partial(self._resources.devices.new, wanted.kind), spec, alerts)

    async def _start_device(
        self, request: OpenSession, device: SessionDevice, saved: SavedSession | None, workspace: str
    ) -> Reopened:
        """Start the device if the case names one or the checkpoint has its state; return how much was restored.

        Raises:
            DeviceRefused: its definition is invalid.
        """
        state = Saved(state=saved.device) if saved and saved.device else None
        named = request.device is not None and request.device.kind != "none"
        try:
            if named or state:
                await device.ensure_started(state)
        except DeviceRefused as refused:
            if refused.failure == Failure.INVALID_CALL:
                raise
            log.error("session opened without its device", problem=refused.text)
        same = saved is not None and (state is None or (device.running is not None and device.same))
        return describe_reopening(saved, same=same, workspace=workspace) if request.checkpoint else Reopened()

    def _capabilities(self, kind: DeviceKind, workspace: SessionWorkspace | None) -> tuple[str, ...]:
        sandbox = self._resources.sandbox
        device = (kind,) if not self._resources.devices.missing(kind) else ()
        shell = (SHELL,) if workspace is None or sandbox.program else ()
        copy = (WORKSPACE,) if workspace is not None else ()
        return (*shell, "files", *device, *copy, *((SANDBOX,) if sandbox.confines else ()))

    async def _load_checkpoint(self, request: OpenSession) -> SavedSession | None:
        data = await get_artifact(self._bus, artifact_name(request.run, request.name))
        try:
            saved = codec.decode(data, SavedSession) if data else None
        except msgspec.DecodeError as error:
            log.warning("checkpoint unreadable; the session is not restored", run=request.run, error=str(error))
            return None
        return msgspec.structs.replace(saved, generation=saved.generation + 1) if saved else None

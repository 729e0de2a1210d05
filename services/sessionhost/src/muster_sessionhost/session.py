"""One live session: its holder, and the requests it handles for that holder."""

import asyncio
import contextlib
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar, assert_never

import structlog

from muster_devices.device_host import Left
from muster_devices.errors import DeviceRefused
from muster_protocol.causes import Failure
from muster_protocol.session_requests import (
    AnswerDialog,
    Attach,
    Checkpoint,
    Exec,
    FileList,
    FileRead,
    FileWrite,
    Keep,
    ReadPicture,
    Recall,
    UseDevice,
    UseWorkspace,
)
from muster_protocol.session_responses import (
    Attached,
    DeviceReady,
    DialogOpened,
    Done,
    ExecDone,
    Recalled,
    SessionError,
    SessionGone,
    SessionReply,
    WorkspaceDone,
)
from muster_protocol.sessions import PAGE_KEY, Holder, OpenDialog, PathRules, SessionRef
from muster_protocol.tool_calls import ArtifactRef
from muster_service.log_secrets import hide_in_logs
from muster_sessionhost.artifact_export import Masking, Names, WriteLogLine, export
from muster_sessionhost.checkpoint import artifact_name
from muster_sessionhost.checkpoint_saver import CheckpointSaver
from muster_sessionhost.fencing import admit
from muster_sessionhost.outbox import FAULTS, Outbox, Publish, Store
from muster_sessionhost.picture_text import read_picture
from muster_sessionhost.process_reaper import kill_all
from muster_sessionhost.screenshots import HELD_SECONDS, TAKE_SECONDS
from muster_sessionhost.session_commands import Commands
from muster_sessionhost.session_files import FileRefused, FileRequest, use_files
from muster_sessionhost.session_memory import SessionMemory, mask_dialog
from muster_sessionhost.session_parts import Parts
from muster_sessionhost.shell_process import ShellDied
from muster_sessionhost.workspace_binds import BindRefused, workspace_binds
from muster_sessionhost.workspace_checkout import CheckoutFailed
from muster_sessionhost.workspace_program import WorkspaceRefused
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

HolderRequest = (
    Attach | UseDevice | Exec | FileRequest | UseWorkspace | ReadPicture | AnswerDialog | Checkpoint | Keep | Recall
)

R = TypeVar("R")
QUICK_GATE_SECONDS = 0.3
BOUND_SECONDS = 5.0
"""How long it may take to end a trace that is too large."""
NO_WORKSPACE = SessionError(reason="no_workspace", text="this session was opened without a workspace")
NO_DIALOG = SessionError(reason="no_dialog", text="no dialog is open")
FENCED = SessionError(reason="fenced", text="another worker holds this session now")
CLOSED = SessionError(reason="no_session", text="the session was closed")


class LiveSession:
    """A session on this host. Its gate admits one request at a time, so a replaced holder can start nothing more."""

    def __init__(self, ref: SessionRef, parts: Parts, publish: Publish, store: Store, output_limit: int) -> None:
        self.ref, self.reopened, self._parts, self._store = ref, parts.reopened, parts, store
        self._device = parts.device
        self._recorded = Left()
        self._outbox = Outbox(publish, ref.host)
        self._commands = Commands(parts.shell, self._outbox.post, output_limit, parts.folders.root)
        state = parts.workspace.state if parts.workspace else ""
        self._saver = CheckpointSaver(artifact_name(ref.run, ref.name), store, parts.device, parts.generation, state)
        self._holder: Holder | None = None
        self._paths = PathRules()
        self._gate = asyncio.Lock()
        self._redactor = Redactor()
        self._memory = SessionMemory(parts.device, self._commands, parts.chosen)
        self._answered: set[str] = set()
        self._busy = 0
        self._asked_at = time.monotonic()
        self._closing = False
        self._checkpointed = False
        """Whether the last holder ended its sub-task with a checkpoint, and no worker has attached since."""

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last request; 0 while one is being handled."""
        return 0.0 if self._busy else time.monotonic() - self._asked_at

    def watch(self, on_gone: Callable[[str], None]) -> None:
        """Watch the session's device; `on_gone` is called with the reason if it ends by itself."""
        self._device.watch(self._dialog_opened, on_gone)

    def _dialog_opened(self, dialog: OpenDialog) -> None:
        """Publish a dialog to the holder, and remember it for the checks of the sub-task."""
        self._memory.note_dialog(dialog, self._holder)
        self._outbox.post(DialogOpened(dialog=mask_dialog(dialog, self._redactor)))

    async def handle(self, request: HolderRequest) -> SessionReply:
        """Handle a request from the holder, or from a worker that attaches, and return the reply."""
        self._busy += 1
        try:
            return await self._answer(request)
        except FileRefused as refused:
            return refused.error
        except (WorkspaceRefused, BindRefused, CheckoutFailed) as refused:
            return SessionError(reason="invalid", text=self._redactor.mask(str(refused)))
        except DeviceRefused as refused:
            reason = "invalid" if refused.failure == Failure.INVALID_CALL else "no_device"
            return SessionError(reason=reason, text=self._redactor.mask(refused.text))
        except ValueError as error:
            return SessionError(reason="invalid", text=str(error))
        except (ShellDied, *FAULTS) as error:
            log.warning("session request failed", request=type(request).__name__, run=self.ref.run)
            said = self._redactor.mask(_first_line(error))
            return SessionError(reason="fault", text=f"the session host failed: {said}")
        finally:
            self._busy -= 1
            self._asked_at = time.monotonic()

    async def _answer(self, request: HolderRequest) -> SessionReply:
        if isinstance(request, UseDevice) and request.holder == self._holder and not self._closing:
            await self._unless_closed(self._device.ensure_started())  # outside the gate, so a takeover need not wait
        async with self._gate:
            if self._closing:
                return CLOSED
            if isinstance(request, Attach):
                return await self._attach(request)
            if request.holder != self._holder:
                return FENCED
            if isinstance(request, Exec):
                ending = await self._begin_command(request)
            elif isinstance(request, UseWorkspace):
                ending = self._begin_call(request)
            elif isinstance(request, ReadPicture):
                ending = asyncio.ensure_future(read_picture(request.picture))
            else:
                return await self._dispatch(request)
        if isinstance(ending, SessionError):
            return ending
        done = await self._unless_closed(ending)
        await self._outbox.flush()
        return done or CLOSED

    async def _begin_command(self, request: Exec) -> "asyncio.Future[ExecDone] | SessionError":
        if refused := self._parts.refusal(request):
            return refused
        self._add_secrets(request.secrets)
        self._saver.note_unrestorable("commands had been run in it")
        return await self._commands.run(request, self._redactor)

    def _begin_call(self, request: UseWorkspace) -> "asyncio.Future[WorkspaceDone] | SessionError":
        workspace = self._parts.workspace
        if workspace is None:
            return NO_WORKSPACE
        if workspace.may_change(request.asked.tool):
            self._saver.note_unrestorable("something had been changed in its workspace")
        return workspace.begin(request, self._paths)

    def _add_secrets(self, secrets: Mapping[str, str]) -> None:
        """From now on, mask these secrets in everything the session stores and in this process's log."""
        self._redactor = self._redactor.knowing(secrets.values())
        hide_in_logs(secrets.values())

    async def _unless_closed(self, doing: Awaitable[R]) -> R | None:
        """Return the result of an awaitable; None if it was cancelled because the session closes."""
        try:
            return await doing
        except asyncio.CancelledError:
            if self._closing:
                return None
            raise

    async def _attach(self, request: Attach) -> SessionReply:
        admission = admit(self._holder, request.holder)
        if admission == "refuse":
            return FENCED
        await self._confine(request.paths)
        self._add_secrets(request.secrets)
        self._holder = request.holder
        self._checkpointed = False
        self._parts.picture.mark_outdated()
        device = self._device.running
        access = await device.grant(request.holder, admission == "rebind") if device else None
        return Attached(
            kind=self.ref.kind,
            endpoint=access.endpoint if access else "",
            directory=str(self._parts.folders.work),
            workspace=self._parts.workspace is not None,
            surroundings=self._parts.shell.surroundings,
            dialogs=tuple(mask_dialog(dialog, self._redactor) for dialog in device.dialogs) if device else (),
        )

    async def _confine(self, paths: PathRules) -> None:
        """Keep whatever runs in the session to what its new holder may read and write of the workspace.

        Raises:
            BindRefused: a path cannot be bound.
        """
        if self._parts.workspace is not None:
            if paths != self._paths:
                await self._parts.workspace.end()
            workspace = self._parts.folders.workspace
            binds = await asyncio.to_thread(workspace_binds, workspace, paths)
            await self._parts.shell.confine(binds, workspace)
        self._paths = paths

    async def _dispatch(
        self, request: UseDevice | FileRequest | AnswerDialog | Checkpoint | Keep | Recall
    ) -> SessionReply:
        match request:
            case UseDevice():
                device = await self._device.ensure_started()
                return DeviceReady(endpoint=(await device.grant(request.holder, False)).endpoint)
            case FileRead() | FileWrite() | FileList():
                if isinstance(request, FileWrite):
                    self._saver.note_unrestorable("files had been written in it")
                return await asyncio.to_thread(use_files, self._parts.folders.work, request)
            case AnswerDialog():
                return await self._answer_dialog(request)
            case Checkpoint():
                await self._take_checkpoint(request)
                return Done()
            case Keep(key=key, value=value):
                self._memory.keep(key, value)
                if key != PAGE_KEY:
                    self._saver.note_unrestorable(f"it kept a value for the next sub-task ({key})")
                return Done()
            case Recall(key=key):
                return Recalled(value=await self._memory.recall(key, self._redactor, self._holder))
            case _:
                assert_never(request)

    async def _take_checkpoint(self, request: Checkpoint) -> None:
        self._parts.picture.element = request.element
        self._parts.picture.mark_settled()
        chosen = self._memory.chosen
        held = self._picture(HELD_SECONDS, held=True) if self._redactor else asyncio.sleep(0)
        await asyncio.gather(self._saver.take(request.holder.dispatch, chosen, self._redactor), held)
        self._checkpointed = True
        self._parts.picture.take_later(self._late_picture)

    async def _answer_dialog(self, request: AnswerDialog) -> SessionReply:
        if request.call in self._answered:
            return Done(text="it was answered before")
        if self._device.running is None or not self._device.running.dialogs:
            return NO_DIALOG
        self._answered.add(request.call)
        await self._device.running.answer(request.accept, request.text)
        return Done()

    async def _picture(self, seconds: float, *, last: bool = False, held: bool = False) -> None:
        device, chosen = self._device.running, self._memory.chosen
        if device is not None and not self._never_attached:
            await self._parts.picture.take(
                lambda: device.picture(chosen, lambda: self._redactor), seconds, last=last, held=held
            )

    async def _late_picture(self) -> None:
        """Take a picture while a worker may act; if the session has secrets, only while no worker can."""
        if not self._redactor:
            await self._picture(TAKE_SECONDS)
            return
        async with self._gate:
            if self._checkpointed and not self._closing:
                await self._picture(HELD_SECONDS, held=True)

    async def wait_until_stored(self) -> None:
        """Wait until the newest checkpoint is stored, so that another host can reopen the session from it."""
        await self._saver.flush()

    async def end(self, reason: str, *, quick: bool = False, last_picture: bool = False) -> None:
        """End the device, the shell and all processes. Recordings stay on disk until `export`. Call it once."""
        await self._close_gate(QUICK_GATE_SECONDS if quick else None)
        if last_picture:
            await self._picture(TAKE_SECONDS, last=True)
        self._parts.picture.end()
        self._commands.end()
        self._outbox.post(SessionGone(reason=reason))
        if self._parts.workspace is not None:
            await self._parts.workspace.end()
        closed = await asyncio.gather(self._device.close(quick=quick), self._saver.stop(), self._parts.shell.stop())
        self._recorded = closed[0]
        await asyncio.to_thread(kill_all, (self._parts.folders.root.name,))  # those still alive
        await self._outbox.close()

    def has_recordings(self, *, passed: bool) -> bool:
        """Return whether there are recordings to store."""
        return not self._never_attached and bool(self._parts.workspace or self._recorded.kept(passed=passed))

    @property
    def _never_attached(self) -> bool:
        """Whether no worker ever attached: then this host does not know the case's secrets and cannot mask them."""
        return self._holder is None

    async def export(
        self, write_log_line: WriteLogLine, *, passed: bool, keep_files: bool = False
    ) -> tuple[ArtifactRef, ...]:
        """Store the recordings to keep, write a line about them, and remove the files of the ended session.

        Returns the stored artifacts.
        """
        try:
            if self._never_attached:
                return ()
            pictures = await self._parts.picture.finish(passed=passed)
            changed = await self._parts.workspace.recordings() if self._parts.workspace else ()
            recordings, spec = (*changed, *self._recorded.kept(passed=passed)), self._device.spec
            names = Names(self.ref.run, self.ref.name, self._parts.generation)
            kept = await export(Masking(spec, names, self._redactor), recordings, self._store, write_log_line)
            return (*kept, *pictures)
        finally:
            if not keep_files:
                await asyncio.to_thread(shutil.rmtree, self._parts.folders.root, ignore_errors=True)

    async def limit_recordings(self) -> None:
        """Keep the recordings within their size limits."""
        if self._device.running is None or self._closing:
            return
        try:
            await self._device.running.bound(BOUND_SECONDS)
        except OSError as error:  # files may be removed while they are measured
            log.debug("recording not measured", error=str(error))

    async def _close_gate(self, seconds: float | None) -> None:
        """Refuse further requests, and wait up to `seconds` (None: without limit) for the current one to finish."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._gate:
                self._closing = True
        self._closing = True


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]

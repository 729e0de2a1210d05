"""One live session: who holds it, and what its holder may ask."""

import asyncio
import contextlib
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, assert_never

import structlog
from msgspec.structs import replace

from muster_protocol import codec
from muster_protocol.sessions import (
    PAGE_KEY,
    AnswerDialog,
    Attach,
    Attached,
    Checkpoint,
    DialogOpened,
    Done,
    Exec,
    ExecDone,
    FileList,
    FileRead,
    FileWrite,
    Holder,
    Keep,
    OpenDialog,
    Recall,
    Recalled,
    SessionError,
    SessionGone,
    SessionRef,
    SessionReply,
)
from muster_protocol.tool_calls import ArtifactRef
from muster_sessionhost.artifact_export import Names, Tell, leave
from muster_sessionhost.browser import SessionBrowser
from muster_sessionhost.checkpoint import UNSAVED, Reopened, Saved, artifact_name, without_secrets
from muster_sessionhost.fencing import admit
from muster_sessionhost.outbox import FAULTS, Outbox, Publish, Saver, Store
from muster_sessionhost.page_events import as_json
from muster_sessionhost.process_reaper import end_all
from muster_sessionhost.sandbox import Folders
from muster_sessionhost.screenshots import HELD_SECONDS, TAKE_SECONDS, LastPicture
from muster_sessionhost.session_commands import Commands
from muster_sessionhost.session_files import FileRefused, list_files, read_file, write_file
from muster_sessionhost.shell_process import Shell, ShellDied
from muster_text.redaction import Redactor

log = structlog.get_logger("muster.sessions")

FileRequest = FileRead | FileWrite | FileList
HolderRequest = Attach | Exec | FileRequest | AnswerDialog | Checkpoint | Keep | Recall

KEPT_KEYS = 100
QUICK_GATE_SECONDS = 0.3
BOUND_SECONDS = 5.0
"""How long ending a trace that is too large may take."""
NO_DIALOG = SessionError(reason="no_dialog", text="no dialog is open")
FENCED = SessionError(reason="fenced", text="another worker holds this session now")
CLOSED = SessionError(reason="no_session", text="the session was closed")


class Parts(NamedTuple):
    """What a session is made of."""

    folders: Folders
    shell: Shell
    refusal: Callable[[Exec], SessionError | None]
    """Says why a command must not run."""
    browser: SessionBrowser | None
    picture: LastPicture
    no_browser: str = ""
    """Why there is no browser, and how to mend that."""
    generation: int = 0
    """How often the session was opened anew from a checkpoint."""
    reopened: Reopened = Reopened()
    """What became of the checkpoint of the session this one stands for."""
    chosen: str = ""
    """Which page the checkpoint says was chosen."""


class LiveSession:
    """A session on this host. One request at a time passes its gate, so nothing starts after its holder was cut off."""

    def __init__(self, ref: SessionRef, parts: Parts, publish: Publish, store: Store, output_limit: int) -> None:
        self.ref, self.reopened, self._parts, self._store = ref, parts.reopened, parts, store
        self._outbox = Outbox(publish, ref.host)
        self._commands = Commands(parts.shell, self._outbox.say, output_limit)
        self._saver = Saver(artifact_name(ref.run, ref.name), store)
        self._holder: Holder | None = None
        self._gate = asyncio.Lock()
        self._redactor = Redactor()
        self._kept = {PAGE_KEY: parts.chosen} if parts.chosen else dict[str, str]()
        self._missing = ""
        """What the session holds by now that no checkpoint brings back."""
        self._answered: set[str] = set()
        self._last_dialog: tuple[int, OpenDialog] | None = None
        """The newest dialog, open or answered, and the dispatch of the sub-task in which it opened."""
        self._busy = 0
        self._asked_at = time.monotonic()
        self._closing = False
        self._left = False
        """Whether the holder has left in order, and nobody has come since."""

    @property
    def idle_seconds(self) -> float:
        """How long nobody has asked anything; 0 while a request is at work."""
        return 0.0 if self._busy else time.monotonic() - self._asked_at

    def dialog_opened(self, dialog: OpenDialog) -> None:
        """Tell the holder of a dialog, and remember it for the checks of the sub-task."""
        self._last_dialog = (self._holder.dispatch if self._holder else 0, dialog)
        self._outbox.say(DialogOpened(dialog=self._masked(dialog)))

    async def handle(self, request: HolderRequest) -> SessionReply:
        """Answer a request of the holder, or of who wants to become it."""
        self._busy += 1
        try:
            return await self._answer(request)
        except FileRefused as refused:
            return refused.error
        except ValueError as error:
            return SessionError(reason="invalid", text=str(error))
        except (ShellDied, *FAULTS) as error:
            log.warning("a session could not do what was asked", request=type(request).__name__, run=self.ref.run)
            return SessionError(
                reason="fault", text=f"the session host failed: {self._redactor.mask(_first_line(error))}"
            )
        finally:
            self._busy -= 1
            self._asked_at = time.monotonic()

    async def _answer(self, request: HolderRequest) -> SessionReply:
        ending = None
        async with self._gate:
            if self._closing:
                return CLOSED
            if isinstance(request, Attach):
                return await self._attach(request)
            if request.holder != self._holder:
                return FENCED
            if not isinstance(request, Exec):
                return await self._do(request)
            if refused := self._parts.refusal(request):
                return refused
            self._redactor = self._redactor.knowing(request.secrets.values())
            self._missing = "commands had been run in it"
            ending = await self._commands.run(request, self._redactor)
        return await self._finished(ending)

    async def _finished(self, ending: "asyncio.Future[ExecDone]") -> SessionReply:
        try:
            done = await ending
        except asyncio.CancelledError:
            if self._closing:
                return CLOSED
            raise
        await self._outbox.flush()
        return done

    async def _attach(self, request: Attach) -> SessionReply:
        admission = admit(self._holder, request.holder)
        if admission == "refuse":
            return FENCED
        self._redactor = self._redactor.knowing(request.secrets.values())
        self._holder = request.holder
        self._left = False
        self._parts.picture.outdated()
        browser = self._parts.browser
        return Attached(
            endpoint=await browser.endpoint(fresh=admission == "rebind") if browser else "",
            directory=str(self._parts.folders.work),
            dialogs=tuple(map(self._masked, browser.dialogs)) if browser else (),
        )

    async def _do(self, request: FileRequest | AnswerDialog | Checkpoint | Keep | Recall) -> SessionReply:
        match request:
            case FileRead() | FileWrite() | FileList():
                if isinstance(request, FileWrite):
                    self._missing = self._missing or "files had been written in it"
                return await asyncio.to_thread(_use_files, self._parts.folders.work, request)
            case AnswerDialog():
                return await self._answer_dialog(request)
            case Checkpoint():
                self._parts.picture.element = request.element
                held = self._picture(HELD_SECONDS, held=True) if self._redactor else asyncio.sleep(0)
                await asyncio.gather(self._checkpoint(request.holder.dispatch), held)
                self._left = True
                self._parts.picture.later(self._late_picture)
                return Done()
            case Keep():
                return self._keep(request.key, request.value)
            case Recall():
                return Recalled(value=self._recall(request.key))
            case _:
                assert_never(request)

    async def _answer_dialog(self, request: AnswerDialog) -> SessionReply:
        if request.call in self._answered:
            return Done(text="it was answered before")
        if self._parts.browser is None or not self._parts.browser.dialogs:
            return NO_DIALOG
        self._answered.add(request.call)
        await self._parts.browser.answer(accept=request.accept, text=request.text)
        return Done()

    def _keep(self, key: str, value: str) -> SessionReply:
        if key not in self._kept and len(self._kept) >= KEPT_KEYS:
            return SessionError(reason="invalid", text=f"a session keeps at most {KEPT_KEYS} texts")
        self._kept[key] = value
        if key != PAGE_KEY:
            self._missing = self._missing or f"it kept what the next sub-task was to find ({key})"
        return Done()

    def _recall(self, key: str) -> str | None:
        seen = self._parts.browser.seen if self._parts.browser else None
        match key:
            case "exec":
                return codec.encode(self._commands.last).decode() if self._commands.last else None
            case "dialog":
                return self._dialog_of_this_sub_task()
            case "browser":
                return self._parts.no_browser or None
            case "document" if seen and seen.document:
                return codec.encode(replace(seen.document, url=self._redactor.mask(seen.document.url))).decode()
            case "console" if seen:
                return as_json(seen.console, self._redactor)
            case "network" if seen:
                return as_json(seen.network, self._redactor)
            case _:
                return self._kept.get(key)

    def _dialog_of_this_sub_task(self) -> str | None:
        if self._last_dialog is None or self._holder is None or self._last_dialog[0] != self._holder.dispatch:
            return None
        return codec.encode(self._masked(self._last_dialog[1])).decode()

    async def _picture(self, seconds: float, *, last: bool = False, held: bool = False) -> None:
        browser = self._parts.browser
        if browser is None or self._unheld or browser.dialogs:
            return
        page = browser.current(self._kept.get(PAGE_KEY))
        await self._parts.picture.take(page, lambda: self._redactor, seconds, last=last, held=held)

    async def _late_picture(self) -> None:
        """Have the page pictured though somebody may act meanwhile; where there are secrets, only while nobody may."""
        if not self._redactor:
            await self._picture(TAKE_SECONDS)
            return
        async with self._gate:
            if self._left and not self._closing:
                await self._picture(HELD_SECONDS, held=True)

    async def _checkpoint(self, after: int) -> None:
        """Take a checkpoint while nobody can do anything, and have it stored."""
        generation = self._parts.generation
        if self._missing:
            self._saver.keep(Saved(missing=self._missing, generation=generation))
            return
        browser = self._parts.browser
        try:
            saved = await browser.save(self._redactor) if browser else Saved()
        except FAULTS as error:
            log.warning("a checkpoint was not taken", run=self.ref.run, error=type(error).__name__)
            saved = None
        if saved is None:  # the one before says nothing of what was done since, and may not pass for the newest
            self._saver.keep(Saved(missing=UNSAVED, generation=generation))
            return
        chosen = self._kept.get(PAGE_KEY, "")
        saved = replace(saved, after=after, generation=generation, chosen=chosen)
        self._saver.keep(without_secrets(saved, self._redactor))

    def _masked(self, dialog: OpenDialog) -> OpenDialog:
        mask = self._redactor.mask
        return replace(dialog, message=mask(dialog.message), default=mask(dialog.default), url=mask(dialog.url))

    async def stored(self) -> None:
        """Wait until the newest checkpoint is stored, for whoever opens the session anew elsewhere."""
        await self._saver.flush()

    async def end(self, reason: str, *, quick: bool = False, pictured: bool = False) -> None:
        """End everything; what was recorded stays on disk until `leave`. To be called once."""
        await self._shut(QUICK_GATE_SECONDS if quick else None)
        if pictured:
            await self._picture(TAKE_SECONDS, last=True)
        self._parts.picture.end()
        self._commands.end()
        self._outbox.say(SessionGone(reason=reason))
        await asyncio.gather(self._saver.stop(), self._parts.shell.stop(), self._close_browser(quick=quick))
        await asyncio.to_thread(end_all, (self._parts.folders.root.name,))  # what did not end when it was asked to
        await self._outbox.close()

    def leaves_something(self, *, passed: bool) -> bool:
        """Return whether anything that was recorded is to be stored."""
        if self._parts.browser is None or self._unheld:
            return False
        return bool(self._parts.browser.recorder.to_keep(passed=passed))

    @property
    def _unheld(self) -> bool:
        """Whether no worker ever attached: then the case's secrets are not known here, and nothing can be masked."""
        return self._holder is None

    async def leave(self, tell: Tell, *, passed: bool, keep_files: bool = False) -> tuple[ArtifactRef, ...]:
        """Store what is to be kept of what was recorded, tell of it, and remove the files of the ended session."""
        browser, names = self._parts.browser, Names(self.ref.run, self.ref.name, self._parts.generation)
        try:
            if browser is None or self._unheld:
                return ()
            pictures = await self._parts.picture.finish(passed=passed)
            kept = await leave(browser.recorder, names, self._redactor, self._store, tell, passed=passed)
            return (*kept, *pictures)
        finally:
            if not keep_files:
                await asyncio.to_thread(shutil.rmtree, self._parts.folders.root, ignore_errors=True)

    async def bound(self) -> None:
        """Keep what is recorded within its limits."""
        if self._parts.browser is None or self._closing:
            return
        try:
            await self._parts.browser.recorder.bound(BOUND_SECONDS)
        except OSError as error:  # its files go while they are counted
            log.debug("a recording was not measured", error=str(error))

    async def _shut(self, seconds: float | None) -> None:
        """Let nobody in any more, and wait until the request that is at work is through with it, or time is up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._gate:
                self._closing = True
        self._closing = True

    async def _close_browser(self, *, quick: bool) -> None:
        if self._parts.browser is not None:
            await self._parts.browser.close(quick=quick)


def _use_files(work: Path, request: FileRequest) -> SessionReply:
    match request:
        case FileRead():
            return read_file(work, request.path)
        case FileWrite():
            write_file(work, request.path, request.content)
            return Done()
        case FileList():
            return list_files(work, request.path)


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]

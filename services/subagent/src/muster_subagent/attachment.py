"""A sub-task's connection to its session: the device, connected to on first use, and the requests to its host."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping

from muster_devices.device import Device
from muster_devices.device_host import Access
from muster_devices.device_kinds import DEVICES, OwnDevice
from muster_devices.web.browser_link import BrowserError, BrowserPage, Link
from muster_devices.web.web_device import WebDevice
from muster_protocol.session_requests import (
    AnswerDialog,
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
    CommandOutput,
    DeviceReady,
    DialogOpened,
    Done,
    ExecDone,
    FileContent,
    FileEntries,
    FileEntry,
    PictureRead,
    Recalled,
    WorkspaceDone,
)
from muster_protocol.sessions import PAGE_KEY, REPLY_LIMIT, Author, OpenDialog
from muster_protocol.tool_calls import Box, ToolCall
from muster_subagent.session_client import HostClient, SessionRefused
from muster_subagent.tool_context import SessionLost

EXEC_TRY_SECONDS = 20.0
"""How long one request for a command's result waits before it is sent again; so a lost reply costs no more."""
EXEC_GRACE_SECONDS = 30.0
WORKSPACE_GRACE_SECONDS = 300.0
"""A call may wait for one before it, and for git."""
LEAVE_SECONDS = 2.0
START_SECONDS = 60.0
READING_SECONDS = 30.0
"""How long a browser that was not needed before may take to start."""

OnOutput = Callable[[str, str], None]


class Attachment:
    """The session a sub-task is attached to; implements `muster_subagent.tool_context.Session`."""

    def __init__(
        self,
        link: Link,
        client: HostClient,
        attached: Attached,
        exec_try_seconds: float,
    ) -> None:
        self._link, self._client, self._exec_try_seconds = link, client, exec_try_seconds
        self.directory, self.kind, self.has_workspace = attached.directory, attached.kind, attached.workspace
        self.surroundings = attached.surroundings
        self.touched: Box | None = None
        self.web = WebDevice(self)
        self._other: OwnDevice | None = None
        self._dialogs = list(attached.dialogs)
        self._dialog_there = asyncio.Event()
        self._outputs: dict[str, OnOutput] = {}
        self._keeping: asyncio.Task[None] | None = None
        link.on_choice = self._keep_choice

    async def device(self) -> Device:
        """Return the session's device; a browser is connected to when it is first asked for something.

        Raises:
            SessionLost: the session is over.
            SessionRefused: it has no device, and none can be started; says how to mend that.
        """
        if self.kind == "web":
            return self.web
        if self._other is None:
            access = Access(await self._address())
            self._other = await self._client.unless_lost(DEVICES[self.kind].connect(access))
        return self._other

    @property
    def device_used(self) -> bool:
        """Whether there is a connection to the device."""
        return bool(self.pages) or self._other is not None

    @property
    def pages(self) -> list[BrowserPage]:
        """The open pages, oldest first; none before the first call of `page`."""
        return self._link.pages

    async def page(self) -> BrowserPage:
        """Return the page chosen with `use`, or the newest if none was or if one was opened since.

        Raises:
            SessionLost: the session is over.
            SessionRefused: it has no browser, and none can be started; says how to mend that.
        """
        await self._link.ready()
        if not self._link.connected:
            await self._client.unless_lost(self._connect())
        try:
            return await self._client.unless_lost(self._link.current())
        except BrowserError:
            await self.verify()
            raise

    def use(self, page: BrowserPage) -> None:
        """Make a page the current one, for later sub-tasks too, until another one is opened."""
        self._link.choose(page)

    @property
    def dialog(self) -> OpenDialog | None:
        """The oldest dialog that is open now, if any."""
        return self._dialogs[0] if self._dialogs else None

    async def dialog_opened(self) -> OpenDialog:
        """Wait until a dialog is open and return it."""
        while (dialog := self.dialog) is None:
            self._dialog_there.clear()
            await self._client.unless_lost(self._dialog_there.wait())
        return dialog

    async def answer_dialog(self, *, call: str, accept: bool, text: str = "") -> None:
        """Answer the oldest open dialog, once for a call id."""
        request = self._client.mine(AnswerDialog, call=call, accept=accept, text=text)
        try:
            await self._client.ask(request, Done)
        finally:
            del self._dialogs[:1]

    async def execute(
        self,
        command: str,
        *,
        call: str,
        timeout_seconds: float,
        background: bool = False,
        secrets: Mapping[str, str],
        on_output: OnOutput | None = None,
        author: Author = "model",
        approved: bool = False,
    ) -> ExecDone:
        """Run a command, or join the run of it that has the same call id."""
        request = self._client.mine(
            Exec,
            call=call,
            command=command,
            timeout_seconds=timeout_seconds,
            background=background,
            secrets=dict(secrets),
            author=author,
            approved=approved,
        )
        if on_output is not None:
            self._outputs[call] = on_output
        try:
            return await self._client.ask(
                request, ExecDone, timeout_seconds + EXEC_GRACE_SECONDS, self._exec_try_seconds
            )
        finally:
            self._outputs.pop(call, None)

    async def read_file(self, path: str, limit: int = REPLY_LIMIT) -> FileContent:
        """Read a file of the session's directory, its first `limit` bytes at most, piece by piece."""
        data = bytearray()
        while True:
            piece = await self._client.ask(self._client.mine(FileRead, path=path, offset=len(data)), FileContent)
            data += piece.content
            if not piece.truncated or not piece.content or len(data) >= limit:
                more = piece.truncated or len(data) > limit
                return FileContent(content=bytes(data[:limit]), size=piece.size, truncated=more)

    async def write_file(self, path: str, content: bytes) -> None:
        """Write a file of the session's directory, piece by piece."""
        for offset in range(0, max(1, len(content)), REPLY_LIMIT):
            piece = content[offset : offset + REPLY_LIMIT]
            await self._client.ask(self._client.mine(FileWrite, path=path, content=piece, offset=offset), Done)

    async def list_files(self, path: str) -> tuple[FileEntry, ...]:
        """List a folder of the session's directory."""
        return (await self._client.ask(self._client.mine(FileList, path=path), FileEntries)).entries

    async def use_workspace(self, asked: ToolCall, *, call: str, timeout_seconds: float) -> WorkspaceDone:
        """Carry out a call in the session's workspace, or join the one that has the same call id."""
        request = self._client.mine(UseWorkspace, call=call, asked=asked, timeout_seconds=timeout_seconds)
        return await self._client.ask(
            request, WorkspaceDone, timeout_seconds + WORKSPACE_GRACE_SECONDS, self._exec_try_seconds
        )

    async def read_picture(self, picture: bytes) -> PictureRead:
        """Return the words that the host recognises in a picture (PNG)."""
        asked = self._client.mine(ReadPicture, picture=picture)
        return await self._client.ask(asked, PictureRead, READING_SECONDS, READING_SECONDS)

    async def keep(self, key: str, value: str) -> None:
        """Keep a small text with the session."""
        await self._client.ask(self._client.mine(Keep, key=key, value=value), Done)

    async def recall(self, key: str) -> str | None:
        """Return what was kept, or what the host has seen."""
        return (await self._client.ask(self._client.mine(Recall, key=key), Recalled)).value

    async def verify(self) -> None:
        """Check that this holder still has the session, for example after a browser error.

        Raises:
            SessionLost: it has not.
        """
        await self.recall(PAGE_KEY)

    async def leave(self, *, checkpoint: bool) -> None:
        """Finish what is under way and have the host make a checkpoint, unless the sub-task is left in the middle."""
        if self._other is not None:
            await self._other.close()
        if self._keeping is not None:
            await asyncio.wait({self._keeping}, timeout=LEAVE_SECONDS)
        if checkpoint and self._client.lost is None:
            await self._client.tell(self._client.mine(Checkpoint, element=self.touched))
        self._client.lose(SessionLost("the sub-task has left the session"))

    def lose(self, why: SessionLost) -> None:
        """End this attachment: everything it is asked from now on raises `why`."""
        self._client.lose(why)

    def on_event(self, event: DialogOpened | CommandOutput) -> None:
        """Take what the host tells of the session."""
        match event:
            case DialogOpened():
                self._dialogs.append(event.dialog)
                self._dialog_there.set()
            case CommandOutput():
                if on_output := self._outputs.get(event.call):
                    on_output(event.stream, event.text)

    async def _connect(self) -> None:
        if self.kind in DEVICES:
            raise SessionRefused("invalid", f"the session's device is of kind {self.kind}: it has no pages")
        await self._address()
        try:
            fresh = await self._link.connect()
        except BrowserError as error:
            await self.recall(PAGE_KEY)  # raises where the session is lost, which is the better answer
            raise SessionRefused("no_device", f"the session's browser cannot be reached: {error.message}") from error
        if fresh:
            self._link.restore(await self.recall(PAGE_KEY))

    async def _address(self) -> str:
        """Return the address of the device, which is started if this is its first use."""
        if not self._link.endpoint:
            ready = await self._client.ask(self._client.mine(UseDevice), DeviceReady, START_SECONDS)
            await self._link.use(ready.endpoint)
        return self._link.endpoint

    def _keep_choice(self, text: str) -> None:
        before, self._keeping = self._keeping, asyncio.create_task(self._kept(text))
        if before is not None:
            before.cancel()

    async def _kept(self, text: str) -> None:
        with contextlib.suppress(SessionLost, SessionRefused):
            await self.keep(PAGE_KEY, text)

"""A worker's way into sessions: attach, connect to the browser when it is needed, and ask the host for the rest.

One `Attachments` a worker process: it starts Playwright once, and keeps a connection while the endpoint stays.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

from msgspec import DecodeError
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, Playwright, async_playwright

from muster_bus import Bus
from muster_devices.device import Device
from muster_devices.web.browser_link import Link, forget_old_error
from muster_devices.web.web_device import WebDevice
from muster_protocol import codec
from muster_protocol.sessions import (
    PAGE_KEY,
    REPLY_LIMIT,
    AnswerDialog,
    Attach,
    Attached,
    Author,
    Checkpoint,
    CommandOutput,
    DeviceReady,
    DialogOpened,
    Done,
    Exec,
    ExecDone,
    FileContent,
    FileEntries,
    FileEntry,
    FileList,
    FileRead,
    FileWrite,
    Holder,
    Keep,
    OpenDialog,
    Recall,
    Recalled,
    SessionEvent,
    SessionGone,
    UseDevice,
)
from muster_protocol.tasks import SubTask
from muster_protocol.tool_calls import Box
from muster_subagent.secrets import Secrets
from muster_subagent.session_client import HostClient, SessionRefused
from muster_subagent.tool_context import SessionLost

EXEC_TRY_SECONDS = 20.0
"""How long one request for a command's result waits before it is sent again; so a lost reply costs no more."""
EXEC_GRACE_SECONDS = 30.0
LEAVE_SECONDS = 2.0
START_SECONDS = 60.0
"""How long a browser that was not needed before may take to start."""
KNOWN_SESSIONS = 16

StartPlaywright = Callable[[], Coroutine[Any, Any, Playwright]]
OnOutput = Callable[[str, str], None]


class Attachments:
    """The sessions one worker process is or was attached to."""

    def __init__(self, bus: Bus, *, exec_try_seconds: float = EXEC_TRY_SECONDS) -> None:
        self._bus, self._exec_try_seconds = bus, exec_try_seconds
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._playwright: Playwright | None = None
        self._starting = asyncio.Lock()

    @asynccontextmanager
    async def attach(
        self, sub_task: SubTask, delivery: int, secrets: Secrets, worker_id: str
    ) -> AsyncGenerator["Attachment"]:
        """Attach to the sub-task's session and shut out whoever was; leaving it in order asks for a checkpoint.

        Raises:
            SessionLost: the session or its host is gone, or a newer holder has it; also in place of Playwright's error
                where that is the reason for it.
        """
        holder = Holder(dispatch=sub_task.dispatch, delivery=delivery, worker=worker_id)
        client = HostClient(self._bus, sub_task.host, sub_task.run, sub_task.session, holder)
        known = await self._listening(client)
        attached = await client.ask(client.mine(Attach, secrets=secrets.values()), Attached)
        await known.link.use(attached.endpoint)
        attachment = Attachment(known.link, client, attached, self._started, self._exec_try_seconds)
        attachment.web = WebDevice(attachment, sub_task.step.domains)
        known.lend(attachment)
        done = False
        try:
            yield attachment
            done = True
        except (PlaywrightError, SessionLost) as error:
            if not (isinstance(error, SessionLost) and error.fenced):
                await attachment.verify()
            raise
        finally:
            known.take_back(attachment)
            await attachment.leave(checkpoint=done)

    async def warm_up(self) -> None:
        """Start Playwright now (half a second), so that the first page does not wait for it."""
        await self._started()

    async def close(self) -> None:
        """Let go of every session; they stay as they are."""
        while self._known:
            await self._known.popitem()[1].drop(SessionLost("this worker is stopping"))
        playwright, self._playwright = self._playwright, None
        if playwright is not None:
            await playwright.stop()

    async def _started(self) -> Playwright:
        async with self._starting:
            if self._playwright is None:
                self._playwright = await async_playwright().start()
            return self._playwright

    async def _listening(self, client: HostClient) -> "_Known":
        """Return what is known of a session, its events arriving: those that come before the attachment is made too."""
        key = f"{client.run}.{client.name}"
        known = self._known.get(key)
        if known is None or known.dropped:
            known = self._known[key] = _Known(client.host)
            await known.listen(self._bus, self._bus.names.session_events(client.run, client.name))
        known.host = client.host
        self._known.move_to_end(key)
        unused = [key for key, known in self._known.items() if not known.lent]
        for old in unused[: max(0, len(self._known) - KNOWN_SESSIONS)]:
            await self._known.pop(old).drop(SessionLost("this worker had not used the session for long"))
        return known


class _Known:
    """One session as this process knows it: its browser, its events, and which attachment uses it now."""

    def __init__(self, host: str) -> None:
        self.link = Link()
        self.dropped, self.host = False, host
        self._user: Attachment | None = None
        self._subscription: Subscription | None = None

    @property
    def lent(self) -> bool:
        return self._user is not None

    async def listen(self, bus: Bus, subject: str) -> None:
        self._subscription = await bus.nc.subscribe(subject, cb=self._on_event)

    def lend(self, attachment: "Attachment") -> None:
        """Give the session to one user; another one in this process has lost it."""
        if self._user is not None:
            self._user.lose(SessionLost("a newer sub-task of this worker holds the session", fenced=True))
        self._user = attachment

    def take_back(self, attachment: "Attachment") -> None:
        if self._user is attachment:
            self._user = None

    async def drop(self, why: SessionLost) -> None:
        self.dropped = True
        if self._user is not None:
            self._user.lose(why)
        if self._subscription is not None:
            with contextlib.suppress(NatsError):
                await self._subscription.unsubscribe()
        await self.link.close()

    async def _on_event(self, message: Msg) -> None:
        try:
            event = cast("SessionEvent", codec.decode(message.data, cast("Any", SessionEvent)))
        except DecodeError:
            return  # told by a newer host; nothing this worker waits for
        if event.host not in {"", self.host}:
            return  # it had the session before, and was cut off when that was opened anew
        if isinstance(event, SessionGone):
            await self.drop(SessionLost(f"the session is over: {event.reason}"))
        elif self._user is not None:
            self._user.on_event(event)


class Attachment:
    """The session a sub-task is attached to; implements `muster_subagent.tool_context.Session`."""

    def __init__(
        self,
        link: Link,
        client: HostClient,
        attached: Attached,
        playwright: StartPlaywright,
        exec_try_seconds: float = EXEC_TRY_SECONDS,
    ) -> None:
        self._link, self._client, self._playwright = link, client, playwright
        self._exec_try_seconds = exec_try_seconds
        self.directory, self.kind = attached.directory, attached.kind
        self.touched: Box | None = None
        self.web = WebDevice(self)
        self._dialogs = list(attached.dialogs)
        self._dialog_there = asyncio.Event()
        self._outputs: dict[str, OnOutput] = {}
        self._keeping: asyncio.Task[None] | None = None
        link.on_choice = self._keep_choice

    async def device(self) -> Device:
        """Return the session's browser as a device."""
        return self.web

    @property
    def device_used(self) -> bool:
        """Whether there is a connection to the browser."""
        return bool(self.pages)

    @property
    def pages(self) -> list[Page]:
        """The open pages, oldest first; none before the first call of `page`."""
        return self._link.pages

    async def page(self) -> Page:
        """Return the page chosen with `use`, or the newest if none was or if one was opened since.

        Raises:
            SessionLost: the session is over.
            SessionRefused: it has no browser, and none can be started; says how to mend that.
        """
        forget_old_error(await self._playwright())
        if not self._link.connected:
            await self._client.unless_lost(self._connect())
        try:
            return await self._client.unless_lost(self._link.current())
        except PlaywrightError:
            await self.verify()
            raise

    def use(self, page: Page) -> None:
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

    async def read_file(self, path: str) -> FileContent:
        """Read a file of the session's directory, its first 700 kB at most."""
        return await self._client.ask(self._client.mine(FileRead, path=path), FileContent)

    async def write_file(self, path: str, content: bytes) -> None:
        """Write a file of the session's directory, 700 kB at most."""
        if len(content) > REPLY_LIMIT:
            size = f"{len(content)} bytes, and a file is written at once with {REPLY_LIMIT} at most"
            raise SessionRefused("invalid", f"{path!r} would have {size}: make it with a command in the session")
        await self._client.ask(self._client.mine(FileWrite, path=path, content=content), Done)

    async def list_files(self, path: str) -> tuple[FileEntry, ...]:
        """List a folder of the session's directory."""
        return (await self._client.ask(self._client.mine(FileList, path=path), FileEntries)).entries

    async def keep(self, key: str, value: str) -> None:
        """Keep a small text with the session."""
        await self._client.ask(self._client.mine(Keep, key=key, value=value), Done)

    async def recall(self, key: str) -> str | None:
        """Return what was kept, or what the host has seen."""
        return (await self._client.ask(self._client.mine(Recall, key=key), Recalled)).value

    async def verify(self) -> None:
        """Find out whether the session is still this holder's, as after an error of Playwright's.

        Raises:
            SessionLost: it is not.
        """
        await self.recall(PAGE_KEY)

    async def leave(self, *, checkpoint: bool) -> None:
        """Finish what is under way and have the host make a checkpoint, unless the sub-task is left in the middle."""
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
        if self.kind == "screens":
            raise SessionRefused("invalid", "the session's device is a simulated app: it has no pages")
        if not self._link.endpoint:
            ready = await self._client.ask(self._client.mine(UseDevice), DeviceReady, START_SECONDS)
            await self._link.use(ready.endpoint)
        try:
            fresh = await self._link.connect(await self._playwright())
        except PlaywrightError as error:
            await self.recall(PAGE_KEY)  # raises where the session is lost, which is the better answer
            raise SessionRefused("no_device", f"the session's browser cannot be reached: {error.message}") from error
        if fresh:
            self._link.restore(await self.recall(PAGE_KEY))

    def _keep_choice(self, text: str) -> None:
        before, self._keeping = self._keeping, asyncio.create_task(self._kept(text))
        if before is not None:
            before.cancel()

    async def _kept(self, text: str) -> None:
        with contextlib.suppress(SessionLost, SessionRefused):
            await self.keep(PAGE_KEY, text)

"""Serves one device to its holder: over a connection that opens with a secret, one request at a time."""

import asyncio
import secrets
from collections.abc import Callable
from typing import assert_never

import msgspec

from muster_devices.actions import Outcome
from muster_devices.device_host import Access
from muster_devices.errors import DeviceLost, DeviceRefused
from muster_devices.hosted.driven_device import DrivenDevice
from muster_devices.hosted.frames import (
    SCHEME,
    Answer,
    AskDialog,
    DialogNow,
    Do,
    Feed,
    Hello,
    ListWindows,
    Look,
    Lost,
    Picture,
    ReadFeed,
    ReadSource,
    Refusal,
    Reply,
    Request,
    ScreenNow,
    ShowScreen,
    SourceRead,
    TakePicture,
    UseWindow,
    Welcome,
    Windows,
    next_request,
    send,
)
from muster_protocol.sessions import Holder

OVER = (OSError, EOFError, TimeoutError, msgspec.DecodeError)
"""The worker at the other end has gone, or was none."""
HELLO_SECONDS = 5.0
"""How long a connection may take to name the secret."""


class DeviceServer:
    """The way into one device."""

    def __init__(self, device: DrivenDevice, bind: str, advertise: str, grace: float) -> None:
        """Listen on `bind` once asked to; workers reach it by the name `advertise`. `grace`: see `Welcome`."""
        self._device, self._bind, self._advertise, self._grace = device, bind, advertise, grace
        self._server: asyncio.Server | None = None
        self._secret = ""
        self._holder: Holder | None = None
        self._talks: set[asyncio.Future[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        self._answered: dict[str, Outcome] = {}
        self.on_lost: Callable[[str], None] = lambda _why: None
        """Called with the reason once a request finds the device gone."""

    async def grant(self, holder: Holder, fresh: bool) -> Access:
        """Return the way in; a fresh one has a new secret, and closes every connection made with the old one."""
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, self._bind, 0)
        if self._holder is None or holder.dispatch != self._holder.dispatch:
            self._device.forget_dialogs()
        self._holder = holder
        if fresh or not self._secret:
            self._secret = secrets.token_urlsafe(24)
            await self._cut_off()
        port: int = self._server.sockets[0].getsockname()[1]
        host = f"[{self._advertise}]" if ":" in self._advertise else self._advertise
        return Access(f"{SCHEME}{host}:{port}/{self._secret}")

    async def close(self) -> None:
        """Close every connection and listen no more."""
        await self._cut_off()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        self._server = None

    @property
    def busy(self) -> bool:
        """Whether a request is at work."""
        return self._one_at_a_time.locked()

    @property
    def one_at_a_time(self) -> asyncio.Lock:
        """Held by whoever asks the device for something."""
        return self._one_at_a_time

    async def _cut_off(self) -> None:
        talks = list(self._talks)
        for talk in talks:
            talk.cancel()
        await asyncio.gather(*talks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.ensure_future(self._talk(reader, writer))
        self._talks.add(talk)
        try:
            await asyncio.wait({talk})
        finally:
            talk.cancel()
            self._talks.discard(talk)
            writer.close()
        if not talk.cancelled() and (error := talk.exception()) and not isinstance(error, OVER):
            raise error

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await next_request(reader)
        if not isinstance(hello, Hello) or not secrets.compare_digest(hello.secret.encode(), self._secret.encode()):
            return
        await send(writer, self._welcome)
        while True:
            request = await next_request(reader)
            async with self._one_at_a_time:
                try:
                    reply = await self._reply(request)
                except DeviceRefused as refused:
                    reply = Refusal.of(refused)
                except DeviceLost as lost:
                    reply = Lost(lost.reason)
                    self.on_lost(lost.reason)
            await send(writer, reply)

    @property
    def _welcome(self) -> Welcome:
        return Welcome(tuple(sorted(self._device.features)), self._grace)

    async def _reply(self, request: Request) -> Reply:
        device = self._device
        match request:
            case Hello():
                return self._welcome
            case Do():
                return await device.do(request.action, request.scope, request.limit)
            case Answer():
                if request.call not in self._answered:
                    self._answered[request.call] = await device.answer(request.accept, request.text)
                return self._answered[request.call]
            case UseWindow():
                await device.use(request.window)
                return Windows(await device.windows())
            case _:
                return await self._shown(request)

    async def _shown(
        self, request: AskDialog | Look | ShowScreen | TakePicture | ReadFeed | ReadSource | ListWindows
    ) -> Reply:
        """Return what a request asks to see; it changes nothing."""
        device = self._device
        match request:
            case AskDialog():
                return DialogNow(await device.dialog(request.limit))
            case Look():
                return await device.look(request.question, request.wait)
            case ShowScreen():
                return ScreenNow(await device.screen(request.part, request.depth))
            case TakePicture():
                return Picture(await device.picture(request.hide))
            case ReadFeed():
                return Feed(device.feed(request.name))
            case ReadSource():
                return SourceRead(await device.source())
            case ListWindows():
                return Windows(await device.windows())
            case _:
                assert_never(request)

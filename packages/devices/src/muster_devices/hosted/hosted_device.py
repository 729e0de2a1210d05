"""The worker half of a device that its session host drives: asks one thing at a time, and decides nothing."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from muster_devices.actions import Action, DialogOpen, Done, Outcome, Scope
from muster_devices.device import Feature
from muster_devices.device_host import Access
from muster_devices.errors import DeviceLost
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
    next_reply,
    send,
)
from muster_devices.observations import ElementsSeen, PlaceSeen, PointSeen, TextSeen, ValuesSeen, Wait
from muster_devices.screen import Record, Screen, Window
from muster_protocol.sessions import OpenDialog

CONNECT_SECONDS = 10.0
SETTLE_SECONDS = 5.0
"""How long a device may be busy where the request has no limit of its own."""

R = TypeVar("R")


class HostedDevice:
    """Implements `Device`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """To be made by `connect`."""
        self._reader, self._writer = reader, writer
        self._one_at_a_time = asyncio.Lock()
        self._lost = ""
        self._welcome = Welcome((), CONNECT_SECONDS)

    @property
    def features(self) -> frozenset[Feature]:
        """What the host says it can do."""
        return frozenset(self._welcome.features)

    @classmethod
    async def connect(cls, access: Access) -> "HostedDevice":
        """Return the device that an endpoint leads to.

        Raises:
            DeviceLost: it is not there any more, or the endpoint is an old one.
        """
        address, _, secret = access.endpoint.removeprefix(SCHEME).partition("/")
        host, _, port = address.rpartition(":")
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        except (OSError, TimeoutError) as error:
            raise DeviceLost(f"the session's device cannot be reached: {error or 'no answer'}") from error
        device = cls(reader, writer)
        try:
            device._welcome = await device._ask(Hello(secret), Welcome)
        except BaseException:
            writer.close()
            raise
        return device

    async def close(self) -> None:
        """Disconnect; the device stays as it is."""
        self._lost = self._lost or "this worker has left the device"
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def do(self, action: Action, scope: Scope, limit: float) -> Outcome:
        """Do an action."""
        return await self._ask(Do(action, scope, limit), Done, DialogOpen, seconds=2 * limit)

    async def answer(self, accept: bool, text: str, call: str) -> Outcome:
        """Answer the open dialog."""
        return await self._ask(Answer(accept, text, call), Done, DialogOpen, seconds=SETTLE_SECONDS)

    async def dialog(self, limit: float = 0.0) -> OpenDialog | None:
        """Return the open dialog; wait for one to open."""
        return (await self._ask(AskDialog(limit), DialogNow, seconds=limit)).dialog

    async def look(self, question: Any, wait: Wait) -> Any:  # noqa: ANN401 - see `Device.look`
        """Look at the screen once."""
        seconds = max(wait.settle, wait.patient) + wait.change
        return await self._ask(
            Look(question, wait), ElementsSeen, TextSeen, PlaceSeen, ValuesSeen, PointSeen, seconds=seconds
        )

    async def screen(self, part: str = "", depth: int = 0) -> Screen:
        """Return the settled screen or a part of it."""
        return (await self._ask(ShowScreen(part, depth), ScreenNow, seconds=SETTLE_SECONDS)).screen

    async def picture(self, hide: Sequence[str]) -> bytes:
        """Return a PNG of what is shown."""
        return (await self._ask(TakePicture(tuple(hide)), Picture)).png

    async def source(self) -> str:
        """Return the source of the screen, if it has one."""
        return (await self._ask(ReadSource(), SourceRead)).text

    async def windows(self) -> tuple[Window, ...]:
        """Return the windows."""
        return (await self._ask(ListWindows(), Windows, seconds=SETTLE_SECONDS)).windows

    async def use(self, window: str) -> None:
        """Make a window the current one."""
        await self._ask(UseWindow(window), Windows, seconds=SETTLE_SECONDS)

    async def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the device has told of itself."""
        return (await self._ask(ReadFeed(name), Feed)).records

    async def _ask(self, request: Request, *kinds: type[R], seconds: float = 0.0) -> R:
        """Send a request and return its reply; one that is given up on leaves the connection unusable.

        Raises:
            DeviceLost: the connection is over.
            DeviceRefused: as the host half says.
        """
        reply = await self._exchange(request, seconds + self._welcome.grace)
        if isinstance(reply, Refusal):
            raise reply.error()
        if isinstance(reply, Lost):
            raise DeviceLost(reply.reason)
        if not isinstance(reply, kinds):
            raise DeviceLost(f"the session's device answered with {type(reply).__name__}")
        return reply

    async def _exchange(self, request: Request, seconds: float) -> Reply:
        async with self._one_at_a_time:
            if self._lost:
                raise DeviceLost(self._lost)
            self._lost = "a request to the session's device was given up"  # unless its reply is read to the end
            try:
                async with asyncio.timeout(seconds):
                    await send(self._writer, request)
                    reply = await next_reply(self._reader)
            except (OSError, EOFError, TimeoutError, msgspec.DecodeError) as error:
                self._lost = "the connection to the session's device was closed"
                self._writer.close()
                raise DeviceLost(self._lost) from error
            self._lost = ""
            return reply

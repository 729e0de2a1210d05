"""The session host half of a simulated device: keeps it, and serves it to one holder at a time."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable
from typing import assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from muster_devices.actions import Outcome
from muster_devices.device_host import Access, Left, Saved, Spec
from muster_devices.errors import DeviceRefused
from muster_devices.screen import Record, outline
from muster_devices.screens.app import App, Fault
from muster_devices.screens.app_loader import load_app
from muster_devices.screens.drawing import draw
from muster_devices.screens.frames import (
    SCHEME,
    Answer,
    AskDialog,
    DialogNow,
    Do,
    Feed,
    Hello,
    Look,
    Picture,
    ReadFeed,
    Refusal,
    Reply,
    Request,
    ScreenNow,
    ShowScreen,
    TakePicture,
    Welcome,
    next_request,
    send,
)
from muster_devices.screens.simulated_device import Clock, SimulatedDevice
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State
from muster_devices.screens.typed_yaml import nearest
from muster_protocol.causes import Failure
from muster_protocol.sessions import Holder, OpenDialog
from muster_text.redaction import Redactor

OVER = (OSError, EOFError, TimeoutError, msgspec.DecodeError)
"""The worker at the other end has gone, or was none."""
HELLO_SECONDS = 5.0
"""How long a connection may take to name the secret."""


class _Stored(Struct, frozen=True):
    """What is saved of a device."""

    digest: str
    """Of the definition and the faults: a state means something with these alone."""
    state: State


class ScreensHost:
    """Implements `DeviceHost`."""

    def __init__(self, bind: str = "127.0.0.1", advertise: str = "", clock: Clock = time.monotonic) -> None:
        """`bind`: the address to listen on; `advertise`: the name by which workers reach it, if that is another one."""
        self._bind, self._advertise, self._clock = bind, advertise or bind, clock
        self._device: SimulatedDevice | None = None
        self._digest = ""
        self._server: asyncio.Server | None = None
        self._secret = ""
        self._holder: Holder | None = None
        self._talks: set[asyncio.Future[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        self._answered: dict[str, Outcome] = {}
        self._on_dialog: Callable[[OpenDialog], None] = lambda _dialog: None

    async def open(self, spec: Spec, saved: Saved | None) -> bool:
        """Start the app, from a saved state if that is of this very definition.

        Raises:
            DeviceRefused: the file cannot be used, or has no such fault.
        """
        app = load_app(spec.definition, spec.source or "screens file")
        faults = {name: _fault(app, name) for name in spec.faults}
        self._digest = hashlib.sha256("\0".join((spec.definition, *sorted(faults))).encode()).hexdigest()
        stored = _stored(saved, self._digest)
        simulator = Simulator(app, faults)
        state = _moved(stored.state, self._clock()) if stored else None
        self._device = SimulatedDevice(simulator, state, self._clock)
        self._device.on_dialog = self._told_of
        return saved is None or (stored is not None and not saved.missing)

    def watch(self, on_dialog: Callable[[OpenDialog], None], on_gone: Callable[[str], None]) -> None:
        """Have a function called for each dialog that opens; a simulated device never ends by itself."""
        self._on_dialog = on_dialog

    def _told_of(self, dialog: OpenDialog) -> None:
        self._on_dialog(dialog)

    async def grant(self, holder: Holder, fresh: bool) -> Access:
        """Return the way in; a fresh one has a new secret, and closes every connection made with the old one."""
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, self._bind, 0)
        if self._holder is None or holder.dispatch != self._holder.dispatch:
            self._opened.forget_dialogs()
        self._holder = holder
        if fresh or not self._secret:
            self._secret = secrets.token_urlsafe(24)
            await self._cut_off()
        port: int = self._server.sockets[0].getsockname()[1]
        host = f"[{self._advertise}]" if ":" in self._advertise else self._advertise
        return Access(f"{SCHEME}{host}:{port}/{self._secret}")

    @property
    def dialogs(self) -> tuple[OpenDialog, ...]:
        """The dialog that waits for an answer."""
        dialog = self._opened.open_dialog
        return (dialog,) if dialog else ()

    async def answer(self, accept: bool, text: str) -> bool:
        """Answer the dialog; return whether there was one."""
        if not self.dialogs:
            return False
        await self._opened.answer(accept, text)
        return True

    def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the device has told of itself."""
        return self._opened.feed(name)

    async def picture(self, chosen: str, known: Callable[[], Redactor]) -> bytes | None:
        """Return a JPEG of the screen; None where it shows a secret outside password fields, or a dialog is open."""
        shown = self._opened.shown
        if self.dialogs or any(known().holds(line) for line in outline(shown)):
            return None
        return await asyncio.to_thread(draw, shown, self._opened.simulator.app.size, (), "JPEG")

    async def save(self, redactor: Redactor) -> Saved | None:
        """Return the state; None while a dialog is open, something is under way, or after a crash."""
        state = self._opened.state
        if state.dialog or state.due or state.crash:
            return None
        content = msgspec.json.encode(_Stored(self._digest, state))
        if redactor.holds(content):
            return Saved(missing="it held a secret, which no checkpoint has")
        return Saved(state=content)

    async def bound(self, seconds: float) -> None:
        """Do nothing: no recording is made."""

    async def close(self, quick: bool) -> Left:
        """End the device; it leaves nothing behind."""
        await self._cut_off()
        if self._device is not None:
            self._device.stop()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        self._server, self._device = None, None
        return Left()

    @property
    def busy(self) -> bool:
        """Whether a request is at work."""
        return self._one_at_a_time.locked()

    @property
    def _opened(self) -> SimulatedDevice:
        if self._device is None:
            raise DeviceRefused("the device is not open", failure=Failure.INFRASTRUCTURE)
        return self._device

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
        await send(writer, Welcome())
        while True:
            request = await next_request(reader)
            async with self._one_at_a_time:
                try:
                    reply = await self._reply(request)
                except DeviceRefused as refused:
                    reply = Refusal.of(refused)
            await send(writer, reply)

    async def _reply(self, request: Request) -> Reply:
        device = self._opened
        match request:
            case Do():
                return await device.do(request.action, request.limit)
            case Answer():
                if request.call not in self._answered:
                    self._answered[request.call] = await device.answer(request.accept, request.text)
                return self._answered[request.call]
            case AskDialog():
                return DialogNow(await device.dialog(request.limit))
            case Look():
                return await device.look(request.question, request.wait)
            case ShowScreen():
                return ScreenNow(await device.screen(request.part, request.depth))
            case TakePicture():
                return Picture(await asyncio.to_thread(device.picture, request.hide))
            case ReadFeed():
                return Feed(device.feed(request.name))
            case Hello():
                return Welcome()
            case _:
                assert_never(request)


def _fault(app: App, name: str) -> Fault:
    if name not in app.faults:
        text = f"the app {app.app!r} has no fault {name!r}{nearest(name, app.faults)}"
        raise DeviceRefused(text, failure=Failure.INVALID_CALL)
    return app.faults[name]


def _stored(saved: Saved | None, digest: str) -> _Stored | None:
    """Return a saved state if it can be used with this definition."""
    try:
        stored = msgspec.json.decode(saved.state, type=_Stored) if saved and saved.state else None
    except msgspec.DecodeError:
        return None
    return stored if stored and stored.digest == digest else None


def _moved(state: State, now: float) -> State:
    """Return a state on this process's clock."""
    return replace(state, at=now, opened_at=now - (state.at - state.opened_at))

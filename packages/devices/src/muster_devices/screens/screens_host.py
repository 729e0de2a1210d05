"""The session host half of a simulated device: keeps it, and serves it to one holder at a time."""

import asyncio
import hashlib
import time
from collections.abc import Callable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from muster_devices.device_host import Access, Left, Saved, Spec
from muster_devices.errors import DeviceLost, DeviceRefused, not_open
from muster_devices.hosted.device_server import DeviceServer
from muster_devices.screen import Record, outline
from muster_devices.screens.app import App, Fault
from muster_devices.screens.app_loader import load_app
from muster_devices.screens.drawing import draw
from muster_devices.screens.simulated_device import SimulatedDevice
from muster_devices.screens.simulator import Simulator
from muster_devices.screens.state import State
from muster_devices.screens.troubles import error_of
from muster_devices.screens.typed_yaml import nearest
from muster_protocol.causes import Failure
from muster_protocol.sessions import Holder, OpenDialog
from muster_text.redaction import Redactor

GRACE_SECONDS = 10.0
"""How long a reply may take beyond the time that the request has the app wait: it answers at once."""


class _Stored(Struct, frozen=True):
    """What is saved of a device."""

    digest: str
    """Of the definition and the faults: a state means something with these alone."""
    state: State


class ScreensHost:
    """Implements `DeviceHost`."""

    def __init__(self, bind: str = "127.0.0.1", advertise: str = "") -> None:
        """`bind`: the address to listen on; `advertise`: the name by which workers reach it, if that is another one."""
        self._bind, self._advertise = bind, advertise or bind
        self._device: SimulatedDevice | None = None
        self._digest = ""
        self._server: DeviceServer | None = None
        self._on_dialog: Callable[[OpenDialog], None] = lambda _dialog: None
        self._on_gone: Callable[[str], None] = lambda _why: None

    async def open(self, spec: Spec, saved: Saved | None) -> bool:
        """Start the app, from a saved state if that is of this very definition.

        Raises:
            DeviceRefused: the file cannot be used, or has no such fault, or one that has the device away.
        """
        app = load_app(spec.definition, spec.source or "screens file")
        faults = {name: _fault(app, name) for name in spec.faults}
        self._digest = hashlib.sha256("\0".join((spec.definition, *sorted(faults))).encode()).hexdigest()
        stored = _stored(saved, self._digest)
        simulator = Simulator(app, faults)
        state = _moved(stored.state, time.monotonic()) if stored else None
        self._device = SimulatedDevice(simulator, state)
        self._device.on_dialog = self._told_of
        self._refuse_lost()
        self._server = DeviceServer(self._device, self._bind, self._advertise, GRACE_SECONDS)
        self._server.on_lost = self._lost
        return saved is None or (stored is not None and not saved.missing)

    def watch(self, on_dialog: Callable[[OpenDialog], None], on_gone: Callable[[str], None]) -> None:
        """Call `on_dialog` for each dialog that opens, and `on_gone` once a fault has ended the device."""
        self._on_dialog, self._on_gone = on_dialog, on_gone

    def _refuse_lost(self) -> None:
        """Refuse to open a device that a fault has away from the start and for ever."""
        trouble = self._opened.state.trouble
        error = error_of(trouble) if trouble else None
        if isinstance(error, DeviceLost):
            raise DeviceRefused(error.reason, failure=Failure.INFRASTRUCTURE)

    def _lost(self, reason: str) -> None:
        self._on_gone(reason)

    def _told_of(self, dialog: OpenDialog) -> None:
        self._on_dialog(dialog)

    async def grant(self, holder: Holder, fresh: bool) -> Access:
        """Return the way in; a fresh one cuts off whoever came in by the one before."""
        if self._server is None:
            raise not_open()
        return await self._server.grant(holder, fresh)

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

    async def feed(self, name: str) -> tuple[Record, ...]:
        """Return what the device has told of itself."""
        return self._opened.feed(name)

    async def picture(self, chosen: str, known: Callable[[], Redactor]) -> bytes | None:
        """Return a JPEG of the screen; None where it shows a secret outside password fields, or cannot be seen now."""
        shown = self._opened.shown
        if self.dialogs or self._opened.state.trouble or any(known().holds(line) for line in outline(shown)):
            return None
        return await asyncio.to_thread(draw, shown, self._opened.simulator.app.size, (), "JPEG")

    async def save(self, redactor: Redactor) -> Saved | None:
        """Return the state; None while a dialog is open, something is under way, after a crash, or in trouble."""
        state = self._opened.state
        if state.dialog or state.due or state.crash or state.trouble:
            return None
        content = msgspec.json.encode(_Stored(self._digest, state))
        if redactor.holds(content):
            return Saved(missing="it held a secret, which no checkpoint has")
        return Saved(state=content)

    async def bound(self, seconds: float) -> None:
        """Do nothing: no recording is made."""

    async def close(self, quick: bool) -> Left:
        """End the device; it leaves nothing behind."""
        if self._server is not None:
            await self._server.close()
        if self._device is not None:
            self._device.stop()
        self._server, self._device = None, None
        return Left()

    @property
    def busy(self) -> bool:
        """Whether a request is at work."""
        return self._server is not None and self._server.busy

    @property
    def _opened(self) -> SimulatedDevice:
        if self._device is None:
            raise not_open()
        return self._device


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

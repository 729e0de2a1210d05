"""The devices that a session host can run, and the one device of each session."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from muster_devices.appium.appium_server import AppiumServer
from muster_devices.appium.phones import Phone, PhonesInvalid, read_phones
from muster_devices.device_host import DeviceHost, Left, Saved, Spec
from muster_devices.device_kinds import DEVICES, Shared
from muster_devices.domains import own_addresses
from muster_devices.errors import DeviceRefused
from muster_devices.record_times import moment
from muster_devices.web.chromium import BrowserOptions
from muster_devices.web.web_host import Browsers
from muster_protocol.causes import Failure
from muster_protocol.requests import DEVICE_KINDS, DeviceKind
from muster_protocol.sessions import OpenDialog
from muster_service.settings import SettingsError
from muster_sessionhost.device_alerts import DeviceAlerts
from muster_sessionhost.phone_loans import PhoneLoans
from muster_sessionhost.settings import SessionHostSettings
from muster_text.unreadable import why_unreadable

NONE = "the case says `device: none`, so it has only a shell: remove that line if a step needs a device"
STOP_SECONDS = 0.5
"""How long the end of a session waits for a device whose start was cancelled."""


class HostDevices:
    """Makes devices for the sessions of one host."""

    def __init__(self, browsers: Browsers, shared: Shared) -> None:
        """Use `running` to create one."""
        self._browsers, self._shared = browsers, shared
        self.loans = PhoneLoans(shared.phones)

    @classmethod
    @asynccontextmanager
    async def running(cls, settings: SessionHostSettings) -> AsyncGenerator["HostDevices"]:
        """Start what devices share, and stop it when the context ends.

        Raises:
            SettingsError: the file of phones cannot be used.
        """
        phones = await asyncio.to_thread(_phones, settings.phones)
        appium = AppiumServer(settings.appium_executable)
        shared = Shared(settings.bind_host, settings.advertise_host, phones, appium.address)
        options = BrowserOptions(
            executable=settings.browser_executable,
            headless=settings.headless,
            sandboxed=not settings.browser_no_sandbox,
            bind=settings.bind_host,
            advertise=settings.advertise_host,
            closed=own_addresses(settings.nats_url),
        )
        async with Browsers.running(options) as browsers:
            try:
                yield cls(browsers, shared)
            finally:
                await appium.stop()

    def missing(self, kind: DeviceKind, name: str = "") -> str:
        """Return why this host cannot run a device of this kind and name, and how to change that; empty if it can."""
        match kind:
            case "web":
                return self._browsers.missing
            case "none":
                return NONE
            case "appium":
                return self.loans.missing(name)
            case "screens":
                return ""

    @property
    def kinds(self) -> tuple[DeviceKind, ...]:
        """The kinds that this host can run; every host accepts sessions without a device."""
        return tuple(kind for kind in DEVICE_KINDS if kind == "none" or not self.missing(kind))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings for people about kinds of devices that this host cannot run."""
        why = self.missing("web")
        return (f"cases that need a browser go to other hosts: {why}",) if why else ()

    def new(self, kind: DeviceKind) -> DeviceHost:
        """Return a device that is not opened yet.

        Raises:
            DeviceRefused: the session has `device: none`.
        """
        if kind == "web":
            return self._browsers.new()
        if kind == "none":
            raise DeviceRefused(NONE, failure=Failure.INVALID_CALL)
        return DEVICES[kind].make(self._shared)


def _phones(path: str) -> dict[str, Phone]:
    """Return the phones of the file that the setting PHONES names.

    Raises:
        SettingsError: it cannot be used.
    """
    try:
        return read_phones(Path(path).read_text("utf-8")) if path else {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"the file of phones {path} (PHONES) cannot be used: {why_unreadable(error)}") from error
    except PhonesInvalid as error:
        raise SettingsError(f"the file of phones {path} (PHONES) cannot be used: {error}") from error


class SessionDevice:
    """The device of one session; it is started when first needed."""

    def __init__(self, make: Callable[[], DeviceHost], spec: Spec, alerts: DeviceAlerts | None) -> None:
        self.spec, self._make, self._alerts = spec, make, alerts
        self._watch: asyncio.Task[None] | None = None
        self._sending = set[asyncio.Task[None]]()
        self.running: DeviceHost | None = None
        self.same = True
        """Whether the device is in the saved state that it was started from."""
        self._starting: asyncio.Task[None] | None = None
        self._on_dialog: Callable[[OpenDialog], None] = lambda _dialog: None
        self._on_gone: Callable[[str], None] = lambda _why: None

    def watch(self, on_dialog: Callable[[OpenDialog], None], on_gone: Callable[[str], None]) -> None:
        """Call `on_dialog` for each dialog that opens, and `on_gone` with the reason if the device ends by itself."""
        self._on_dialog, self._on_gone = on_dialog, on_gone
        if self.running is not None:
            self.running.watch(on_dialog, self._gone)

    async def ensure_started(self, saved: Saved | None = None) -> DeviceHost:
        """Return the device; if it does not run yet, start it, from the saved state if there is one.

        Raises:
            DeviceRefused: it cannot be started; the call can be repeated.
        """
        if self.running is None:
            if self._starting is None or self._starting.done():
                self._starting = asyncio.create_task(self._start(saved))
            await asyncio.shield(self._starting)
        assert self.running is not None
        return self.running

    async def close(self, *, quick: bool) -> Left:
        """Close the device, or cancel its start, and return its recordings."""
        if self._starting is not None and not self._starting.done():
            self._starting.cancel()
            await asyncio.wait({self._starting}, timeout=STOP_SECONDS)
        if self._watch is not None:
            self._watch.cancel()
        if self._alerts is not None and self.running is not None:
            await self._alerts.tell(self.running)
        return await self.running.close(quick) if self.running else Left()

    async def _start(self, saved: Saved | None) -> None:
        device = self._make()
        self.same = await device.open(self.spec, saved)
        device.watch(self._on_dialog, self._gone)
        self.running = device
        if self._alerts is not None:
            self._watch = asyncio.create_task(self._alerts.watch(device))

    def _gone(self, why: str) -> None:
        if self._alerts is not None:
            task = asyncio.create_task(self._alerts.send("no_signal", moment()))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)
        self._on_gone(why)
